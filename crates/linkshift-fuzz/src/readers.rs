//! Tables, links, answers and pictures: a damaged file is an error in one line, or reads well.

use crate::corpus::Format;
use crate::mutate::damaged;
use crate::{Verdict, Workshop};
use linkshift_features::pictures::Picture;
use linkshift_io::{
    AnswersFile, Categories, DateUnit, Header, IoError, Missing, ReadOptions, TableChunks,
    link_ends, read_column, read_links, read_table, states_confidences,
};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::path::Path;

pub(crate) fn csv(rng: &mut ChaCha8Rng, workshop: &Workshop) -> Verdict {
    table(rng, workshop, Format::Csv, "t.csv")
}

pub(crate) fn tsv(rng: &mut ChaCha8Rng, workshop: &Workshop) -> Verdict {
    table(rng, workshop, Format::Tsv, "t.tsv")
}

pub(crate) fn gz(rng: &mut ChaCha8Rng, workshop: &Workshop) -> Verdict {
    table(rng, workshop, Format::Gz, "t.csv.gz")
}

pub(crate) fn parquet(rng: &mut ChaCha8Rng, workshop: &Workshop) -> Verdict {
    table(rng, workshop, Format::Parquet, "t.parquet")
}

pub(crate) fn arrow(rng: &mut ChaCha8Rng, workshop: &Workshop) -> Verdict {
    table(rng, workshop, Format::Arrow, "t.arrow")
}

pub(crate) fn npy(rng: &mut ChaCha8Rng, workshop: &Workshop) -> Verdict {
    table(rng, workshop, Format::Npy, "t.npy")
}

/// A damaged file of a format.
pub(crate) fn file(
    rng: &mut ChaCha8Rng,
    workshop: &Workshop,
    format: Format,
) -> Result<Vec<u8>, String> {
    let corpus = workshop.corpus(format)?;
    Ok(damaged(&corpus[rng.random_range(0..corpus.len())], rng))
}

fn is_told(error: &IoError) -> Verdict {
    let text = error.to_string();
    match text.is_empty() || text.contains('\n') || text.len() > 2_000 {
        true => Err(format!("an error that is not one short line: {text:?}")),
        false => Ok(()),
    }
}

fn options(rng: &mut ChaCha8Rng) -> ReadOptions {
    let mut column = |name: &str| (rng.random_range(0..4) == 0).then(|| name.to_owned());
    let (label_column, id_column, weight_column) =
        (column("label"), column("name"), column("weight"));
    let content_column = column("text");
    ReadOptions {
        columns: (rng.random_range(0..6) == 0).then(|| vec!["x".into()]),
        label_column,
        id_column,
        weight_column,
        content_column,
        delimiter: [None, None, Some(b','), Some(b' ')][rng.random_range(0..4)],
        header: [Header::Auto, Header::Auto, Header::Yes, Header::No][rng.random_range(0..4)],
        missing: [Missing::Error, Missing::Drop, Missing::Median][rng.random_range(0..3)],
        categories: [Categories::Skip, Categories::Error, Categories::OneHot]
            [rng.random_range(0..3)],
        dates: [None, Some(DateUnit::Days)][rng.random_range(0..2)],
        recipe: None,
        most_bytes: None,
    }
}

fn table(rng: &mut ChaCha8Rng, workshop: &Workshop, format: Format, name: &str) -> Verdict {
    let path = workshop.write(name, &file(rng, workshop, format)?)?;
    // Half of all as most people read, half with options.
    let options = if rng.random() { options(rng) } else { ReadOptions::default() };
    let whole = match read_table::<f64>(&path, &options) {
        Err(error) => is_told(&error).map(|()| None)?,
        Ok(table) => {
            let is_whole = table.values.len() == table.n_rows * table.n_features
                && table.values.iter().all(|value| value.is_finite())
                && table.columns.len() == table.n_features
                && table.ids.as_ref().is_none_or(|ids| ids.len() == table.n_rows)
                && table.labels.as_ref().is_none_or(|labels| labels.len() == table.n_rows)
                && table.weights.as_ref().is_none_or(|weights| weights.len() == table.n_rows)
                && table.contents.as_ref().is_none_or(|texts| texts.len() == table.n_rows);
            if !is_whole {
                return Err("a table that is not whole".into());
            }
            if table.n_features > 0
                && let Err(error) = table.points()
            {
                is_told(&error)?;
            }
            Some(table)
        }
    };
    match rng.random_range(0..4) {
        0 => chunks(&path, &options, whole.map(|table| (table.values, table.n_rows))),
        1 => read_table::<f32>(&path, &options).map_or_else(|error| is_told(&error), |_| Ok(())),
        2 => read_column(&path, None).map_or_else(|error| is_told(&error), |_| Ok(())),
        _ => Ok(()),
    }
}

