//! Ask and tell.

use crate::arrays::{PointsArray, points};
use crate::errors::to_python;
use crate::run::run_observed;
use linkshift::ask::{Answer, Asker, Choice, Chooser, Kind, Outlook, Question, Reply, Told};
use linkshift::params::Named;
use linkshift::{Error, LinkKind, Points, Real};
use numpy::{Element, IntoPyArray, PyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

/// Both ends, the answer, and whether it was certain.
type Spoken = (usize, usize, String, bool);

/// What was said at one go: its kind, and its pairs.
type Said = (String, Vec<Spoken>);

/// A question: its kind, its rows one after the other, how many of them stand in each part, the
/// chances, and whether it is asked again.
type Asked = (&'static str, Vec<usize>, Vec<usize>, Vec<f64>, bool);

/// Labels, whose they are, and two shares.
type Finished<'py> = (Bound<'py, PyArray1<i64>>, &'static str, Option<f64>, Option<f64>);

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
        answers: Vec<Said>,
    ) -> PyResult<Self> {
        let k = n_groups.map(|k| count("n_groups", k)).transpose()?;
        let chooser = Chooser::parse(chooser, k).map_err(to_python)?;
        let replies = answers.into_iter().map(heard).collect::<PyResult<Vec<_>>>()?;
        Ok(PyAsker(match array {
            PointsArray::F32(array) => Either::F32(begin(&array, chooser, seed, replies)?),
            PointsArray::F64(array) => Either::F64(begin(&array, chooser, seed, replies)?),
        }))
    }

    fn next(&self, py: Python<'_>, n: i64) -> PyResult<Vec<(usize, usize)>> {
        let n = count("n", n)?;
        let questions = py.detach(|| either!(&self.0, asker => asker.next(n)));
        Ok(questions.iter().map(|question| (question.a, question.b)).collect())
    }

    fn question(&self, py: Python<'_>, kinds: Vec<String>) -> PyResult<Option<Asked>> {
        let kinds = kinds.iter().map(|word| kind(word)).collect::<PyResult<Vec<_>>>()?;
        let question = py.detach(|| either!(&self.0, asker => asker.question(&kinds)));
        Ok(question.map(|question| {
            let rows = question.rows();
            let name = question.kind().name();
            match question {
                Question::Pair(pair) => (name, rows, vec![1, 1], vec![pair.chance], pair.again),
                Question::Place(place) => {
                    let sizes = place.groups.iter().map(Vec::len);
                    (name, rows, std::iter::once(1).chain(sizes).collect(), place.chances, false)
                }
                Question::Group(group) => {
                    let sizes = vec![rows.len()];
                    (name, rows, sizes, group.chances, false)
                }
            }
        }))
    }

    fn tell(&mut self, a: i64, b: i64, answer: &str, certain: bool) -> PyResult<()> {
        let (a, b) = (count("row", a)?, count("row", b)?);
        self.take(Ok(Reply::pair(a, b, parse(answer)?)), certain)
    }

    /// `chosen` is a group from 0, −1 for none of these, −2 for unsure.
    fn tell_place(
        &mut self,
        row: usize,
        groups: Vec<Vec<usize>>,
        chosen: i64,
        certain: bool,
    ) -> PyResult<()> {
        let choice = match chosen {
            -1 => Choice::NoneOfThese,
            -2 => Choice::Unsure,
            at => Choice::Group(count("chosen", at)?),
        };
        self.take(Reply::place(row, &groups, choice), certain)
    }

    fn tell_group(
        &mut self,
        rows: Vec<usize>,
        odd: Option<Vec<usize>>,
        certain: bool,
    ) -> PyResult<()> {
        self.take(Reply::group(&rows, odd.as_deref()), certain)
    }

    fn undo(&mut self, pair: Option<(usize, usize)>) -> Option<Said> {
        let undone = either!(&mut self.0, asker => match pair {
            Some((a, b)) => asker.undo(a, b),
            None => asker.undo_last(),
        });
        undone.map(|reply| said(&reply))
    }

    fn answers(&self) -> Vec<Said> {
        let answers = either!(&self.0, asker => asker.answers());
        answers.replies().iter().map(said).collect()
    }

    /// Both ends, the answer that is likely wrong, and the chance that it is right.
    fn suspects(&self, py: Python<'_>) -> Vec<(usize, usize, &'static str, f64)> {
        let suspects = py.detach(|| either!(&self.0, asker => asker.suspects()));
        let spoken = suspects.iter().map(|suspect| {
            (suspect.told.a, suspect.told.b, suspect.told.answer.name(), suspect.right)
        });
        spoken.collect()
    }

    fn error_rate(&self, py: Python<'_>) -> Option<f64> {
        py.detach(|| either!(&self.0, asker => asker.error_rate()))
    }

    /// Both ends of each link, and whether it is a must-link.
    fn links(&self) -> Vec<(usize, usize, bool)> {
        let links = either!(&self.0, asker => asker.links());
        links.iter().map(|link| (link.a, link.b, link.kind == LinkKind::Must)).collect()
    }

    fn labels<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        py.detach(|| either!(&self.0, asker => asker.labels())).into_pyarray(py)
    }

    /// The labels that were kept at the end, whose they are, and the shares of answers held back that the
    /// fit and the asker's own labels agree with.
    fn finish<'py>(&self, py: Python<'py>) -> PyResult<Finished<'py>> {
        let end = either!(&self.0, asker => run_observed(py, None, None, |observer| {
            asker.finish(observer).map(|end| (end.labels, end.kept, end.fit, end.own))
        }));
        let (labels, kept, fit, own) = end?;
        Ok((labels.into_pyarray(py), kept.name(), fit, own))
    }

    /// The agreement with the labels some answers ago, whether that is settled, and the expected
    /// share of right pairs.
    fn outlook(&self, py: Python<'_>) -> (Option<f64>, bool, Option<f64>) {
        let Outlook { agreement, settled, share } =
            py.detach(|| either!(&self.0, asker => asker.outlook()));
        (agreement, settled, share)
    }
}

