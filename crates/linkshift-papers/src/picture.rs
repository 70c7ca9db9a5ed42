//! Pictures: a chart of every table, and what an experiment draws besides.

use crate::experiments::{Panel, Picture};
use crate::failure::Result;
use crate::table::Table;
use linkshift_plot::{Chart, Curve, Places, Scatter, save, save_charts, save_matrices};
use std::path::{Path, PathBuf};

/// Charts beside each other in one picture.
const PANELS: usize = 3;

const LINES: &str = "svg";
const PIXELS: &str = "png";

/// Writes all pictures of an experiment: charts first, numbered from the second on. Matrices have
/// a rectangle per cell, too many for a drawing of lines.
pub(crate) fn save_all(
    folder: &Path,
    name: &str,
    tables: &[Table],
    pictures: &[Picture],
) -> Result<()> {
    let mut names = names(name);
    let mut next =
        |extension: &str| folder.join(format!("{}.{extension}", names.next().unwrap_or_default()));
    for tables in tables.chunks(PANELS) {
        save_charts(&tables.iter().map(chart).collect::<Vec<_>>(), &next(LINES))?;
    }
    for picture in pictures {
        match picture {
            Picture::Matrices(panels) => save_matrices(panels, &next(PIXELS))?,
            Picture::Plane(panels) => {
                save(&panels.iter().map(scatter).collect::<Vec<_>>(), &next(LINES))?;
            }
        }
    }
    Ok(())
}

/// The pictures of an experiment that are in a folder, in their order.
pub(crate) fn saved(folder: &Path, name: &str) -> Vec<PathBuf> {
    let find = |name: String| {
        let ways = [LINES, PIXELS].map(|extension| folder.join(format!("{name}.{extension}")));
        ways.into_iter().find(|path| path.exists())
    };
    names(name).map_while(find).collect()
}

/// The name itself, and then with the numbers from 2 on.
fn names(name: &str) -> impl Iterator<Item = String> {
    let rest = (2..).map(move |number| format!("{name}-{number}"));
    std::iter::once(name.to_string()).chain(rest)
}

fn scatter(panel: &Panel) -> Scatter<'_> {
    Scatter {
        title: panel.title.clone(),
        xy: panel.xy.clone(),
        labels: &panel.labels,
        links: &panel.links,
        broken: &[],
        modes: panel.modes.clone(),
        axis_names: [String::new(), String::new()],
    }
}

/// A table as a chart: our numbers as marks, the published ones as rings of the same colour.
fn chart(table: &Table) -> Chart {
    let numbers: Option<Vec<f64>> =
        table.columns.iter().map(|column| column.parse().ok()).collect();
    let places = match (&table.axis, numbers) {
        (Some(_), Some(numbers)) => Places::Numbers(numbers),
        _ => Places::Names(table.columns.clone()),
    };
    let mut curves = Vec::new();
    for (look, row) in table.rows.iter().enumerate() {
        let published: Vec<_> = row.pairs.iter().map(|pair| pair.published).collect();
        if published.iter().any(Option::is_some) {
            let name = String::new();
            curves.push(Curve { name, values: published, look, hollow: true });
        }
        let values = row.pairs.iter().map(|pair| pair.ours.map(|ours| ours.mean)).collect();
        curves.push(Curve { name: row.name.clone(), values, look, hollow: false });
    }
    if curves.iter().any(|curve| curve.hollow) {
        let values = vec![None; table.columns.len()];
        let name = "ring: published".into();
        curves.push(Curve { name, values, look: table.rows.len(), hollow: true });
    }
    Chart {
        title: table.title.clone(),
        x_name: table.axis.clone().unwrap_or_default(),
        y_name: table.measure.clone(),
        places,
        curves,
    }
}