/// What is read in chunks is what is read at once.
fn chunks(path: &Path, options: &ReadOptions, whole: Option<(Vec<f64>, usize)>) -> Verdict {
    let files = [path.to_owned()];
    let chunks = match TableChunks::<f64>::open(&files, options) {
        Ok(chunks) => chunks,
        Err(error) => return is_told(&error),
    };
    let mut values = Vec::new();
    for chunk in chunks {
        match chunk {
            Ok(chunk) => values.extend(chunk.values),
            Err(error) => return is_told(&error),
        }
    }
    match whole {
        Some((whole, n_rows)) if n_rows < 1_000 && whole != values => {
            Err("chunks and the whole differ".into())
        }
        _ => Ok(()),
    }
}

pub(crate) fn links(rng: &mut ChaCha8Rng, workshop: &Workshop) -> Verdict {
    let path = workshop.write("links.csv", &file(rng, workshop, Format::Links)?)?;
    let ids: Vec<String> = (0..9).map(|row| format!("{}", row * 2)).collect();
    for ids in [None, Some(&ids[..])] {
        match read_links(&path, 9, ids) {
            Err(error) => is_told(&error)?,
            Ok(links) => {
                let is_good = |link: &linkshift::Link| {
                    link.a < 9
                        && link.b < 9
                        && link.a != link.b
                        && (0.0..=1.0).contains(&link.confidence)
                };
                if !links.iter().all(is_good) {
                    return Err(format!("links that no method takes: {links:?}"));
                }
            }
        }
    }
    link_ends(&path).map_or_else(|error| is_told(&error), |_| Ok(()))?;
    states_confidences(&path).map_or_else(|error| is_told(&error), |_| Ok(()))
}

/// What is opened and written again says the same.
pub(crate) fn answers(rng: &mut ChaCha8Rng, workshop: &Workshop) -> Verdict {
    let path = workshop.write("answers.csv", &file(rng, workshop, Format::Answers)?)?;
    let opened = AnswersFile::open(&path, 9, None);
    let (mut opened, replies) = match opened {
        Err(error) => return is_told(&error),
        Ok(opened) => opened,
    };
    let added = linkshift::ask::Reply::pair(3, 8, linkshift::ask::Answer::Same);
    opened.append(&added).map_err(|error| format!("nothing can be added: {error}"))?;
    let (mut again, found) =
        AnswersFile::open(&path, 9, None).map_err(|error| format!("not opened again: {error}"))?;
    if found.len() != replies.len() + 1 || found[..replies.len()] != replies[..] {
        return Err(format!("{} answers became {}", replies.len() + 1, found.len()));
    }
    again.rewrite(&found).map_err(|error| format!("not written: {error}"))?;
    let (_, rewritten) =
        AnswersFile::open(&path, 9, None).map_err(|error| format!("not opened again: {error}"))?;
    match rewritten == found {
        true => Ok(()),
        false => Err("answers written anew are others".into()),
    }
}

pub(crate) fn picture(rng: &mut ChaCha8Rng, workshop: &Workshop) -> Verdict {
    match Picture::from_bytes(&file(rng, workshop, Format::Picture)?) {
        Err(error) if error.to_string().is_empty() => Err("an error without a word".into()),
        _ => Ok(()),
    }
}
