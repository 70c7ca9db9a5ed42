//! How a dialogue ends: the default method's fit with the answers, beside the asker's own labels.

use super::answers::{Answer, Told};
use super::asker::Asker;
use super::reply::Reply;
use crate::auto::{Auto, AutoDetails, AutoParams};
use crate::error::Result;
use crate::model::Model;
use crate::observe::Observer;
use crate::params::Named;
use crate::real::Real;

/// Every so many answers one is held back to judge by.
const EVERY: usize = 3;

/// With fewer pairs held back there is nothing to judge by.
const LEAST_HELD_BACK: usize = 6;

/// Whose labels were kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kept {
    /// The default method's.
    Fit,
    /// The asker's own.
    Own,
}

impl Named for Kept {
    const ALL: &'static [Self] = &[Kept::Fit, Kept::Own];

    fn name(self) -> &'static str {
        match self {
            Kept::Fit => "fit",
            Kept::Own => "own",
        }
    }
}

/// The end of a dialogue.
#[derive(Debug, Clone)]
pub struct Finish<T: Real> {
    /// The labels that were kept.
    pub labels: Vec<i64>,
    /// Whose they are.
    pub kept: Kept,
    /// The share of answers held back that a fit without them agreed with, as many of "same" as of
    /// "different"; `None` where too few could be held back.
    pub fit: Option<f64>,
    /// The same for the asker's own labels.
    pub own: Option<f64>,
    /// The default method's fit with all answers but the suspects.
    pub model: Model<T, AutoDetails>,
}

impl<T: Real> Asker<'_, T> {
    /// The default method's fit with the answers, and the better of its labels and the asker's
    /// [own](Self::labels).
    ///
    /// Nobody knows the true labels. So every third answer is held back, and both cluster by the
    /// others. The asker's own labels, which a person has seen, are kept unless the fit agrees with
    /// clearly more of what was held back: by more than chance where the two differ.
    pub fn finish(&self, observer: &mut Observer<'_>) -> Result<Finish<T>> {
        T::finish(self, observer)
    }

    pub(crate) fn finish_any(&self, observer: &mut Observer<'_>) -> Result<Finish<T>> {
        let auto = Auto::new(AutoParams { seed: self.seed(), ..AutoParams::default() })?;
        let model = auto.fit_observed(self.points(), &self.links(), observer)?;
        let replies = self.answers().replies();
        let is_back = |at: usize| at % EVERY == EVERY - 1;
        let held_back: Vec<Told> = (replies.iter().enumerate())
            .filter(|&(at, _)| is_back(at))
            .flat_map(|(_, reply)| reply.told())
            .filter(|told| told.answer != Answer::Unsure)
            .copied()
            .collect();
        let (mut fit, mut own, mut kept) = (None, None, Kept::Own);
        if held_back.len() >= LEAST_HELD_BACK {
            let others = replies.iter().enumerate().filter(|&(at, _)| !is_back(at));
            let others: Vec<Reply> = others.map(|(_, reply)| reply.clone()).collect();
            let less = self.clone().resume(others)?;
            let by_others = auto.fit_observed(self.points(), &less.links(), observer)?;
            fit = agreed(by_others.labels(), &held_back);
            let own_labels = less.labels();
            own = agreed(&own_labels, &held_back);
            if fit > own && is_clearly_better(by_others.labels(), &own_labels, &held_back) {
                kept = Kept::Fit;
            }
        }
        let labels = match kept {
            Kept::Fit => model.labels().to_vec(),
            Kept::Own => self.labels(),
        };
        Ok(Finish { labels, kept, fit, own, model })
    }
}

/// Whether labels agree with more answers than others do by two standard deviations of the answers that
/// only one of them agrees with (McNemar's test).
fn is_clearly_better(labels: &[i64], others: &[i64], told: &[Told]) -> bool {
    let only = |these: &[i64], those: &[i64]| {
        told.iter().filter(|told| is_kept(these, told) && !is_kept(those, told)).count() as f64
    };
    let (gained, lost) = (only(labels, others), only(others, labels));
    gained - lost > 2.0 * (gained + lost).sqrt()
}

