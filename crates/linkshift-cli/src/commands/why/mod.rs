//! `linkshift why`: why two rows are together, or apart. Reasons and their words are the core's.

mod json;

use crate::failure::{Failure, Result};
use crate::methods::{Number, did_you_mean};
use crate::terminal;
use linkshift::why::Reasons;
use linkshift_io::{AnyModel, SavedModel, read_model};
use std::path::PathBuf;

/// Explain why two rows of a saved model are together or apart
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A model that `fit --model` has saved
    model: PathBuf,
    /// A row: its id, or its number from 0 if the model has no ids
    a: String,
    /// Another row
    b: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    match read_model(&args.model)? {
        AnyModel::F32(model) => explain(args, &model),
        AnyModel::F64(model) => explain(args, &model),
    }
}

fn explain<T: Number>(args: &Args, model: &SavedModel<T>) -> Result<()> {
    let (a, b) = (find_row(model, &args.a)?, find_row(model, &args.b)?);
    if a == b {
        let text = format!("{} is named twice: name two different rows", args.a);
        return Err(Failure::Input(text));
    }
    let Some(record) = model.record() else {
        let file = args.model.display();
        return Err(Failure::Input(format!(
            "{file} was saved without its points, which `why` measures by: save the model where it is fitted"
        )));
    };
    let reasons = Reasons::find(&record, a, b)?;
    let named = |row: usize| match &model.ids {
        Some(ids) => ids[row].clone(),
        None => row.to_string(),
    };
    match args.json {
        true => json::reasons(&reasons, model, args.model.display().to_string()).say(),
        false => terminal::say(&reasons.text(&named, model.deaf())),
    }
}

fn find_row<T: Number>(model: &SavedModel<T>, name: &str) -> Result<usize> {
    let n_points = model.labels.len();
    let Some(ids) = &model.ids else {
        let row = name.parse().ok().filter(|&row: &usize| row < n_points);
        return row.ok_or_else(|| {
            let last = n_points.saturating_sub(1);
            Failure::Input(format!("there is no row {name}: the model has rows 0 to {last}"))
        });
    };
    ids.iter().position(|id| id == name).ok_or_else(|| {
        let known: Vec<&str> = ids.iter().map(String::as_str).collect();
        let near = did_you_mean(name, &known);
        let column = model.id_column.as_deref().unwrap_or("its id column");
        Failure::Input(format!(
            "no row of the model has the id {name:?}{near}: use an id of the column {column:?}"
        ))
    })
}
