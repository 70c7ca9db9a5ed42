//! Results as files.

use crate::app::{App, Inner, Source};
use crate::error::{Result, StudioError};
use crate::jobs;
use crate::routes::{Asked, Reply};
use linkshift::params::Value as Setting;
use linkshift::{Link, Links, Points};
use linkshift_io::{SavedModel, model_to_bytes, write_links, write_named_labels};
use linkshift_plot::{Format, Scatter, render};
use std::path::Path;
use std::sync::Arc;

const CSV: &str = "text/csv; charset=utf-8";
const BINARY: &str = "application/octet-stream";

/// A file of results.
pub(crate) fn export(app: &App, asked: &Asked) -> Result<Reply> {
    let what = asked.get("what").unwrap_or_default();
    let format = asked.get("format").unwrap_or_default();
    let (kind, bytes) = match (what, format) {
        ("labels", "csv") => (CSV, labels(app, "csv")?),
        ("labels", "parquet") => ("application/vnd.apache.parquet", labels(app, "parquet")?),
        ("labels", "arrow") => ("application/vnd.apache.arrow.file", labels(app, "arrow")?),
        ("links", "csv") => (CSV, links(app)?),
        ("answers", "csv") => (CSV, answers(app)?),
        ("model", "model") => (BINARY, model(app)?),
        ("map", "svg") => ("image/svg+xml", map(app, Format::Svg)?),
        ("map", "png") => ("image/png", map(app, Format::Png)?),
        _ => {
            return Err(StudioError::bad(
                "export labels as csv, parquet or arrow; links or answers as csv; model as model; map as \
                 svg or png",
            ));
        }
    };
    let file = Some(format!("{}.{what}.{format}", stem(&app.data.name)));
    Ok(Reply::Bytes { kind, bytes, revision: None, file })
}

/// The name of a file for downloads: letters and digits of the data's name.
fn stem(name: &str) -> String {
    let stem = name.split('.').next().unwrap_or_default();
    let plain = |c: char| if c.is_ascii_alphanumeric() || "-_".contains(c) { c } else { '_' };
    let stem: String = stem.chars().take(80).map(plain).collect();
    if stem.is_empty() { "studio".into() } else { stem }
}

/// What a writer of files would put into one.
fn written(
    extension: &str,
    write: impl FnOnce(&Path) -> std::result::Result<(), linkshift_io::IoError>,
) -> Result<Vec<u8>> {
    let failed =
        |error: std::io::Error| StudioError::inside(format!("no room for a file: {error}"));
    let folder = tempfile::tempdir().map_err(failed)?;
    let path = folder.path().join(format!("export.{extension}"));
    write(&path)?;
    std::fs::read(&path).map_err(failed)
}

/// Number and name of each row's cluster, of all rows of the file; those that were dropped have none.
fn labels(app: &App, extension: &str) -> Result<Vec<u8>> {
    let inner = app.lock();
    let origin = &app.data.origin;
    let labels = origin.labels_of_file(&inner.shown.labels);
    let name = |&label: &i64| if label >= 0 { inner.name_of(label) } else { String::new() };
    let names: Vec<String> = labels.iter().map(name).collect();
    drop(inner);
    let ids = match (&origin.file_ids, &origin.kept_rows) {
        (Some(ids), _) => Some(&ids[..]),
        (None, None) => app.data.ids.as_deref(),
        (None, Some(_)) => None,
    };
    written(extension, |path| write_named_labels(path, &labels, &names, ids))
}

/// All links, those that came with the data first.
fn links(app: &App) -> Result<Vec<u8>> {
    let links = app.lock().session.links();
    written("csv", |path| write_links(path, links.as_slice(), app.data.ids.as_deref()))
}

fn answers(app: &App) -> Result<Vec<u8>> {
    // The lock keeps it from being written meanwhile.
    let _inner = app.lock();
    std::fs::read(&app.saved_to)
        .map_err(|error| StudioError::inside(format!("the answers cannot be read: {error}")))
}

