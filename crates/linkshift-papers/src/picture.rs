//! Pictures: a chart of every table, and what an experiment draws besides.

use crate::experiments::{Panel, Picture};
use crate::failure::Result;
use crate::table::Table;
use linkshift::params::Named;
use linkshift_io::write_beside;
use linkshift_plot::{
    Chart, Curve, Format, Places, Scatter, render, render_charts, render_matrices,
};
use std::path::{Path, PathBuf};

/// Charts beside each other in one picture.
const PANELS: usize = 3;

/// Writes all pictures of an experiment: charts first, numbered from the second on. Matrices have
/// a rectangle per cell, too many for a drawing of lines.
pub(crate) fn save_all(
    folder: &Path,
    name: &str,
    tables: &[Table],
    pictures: &[Picture],
) -> Result<()> {
    let mut names = names(name);
    let mut write = |format: Format, picture: Vec<u8>| {
        let path = path(folder, &names.next().unwrap_or_default(), format);
        write_beside(&path, |file| file.write_all(&picture))
    };
    for tables in tables.chunks(PANELS) {
        let charts: Vec<Chart> = tables.iter().map(chart).collect();
        write(Format::Svg, render_charts(&charts, Format::Svg)?)?;
    }
    for picture in pictures {
        match picture {
            Picture::Matrices(panels) => {
                write(Format::Png, render_matrices(panels, Format::Png)?)?;
            }
            Picture::Plane(panels) => {
                let panels: Vec<Scatter<'_>> = panels.iter().map(scatter).collect();
                write(Format::Svg, render(&panels, Format::Svg)?)?;
            }
        }
    }
    Ok(())
}

fn path(folder: &Path, name: &str, format: Format) -> PathBuf {
    folder.join(format!("{name}.{}", format.name()))
}

/// The pictures of an experiment that are in a folder, in their order.
pub(crate) fn saved(folder: &Path, name: &str) -> Vec<PathBuf> {
    let find = |name: String| {
        let mut ways = Format::ALL.iter().map(|&format| path(folder, &name, format));
        ways.find(|path| path.exists())
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
        modes: panel.modes.clone(),
        ..Scatter::default()
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
