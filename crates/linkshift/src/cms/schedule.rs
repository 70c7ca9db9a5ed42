//! The bandwidth of each iteration: growing, as in the paper, or as somebody says.

use crate::params::{Form, Setting, Value};

const ADAPTIVE: &str = "adaptive";

/// The bandwidth of each iteration.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Schedule {
    /// Grows by equal steps from the first iteration to the last (section 4.3 of the paper).
    Linear {
        /// The first bandwidth; `None` = the smallest non-zero distance between two points (of at
        /// most 1,000 drawn).
        from: Option<f64>,
        /// The last bandwidth; `None` = the largest distance between two points (of the same).
        to: Option<f64>,
    },
    /// The same in all iterations.
    Fixed(f64),
    /// One for each iteration; the list also says how many iterations there are.
    PerIteration(Vec<f64>),
}

impl Schedule {
    /// The bandwidths of all iterations in order.
    ///
    /// `distances` gives the smallest non-zero and the largest distance between two points; it is
    /// asked only if the schedule leaves an end to the data. An end from the data gives way to one
    /// that was set: the bandwidth never shrinks.
    ///
    /// ```
    /// use linkshift::cms::Schedule;
    ///
    /// let adaptive = Schedule::Linear { from: None, to: None };
    /// assert_eq!(adaptive.bandwidths(3, || (0.5, 2.5)), [0.5, 1.5, 2.5]);
    /// ```
    pub fn bandwidths(&self, max_iter: usize, distances: impl FnOnce() -> (f64, f64)) -> Vec<f64> {
        let (first, last) = match self {
            Schedule::PerIteration(list) => return list.clone(),
            Schedule::Fixed(h) => (*h, *h),
            Schedule::Linear { from: Some(from), to: Some(to) } => (*from, *to),
            Schedule::Linear { from, to } => {
                let (smallest, largest) = distances();
                let first = from.unwrap_or(smallest.min(to.unwrap_or(smallest)));
                (first, to.unwrap_or(largest.max(first)))
            }
        };
        let n_steps = max_iter.saturating_sub(1).max(1) as f64;
        (0..max_iter).map(|step| first + (last - first) * (step as f64 / n_steps)).collect()
    }

    /// The first and the last bandwidth of one that grows.
    pub(super) fn ends(&mut self) -> Option<(&mut Option<f64>, &mut Option<f64>)> {
        match self {
            Schedule::Linear { from, to } => Some((from, to)),
            _ => None,
        }
    }
}

/// `adaptive` grows, a number stays, a list is one for each iteration.
impl Setting for Schedule {
    fn get(&self) -> Value {
        match self {
            Schedule::Linear { .. } => ADAPTIVE.into(),
            Schedule::Fixed(h) => Value::Number(*h),
            Schedule::PerIteration(list) => Value::List(list.clone()),
        }
    }

    fn set(&mut self, value: &Value) -> bool {
        *self = match (value, value.as_number()) {
            (_, Some(h)) => Schedule::Fixed(h),
            (Value::List(list), _) => Schedule::PerIteration(list.clone()),
            (Value::Word(word), _) if word == ADAPTIVE => match self {
                Schedule::Linear { .. } => return true,
                _ => Schedule::Linear { from: None, to: None },
            },
            _ => return false,
        };
        true
    }

    fn words(&self) -> Vec<&'static str> {
        vec![ADAPTIVE]
    }

    fn form(&self) -> Form {
        Form::NumberOrLike("one for each iteration between commas")
    }

    fn numbers(&self) -> Vec<f64> {
        match self {
            Schedule::Linear { .. } => Vec::new(),
            Schedule::Fixed(h) => vec![*h],
            Schedule::PerIteration(list) => list.clone(),
        }
    }
}
