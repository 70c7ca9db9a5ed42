//! Ask and tell.

use crate::arrays::{PointsArray, points};
use crate::errors::to_python;
use linkshift::ask::{Answer, Asker, Chooser, Outlook, Told};
use linkshift::params::Named;
use linkshift::{Error, LinkKind, Points, Real};
use numpy::{Element, IntoPyArray, PyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

/// Both ends and the answer.
type Spoken = (usize, usize, String);

/// An asker of either number type.
enum Either {
    F32(Asker<'static, f32>),
    F64(Asker<'static, f64>),
}

/// A dialogue about points; what a user sees of it is `linkshift.Asker`.
#[pyclass(name = "Asker", module = "linkshift._core")]
pub(crate) struct PyAsker(Either);

/// Does the same with an asker of either type.
macro_rules! either {
    ($either:expr, $asker:ident => $work:expr) => {
        match $either {
            Either::F32($asker) => $work,
            Either::F64($asker) => $work,
        }
    };
}

#[pymethods]
impl PyAsker {
    #[new]
    fn new(
        array: PointsArray<'_>,
        chooser: &str,
        n_groups: Option<i64>,
        seed: u64,
        answers: Vec<Spoken>,
    ) -> PyResult<Self> {
        let k = n_groups.map(|k| count("n_groups", k)).transpose()?;
        let chooser = Chooser::parse(chooser, k).map_err(to_python)?;
        let told = answers.into_iter().map(heard).collect::<PyResult<Vec<_>>>()?;
        Ok(PyAsker(match array {
            PointsArray::F32(array) => Either::F32(begin(&array, chooser, seed, told)?),
            PointsArray::F64(array) => Either::F64(begin(&array, chooser, seed, told)?),
        }))
    }

    fn next(&self, py: Python<'_>, n: i64) -> PyResult<Vec<(usize, usize)>> {
        let n = count("n", n)?;
        let questions = py.detach(|| either!(&self.0, asker => asker.next(n)));
        Ok(questions.iter().map(|question| (question.a, question.b)).collect())
    }

    fn tell(&mut self, a: i64, b: i64, answer: &str) -> PyResult<()> {
        let (a, b) = (count("row", a)?, count("row", b)?);
        let answer = parse(answer)?;
        either!(&mut self.0, asker => asker.tell(a, b, answer)).map_err(to_python)
    }

    fn undo(&mut self, pair: Option<(usize, usize)>) -> Option<Spoken> {
        let undone = either!(&mut self.0, asker => match pair {
            Some((a, b)) => asker.undo(a, b),
            None => asker.undo_last(),
        });
        undone.map(|reply| spoken(&reply.told()[0]))
    }

    fn answers(&self) -> Vec<Spoken> {
        let answers = either!(&self.0, asker => asker.answers());
        answers.told().iter().map(spoken).collect()
    }

    /// Both ends of each link, and whether it is a must-link.
    fn links(&self) -> Vec<(usize, usize, bool)> {
        let links = either!(&self.0, asker => asker.links());
        links.iter().map(|link| (link.a, link.b, link.kind == LinkKind::Must)).collect()
    }

    fn labels<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        py.detach(|| either!(&self.0, asker => asker.labels())).into_pyarray(py)
    }

    /// The agreement with the labels some answers ago, and whether that is settled.
    fn outlook(&self, py: Python<'_>) -> (Option<f64>, bool) {
        let Outlook { agreement, settled } =
            py.detach(|| either!(&self.0, asker => asker.outlook()));
        (agreement, settled)
    }
}

fn begin<T: Real + Element>(
    array: &PyReadonlyArray2<'_, T>,
    chooser: Chooser,
    seed: u64,
    told: Vec<Told>,
) -> PyResult<Asker<'static, T>> {
    let borrowed = points(array)?;
    // The dialogue outlives the call, so it has a copy of its own.
    let owned = Points::new(borrowed.values().to_vec(), borrowed.n_features());
    let asker = owned.and_then(|points| Asker::new(points, chooser, seed));
    asker.and_then(|asker| asker.resume(told)).map_err(to_python)
}

fn heard((a, b, answer): Spoken) -> PyResult<Told> {
    Ok(Told::new(a, b, parse(&answer)?))
}

fn spoken(told: &Told) -> Spoken {
    (told.a, told.b, told.answer.name().to_owned())
}

fn parse(word: &str) -> PyResult<Answer> {
    let must = "same, different or unsure";
    Answer::parse(word).ok_or_else(|| to_python(Error::param("answer", word, must)))
}

/// A whole number that may not be negative.
fn count(name: &'static str, value: i64) -> PyResult<usize> {
    usize::try_from(value).map_err(|_| to_python(Error::param(name, value, "0 or more")))
}
