//! Who answers: known labels in experiments, a function, a person behind a function.

use super::answers::Answer;
use super::asker::Asker;
use crate::error::{Error, Result};
use crate::real::Real;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Someone who can be asked whether two rows belong together.
///
/// Every function of two rows is one.
pub trait Oracle {
    /// What is said of two rows.
    fn answer(&mut self, a: usize, b: usize) -> Answer;
}

impl<F: FnMut(usize, usize) -> Answer> Oracle for F {
    fn answer(&mut self, a: usize, b: usize) -> Answer {
        self(a, b)
    }
}

/// Answers from known labels, wrong at a given rate, unsure where a label is negative (unknown).
#[derive(Debug, Clone)]
pub struct KnownLabels {
    labels: Vec<i64>,
    error_rate: f64,
    seed: u64,
}

impl KnownLabels {
    /// Never wrong.
    pub fn new(labels: Vec<i64>) -> Self {
        KnownLabels { labels, error_rate: 0.0, seed: 0 }
    }

    /// Wrong with probability `error_rate`; the same pair gets the same answer again.
    pub fn with_errors(self, error_rate: f64, seed: u64) -> Result<Self> {
        if !(0.0..=1.0).contains(&error_rate) {
            return Err(Error::param("error_rate", error_rate, "from 0 to 1"));
        }
        Ok(KnownLabels { error_rate, seed, ..self })
    }
}

impl Oracle for KnownLabels {
    fn answer(&mut self, a: usize, b: usize) -> Answer {
        let label = |row: usize| self.labels.get(row).filter(|&&label| label >= 0);
        let (Some(one), Some(other)) = (label(a), label(b)) else { return Answer::Unsure };
        // Streams are as many as pairs, and independent of each other.
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(((a.min(b) as u64) << 32) | a.max(b) as u64);
        let wrong = rng.random_bool(self.error_rate);
        if (one == other) != wrong { Answer::Same } else { Answer::Different }
    }
}

/// Asks until `budget` answers are there in all or nothing is left to ask; `after` sees the asker
/// after each answer. Gives the number of answers there are.
pub fn run<T: Real>(
    asker: &mut Asker<'_, T>,
    oracle: &mut impl Oracle,
    budget: usize,
    mut after: impl FnMut(&Asker<'_, T>) -> Result<()>,
) -> Result<usize> {
    while asker.answers().told().len() < budget {
        let Some(question) = asker.next(1).pop() else { break };
        asker.tell(question.a, question.b, oracle.answer(question.a, question.b))?;
        after(asker)?;
    }
    Ok(asker.answers().told().len())
}