impl PyAsker {
    fn take(&mut self, reply: linkshift::Result<Reply>, certain: bool) -> PyResult<()> {
        let taken = reply.and_then(|reply| {
            let reply = if certain { reply.certain() } else { reply };
            either!(&mut self.0, asker => asker.reply(reply))
        });
        taken.map_err(to_python)
    }
}

fn begin<T: Real + Element>(
    array: &PyReadonlyArray2<'_, T>,
    chooser: Chooser,
    seed: u64,
    replies: Vec<Reply>,
) -> PyResult<Asker<'static, T>> {
    let borrowed = points(array)?;
    // The dialogue outlives the call, so it has a copy of its own.
    let owned = Points::new(borrowed.values().to_vec(), borrowed.n_features());
    let asker = owned.and_then(|points| Asker::new(points, chooser, seed));
    asker.and_then(|asker| asker.resume(replies)).map_err(to_python)
}

fn heard((word, pairs): Said) -> PyResult<Reply> {
    let told = pairs.into_iter().map(|(a, b, answer, certain)| {
        let told = Told::new(a, b, parse(&answer)?);
        Ok(Told { certain, ..told })
    });
    Reply::of(kind(&word)?, told.collect::<PyResult<_>>()?).map_err(to_python)
}

fn said(reply: &Reply) -> Said {
    let spoken = |told: &Told| (told.a, told.b, told.answer.name().to_owned(), told.certain);
    (reply.kind().name().to_owned(), reply.told().iter().map(spoken).collect())
}

fn kind(word: &str) -> PyResult<Kind> {
    let must = "pair, place or group";
    Kind::parse(word).ok_or_else(|| to_python(Error::param("kind", word, must)))
}

fn parse(word: &str) -> PyResult<Answer> {
    let must = "same, different or unsure";
    Answer::parse(word).ok_or_else(|| to_python(Error::param("answer", word, must)))
}

/// A whole number that may not be negative.
fn count(name: &'static str, value: i64) -> PyResult<usize> {
    usize::try_from(value).map_err(|_| to_python(Error::param(name, value, "0 or more")))
}
