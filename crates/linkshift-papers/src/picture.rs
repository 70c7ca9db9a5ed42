//! Pictures: a chart of every table, and what an experiment draws besides.

use crate::experiments::Picture;
use crate::failure::Result;
use crate::table::Table;
use linkshift_plot::{Chart, Curve, Places, Scatter, save, save_charts, save_matrices};
use std::path::Path;

/// Charts beside each other in one picture.
const PANELS: usize = 3;

/// Writes all pictures of an experiment, numbered from the second on.
pub(crate) fn save_all(
    folder: &Path,
    name: &str,
    tables: &[Table],
    pictures: &[Picture],
) -> Result<()> {
    let mut n_saved = 0;
    let mut next = || {
        n_saved += 1;
        let number = if n_saved == 1 { String::new() } else { format!("-{n_saved}") };
        folder.join(format!("{name}{number}.png"))
    };
    for tables in tables.chunks(PANELS) {
        save_charts(&tables.iter().map(chart).collect::<Vec<_>>(), &next())?;
    }
    for picture in pictures {
        match picture {
            Picture::Matrices(panels) => save_matrices(panels, &next())?,
            Picture::Plane(panels) => {
                let scatter = |panel: &'_ crate::experiments::Panel| Scatter {
                    title: panel.title.clone(),
                    xy: panel.xy.clone(),
                    labels: &[],
                    links: &[],
                    broken: &[],
                    modes: panel.modes.clone(),
                    axis_names: [String::new(), String::new()],
                };
                let mut scatters: Vec<Scatter<'_>> = panels.iter().map(scatter).collect();
                for (scatter, panel) in scatters.iter_mut().zip(panels) {
                    (scatter.labels, scatter.links) = (&panel.labels, &panel.links);
                }
                save(&scatters, &next())?;
            }
        }
    }
    Ok(())
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
