//! Every method on small odd input: an error in words, or a model that keeps what all models promise.

use crate::{Verdict, Workshop, numbers, settings};
use linkshift::observe::Step;
use linkshift::registry::METHODS;
use linkshift::{Clusterer, Error, Links, Model, Points, Real};
use linkshift_io::{AnyModel, Element, SavedModel, model_from_bytes, model_to_bytes};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// A run that still shows steps is not stuck; it is left after this.
const LONG_ENOUGH: Duration = Duration::from_secs(2);

struct Case<T: Real> {
    method: Box<dyn Clusterer>,
    points: Points<'static, T>,
    links: Links,
    settings: String,
}

/// A method with settings, points and links, if the settings are allowed.
fn case<T: Real>(rng: &mut ChaCha8Rng) -> Option<Case<T>> {
    let entry = &METHODS[rng.random_range(0..METHODS.len())];
    let settings = settings::some(entry, rng);
    let method = entry.configure(&settings).ok()?;
    let points = numbers::points(rng)?;
    let links = numbers::links(rng, points.n_points());
    let settings = format!("{} {settings:?}", entry.info.name);
    Some(Case { method, points, links, settings })
}

/// A fit; none if it was refused in words, or took too long.
fn fit<T: Real>(case: &Case<T>) -> Result<Option<Model<T>>, String> {
    let begin = Instant::now();
    let watch = &mut |_: &Step| match begin.elapsed() > LONG_ENOUGH {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    match case.method.fit(&case.points, &case.links, watch) {
        Ok(model) => Ok(Some(model)),
        Err(Error::Cancelled { .. }) => Ok(None),
        Err(error) if error.to_string().is_empty() => Err("an error without a word".into()),
        Err(_) => Ok(None),
    }
}

pub(crate) fn method(rng: &mut ChaCha8Rng, workshop: &Workshop) -> Verdict {
    if rng.random() { try_method::<f64>(rng, workshop) } else { try_method::<f32>(rng, workshop) }
}

fn try_method<T: Real + Element>(rng: &mut ChaCha8Rng, _: &Workshop) -> Verdict {
    let Some(case) = case::<T>(rng) else { return Ok(()) };
    let who = |what: &str| Err(format!("{}: {what}", case.method.info().name));
    let Some(model) = fit(&case)? else { return Ok(()) };
    let (labels, n) = (model.labels(), case.points.n_points());
    let n_clusters = model.n_clusters();
    if labels.len() != n {
        return who("not a label for every point");
    }
    let mut next = 0;
    for &label in labels {
        if label < -1 || label > next {
            return who("clusters are not numbered by their first points");
        }
        next = next.max(label + 1);
    }
    let n_noise = labels.iter().filter(|&&label| label < 0).count();
    if next as usize != n_clusters || model.sizes().iter().sum::<usize>() + n_noise != n {
        return who("sizes and labels differ");
    }
    if let Some(centers) = model.centers()
        && (centers.n_points() != n_clusters || centers.values().iter().any(|x| !x.is_finite()))
    {
        return who("centers that are missing or not finite");
    }
    if *model.link_report() != case.links.report(labels) {
        return who("the report of the links is not that of the labels");
    }
    if let Err(error) = model.predictor().check() {
        return who(&format!("a predictor that refuses itself: {error}"));
    }
    match fit(&case)? {
        Some(again) if again.labels() != labels => who("other labels the second time"),
        _ => Ok(()),
    }
}

pub(crate) fn predict(rng: &mut ChaCha8Rng, workshop: &Workshop) -> Verdict {
    if rng.random() { try_predict::<f64>(rng, workshop) } else { try_predict::<f32>(rng, workshop) }
}

/// A type that models are kept in.
trait Kept: Real + Element {
    fn kept(model: AnyModel) -> Option<SavedModel<Self>>;
}

impl Kept for f32 {
    fn kept(model: AnyModel) -> Option<SavedModel<Self>> {
        match model {
            AnyModel::F32(model) => Some(model),
            AnyModel::F64(_) => None,
        }
    }
}

impl Kept for f64 {
    fn kept(model: AnyModel) -> Option<SavedModel<Self>> {
        match model {
            AnyModel::F64(model) => Some(model),
            AnyModel::F32(_) => None,
        }
    }
}

/// What was written and read again labels as before, whatever the rows.
fn try_predict<T: Kept>(rng: &mut ChaCha8Rng, _: &Workshop) -> Verdict {
    let Some(case) = case::<T>(rng) else { return Ok(()) };
    let Some(model) = fit(&case)? else { return Ok(()) };
    let who = |what: &str| Err(format!("{}: {what}", case.method.info().name));
    let n_features = case.points.n_features();
    let new = [Some(case.points.clone()), numbers::rows(rng, 7, n_features)];
    let before: Vec<_> = new.iter().flatten().map(|points| model.predict(points).ok()).collect();
    let columns = (0..n_features).map(|at| format!("f{at}")).collect();
    let saved = SavedModel::new(&*case.method, model, case.links.clone(), columns);
    let bytes = match model_to_bytes(&saved) {
        Ok(bytes) => bytes,
        Err(error) => return who(&format!("not written: {error}")),
    };
    let read = match model_from_bytes(&bytes) {
        Ok(read) => read,
        Err(error) => return who(&format!("not read again: {error}")),
    };
    let Some(read) = T::kept(read) else { return who("the type of numbers changed") };
    let after: Vec<_> =
        new.iter().flatten().map(|points| read.predictor.predict(points).ok()).collect();
    match before == after {
        true => Ok(()),
        false => who(&format!("a model that was read labels otherwise ({})", case.settings)),
    }
}