fn is_kept(labels: &[i64], told: &Told) -> bool {
    (labels[told.a] == labels[told.b]) == (told.answer == Answer::Same)
}

/// The share of answers that labels agree with: the mean of that of "same" and that of "different",
/// of those there are.
fn agreed(labels: &[i64], told: &[Told]) -> Option<f64> {
    let share = |answer: Answer| {
        let of_kind = told.iter().filter(|told| told.answer == answer);
        let n = of_kind.clone().count();
        (n > 0).then(|| of_kind.filter(|told| is_kept(labels, told)).count() as f64 / n as f64)
    };
    let shares: Vec<f64> =
        [Answer::Same, Answer::Different].into_iter().filter_map(share).collect();
    (!shares.is_empty()).then(|| shares.iter().sum::<f64>() / shares.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::{Chooser, Kind, KnownLabels, run_kinds};
    use crate::{datasets, observe};

    #[test]
    fn agreement_counts_both_answers_alike() {
        let told = |a, b, answer| Told::new(a, b, answer);
        let said = [
            told(0, 1, Answer::Same),
            told(0, 2, Answer::Different),
            told(1, 2, Answer::Different),
            told(2, 3, Answer::Different),
        ];
        // Derived: the one "same" holds, of three "different" two do: (1 + 2/3) / 2.
        let share = agreed(&[0, 0, 1, 1], &said).unwrap();
        assert!((share - 5.0 / 6.0).abs() < 1e-12, "{share}");
        assert_eq!(agreed(&[0, 0, 1, 1], &[]), None);
    }

    #[test]
    fn a_handful_of_answers_does_not_make_labels_clearly_better() {
        // Every pair is in one cluster by the first labels and in two by the others.
        let (together, apart) = (vec![0; 12], (0..12).collect::<Vec<i64>>());
        let said = |n: usize, answer| (0..n).map(move |at| Told::new(at, at + 1, answer));
        // Derived: 4 gained is not more than 2√4; 5 gained is more than 2√5 = 4.47.
        let four: Vec<Told> = said(4, Answer::Same).collect();
        let five: Vec<Told> = said(5, Answer::Same).collect();
        assert!(!is_clearly_better(&together, &apart, &four));
        assert!(is_clearly_better(&together, &apart, &five));
        // Of 11 one against: 10 − 1 is more than 2√11 = 6.6; of 10 three against: 7 − 3 is not.
        let mut mixed: Vec<Told> = said(10, Answer::Same).collect();
        mixed.extend(said(1, Answer::Different));
        assert!(is_clearly_better(&together, &apart, &mixed));
        let mut even: Vec<Told> = said(7, Answer::Same).collect();
        even.extend(said(3, Answer::Different));
        assert!(!is_clearly_better(&together, &apart, &even));
    }

    #[test]
    fn a_dialogue_ends_with_labels_that_keep_what_is_certain() {
        let moons = datasets::moons(200, 0.08, 3).unwrap();
        let mut asker = Asker::new(moons.points, Chooser::Border, 0).unwrap();
        let end = asker.finish(&mut observe::ignore).unwrap();
        // Nothing was said: nothing to judge by.
        assert_eq!((end.kept, end.fit, end.own), (Kept::Own, None, None));
        let mut oracle = KnownLabels::new(moons.labels.clone());
        run_kinds(&mut asker, &mut oracle, &Kind::ASKED, 24, |_| Ok(())).unwrap();
        let end = asker.finish(&mut observe::ignore).unwrap();
        assert!(end.fit.is_some() && end.own.is_some());
        assert!(end.kept == Kept::Own || end.fit > end.own);
        assert_eq!(asker.answers().links().report(&end.labels).share_kept(), 1.0);
        let again = asker.finish(&mut observe::ignore).unwrap();
        assert_eq!(again.labels, end.labels);
    }
}