/// The last full fit, for `linkshift predict` and `linkshift why`.
fn model(app: &App) -> Result<Vec<u8>> {
    let fitted = app.lock().fitted.clone();
    let fitted = fitted.ok_or_else(|| {
        StudioError::missing("there is no full fit yet: wait until it is done, or start it")
    })?;
    let (data, origin) = (&app.data, &app.data.origin);
    let method = jobs::method(fitted.all_certain, origin.seed)?;
    let mut model = fitted.model.clone();
    model.relabel(|label| fitted.numbers.get(&label).copied().unwrap_or(-1));
    let rows: Vec<usize> = (0..data.n_rows()).collect();
    let points: Points<'static, f64> = data.points.select(&rows);
    let saved = SavedModel {
        settings: method
            .settings()
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value))
            .chain([(linkshift::params::SEED.to_owned(), Setting::Count(origin.seed))])
            .collect(),
        intake: origin.intake.clone(),
        id_column: origin.id_column.clone(),
        ids: data.ids.clone(),
        scaler: origin.scaler.clone(),
        points: Some(points),
        first_unused: app.lock().first_unused(),
        ..SavedModel::new(&*method, model, fitted.links.clone(), origin.columns.clone())
    };
    model_to_bytes(&saved)
        .map_err(|problem| StudioError::inside(format!("the model cannot be written: {problem}")))
}

/// The map as a picture.
fn map(app: &App, format: Format) -> Result<Vec<u8>> {
    let Some((map, _)) = app.map() else {
        return Err(StudioError::inside("the map is not ready yet: try again in a moment"));
    };
    let inner = app.lock();
    let (shown, links) = (inner.shown.clone(), inner.session.links());
    let suspicious = suspicious(&inner);
    drop(inner);
    let broken = links.report(&shown.labels).broken;
    let xy = map.xy.chunks_exact(2).map(|xy| [f64::from(xy[0]), f64::from(xy[1])]).collect();
    let names = match (map.kind, &app.data.origin.columns[..]) {
        ("columns", [x, y]) => [x.clone(), y.clone()],
        ("columns", [x]) => [x.clone(), String::new()],
        ("pca", _) => ["component 1".to_owned(), "component 2".to_owned()],
        _ => [String::new(), String::new()],
    };
    let scatter = Scatter {
        title: app.data.name.clone(),
        xy,
        labels: &shown.labels,
        links: links.as_slice(),
        broken: &broken,
        suspicious: &suspicious,
        axis_names: names,
        ..Scatter::default()
    };
    render(&[scatter], format)
        .map_err(|error| StudioError::inside(format!("the map cannot be drawn: {error}")))
}

/// Links of the last fit that are probably wrong.
fn suspicious(inner: &Inner) -> Vec<Link> {
    let fitted: Option<&Arc<jobs::Fitted>> =
        inner.fitted.as_ref().filter(|_| inner.shown.source == Source::Fit);
    let suspects = fitted.map_or(Vec::new(), |fitted| crate::worth::suspects(fitted));
    suspects.into_iter().map(|suspect| suspect.link).collect::<Links>().as_slice().to_vec()
}

/// A table as CSV.
pub(crate) fn csv<const N: usize>(rows: &[[String; N]]) -> Vec<u8> {
    let field = |text: &String| match text.contains(['"', ',', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.clone(),
    };
    let line = |row: &[String; N]| row.iter().map(field).collect::<Vec<_>>().join(",") + "\n";
    rows.iter().map(line).collect::<String>().into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_downloads_are_plain() {
        assert_eq!(stem("people.v2.csv"), "people");
        assert_eq!(stem("a\"b/../c\r\n.csv"), "a_b_");
        assert_eq!(stem(""), "studio");
    }

    #[test]
    fn fields_with_commas_and_quotes_are_quoted() {
        let rows = [["a,b".into(), "say \"x\"".into()], ["1".into(), "two\nlines".into()]];
        assert_eq!(csv(&rows), b"\"a,b\",\"say \"\"x\"\"\"\n1,\"two\nlines\"\n");
    }
}
