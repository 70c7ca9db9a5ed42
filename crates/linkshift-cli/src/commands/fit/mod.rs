//! `linkshift fit`: from a table, and links, to labels.

mod args;
mod distances;
mod outputs;
mod remarks;
mod stream;
mod summary;

pub(crate) use args::{Args, scaling_parser};

use crate::clusters::Clusters;
use crate::failure::{Failure, Result};
use crate::input::{Dtype, LinksFile};
use crate::memory::Watch;
use crate::methods::{Chosen, Number};
use crate::notes::Note;
use crate::previous::Previous;
use crate::scored::Scored;
use crate::{intake, interrupt};
use linkshift::scale::{Scaler, Scaling};
use linkshift::{Model, Points};
use linkshift_features::table::Made;
use outputs::Outputs;
use std::time::Instant;
use summary::Summary;

/// What is known to be right before anything is read.
struct Job<'a> {
    args: &'a Args,
    chosen: Chosen,
    previous: Option<Previous>,
    outputs: Outputs,
    watch: Watch,
}

/// What was read, and what came of it.
struct Fitted<'a, T: Number> {
    made: &'a Made<T>,
    scaler: &'a Scaler,
    points: &'a Points<'a, T>,
    links: &'a LinksFile<'a>,
    model: &'a Model<T>,
    first_unused: i64,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let chosen = args.choose()?;
    let outputs = Outputs::check(args)?;
    let previous = args.previous.as_deref().map(Previous::read).transpose()?;
    if let Some(threads) = args.threads {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads as usize);
        pool.build_global().map_err(|error| Failure::input(format!("--threads: {error}")))?;
    }
    let watch = Watch::new(args.settings.memory);
    let job = Job { args, chosen, previous, outputs, watch };
    match (args.dtype, args.stream) {
        (Dtype::F32, false) => job.run::<f32>(),
        (Dtype::F64, false) => job.run::<f64>(),
        (Dtype::F32, true) => job.stream::<f32>(),
        (Dtype::F64, true) => job.stream::<f64>(),
    }
}

impl Job<'_> {
    fn run<T: Number>(&self) -> Result<()> {
        let args = self.args;
        let made = args.intake.read_within::<T>(self.watch.left_bytes(), &args.table);
        let made = made.map_err(|failure| self.watch.explained(failure))?;
        let table = &made.table;
        let (n_points, ids) = (table.n_rows, table.ids.as_deref());
        self.chosen.check_points(n_points)?;
        if args.plot_distances.is_some() {
            distances::check(n_points)?;
        }
        let links = LinksFile::of_table(args.links.as_deref(), table)?;
        let links = links.settled(args.contradictions, n_points)?;
        let told = table.points()?;
        links.links.check(n_points).map_err(|error| links.explained(error))?;
        let (scaling, scale_note) = args.scaling(&self.chosen, &told, &links.links);
        let scaler = Scaler::fit(&told, scaling);
        let points = match scaling {
            Scaling::None => told,
            _ => scaler.apply(&told)?,
        };

        let started = Instant::now();
        let fit = self.chosen.fit(|method, observer| method.fit(&points, &links.links, observer));
        self.watch.check()?;
        let mut model = fit.map_err(|error| links.explained(error))?;
        let seconds = started.elapsed().as_secs_f64();
        if interrupt::asked() {
            return Err(Failure::Cancelled);
        }

        let mut first_unused = model.n_clusters() as i64;
        let previous = self.previous.as_ref();
        let kept = previous.map(|previous| previous.keep(model.labels(), ids)).transpose()?;
        if let Some(kept) = &kept {
            model.relabel(|label| kept.numbering.number(label));
            first_unused = kept.numbering.first_unused();
        }
        let mut notes = intake::remarks(&made);
        notes.extend(remarks::of(table, &scaler));
        notes.extend(scale_note);
        notes.extend(model.notes().iter().map(Note::from));
        let scored = Scored::of(table.labels.as_deref(), model.labels(), &mut notes)?;

        let fitted = Fitted {
            made: &made,
            scaler: &scaler,
            points: &points,
            links: &links,
            model: &model,
            first_unused,
        };
        interrupt::attended(|| self.outputs.write(self, &fitted))?;
        self.tell(&Summary {
            job: self,
            model: &model,
            n_points,
            n_drawn: None,
            n_features: table.n_features,
            scaling,
            clusters: Clusters::of(model.labels()),
            seconds,
            dropped: &links.dropped,
            ids,
            kept: kept.as_ref(),
            scored,
            notes: &notes,
        })
    }
}
