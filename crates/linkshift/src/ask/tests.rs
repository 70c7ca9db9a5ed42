use super::choose::entropy_per_question;
use super::neighborhoods::Neighborhoods;
use super::*;
use crate::error::{Error, LinkError};
use crate::links::Link;
use crate::points::Points;
use crate::{LinkKind, datasets, scores};
use proptest::prelude::*;

fn line(values: &[f64]) -> Points<'static, f64> {
    Points::new(values.to_vec(), 1).unwrap()
}

fn every_chooser() -> Vec<Chooser> {
    let with_k = [Chooser::ExploreConsolidate { k: Some(3) }, Chooser::MinMax { k: Some(3) }];
    Chooser::ALL.into_iter().chain(with_k).collect()
}

/// Answers with the truth, but unsure about every `unsure`-th question.
fn dialogue(asker: &mut Asker<'_, f64>, labels: &[i64], budget: usize, unsure: usize) {
    let mut n_asked = 0;
    let mut oracle = |a: usize, b: usize| {
        n_asked += 1;
        match labels[a] == labels[b] {
            _ if n_asked % unsure == 0 => Answer::Unsure,
            true => Answer::Same,
            false => Answer::Different,
        }
    };
    run(asker, &mut oracle, budget, |_| Ok(())).unwrap();
}

#[test]
fn explore_goes_to_the_farthest_and_consolidate_asks_the_nearest_first() {
    // Three groups on a line: 0–2 near 0, 3–5 near 10, 6–8 near 30.
    let points = line(&[0.0, 0.1, 0.2, 10.0, 10.1, 10.2, 30.0, 30.1, 30.2]);
    let labels = [0, 0, 0, 1, 1, 1, 2, 2, 2];
    let chooser = Chooser::ExploreConsolidate { k: Some(3) };
    for seed in 0..20 {
        let mut asker = Asker::new(points.clone(), chooser, seed).unwrap();
        // Derived: whoever begins, the farthest row and then the row farthest from both lie in the
        // two other groups; three groups take 1 + 2 questions.
        dialogue(&mut asker, &labels, 3, usize::MAX);
        let told = asker.answers().told();
        assert!(told.iter().all(|told| told.answer == Answer::Different), "{told:?}");
        assert_eq!(Neighborhoods::of(asker.answers()).len(), 3);
        // Derived: the nearest group is the right one here, so each of the other 6 rows takes one.
        dialogue(&mut asker, &labels, 100, usize::MAX);
        assert_eq!(asker.answers().told().len(), 9);
        assert_eq!(asker.answers().closure().n_groups(), 3);
        assert_eq!(asker.next(1), []);
    }
}

#[test]
fn a_number_of_groups_saves_the_last_question() {
    let points = line(&[0.0, 1.0, 2.0]);
    let mut asker = Asker::new(points, Chooser::MinMax { k: Some(2) }, 0).unwrap();
    asker.tell(0, 2, Answer::Different).unwrap();
    assert_eq!(asker.next(9).len(), 1);
    asker.tell(1, 0, Answer::Different).unwrap();
    // Derived: row 1 is apart from one of two groups, hence in the other.
    assert_eq!(asker.next(1), []);
    assert_eq!(asker.links().as_slice()[2], Link::must(1, 2));
    assert_eq!(asker.links().close(3).unwrap().relation(1, 2), Some(LinkKind::Must));
}

#[test]
fn min_max_takes_the_point_whose_nearest_known_one_is_farthest() {
    let points = line(&[0.0, 1.0, 4.0, 10.0]);
    let mut asker = Asker::new(points, Chooser::MinMax { k: None }, 0).unwrap();
    asker.tell(0, 3, Answer::Different).unwrap();
    // Derived: row 1 is 1 from row 0; row 2 is 4 from row 0 and 6 from row 3, so row 0 comes first.
    assert_eq!(
        asker.next(1),
        [Pair { a: 2, b: 0, guess: Answer::Different, chance: 0.0, again: false }]
    );
}

#[test]
fn npu_divides_entropy_by_the_questions_it_takes() {
    // Derived: two chances of 1/2: entropy ln 2, and 1·½ + 2·½ questions.
    assert!((entropy_per_question(&[0.5, 0.5]) - 2.0_f64.ln() / 1.5).abs() < 1e-12);
    // Derived: nothing known of two: ½ here, ½ new: entropy ln 2, and one question either way.
    assert!((entropy_per_question(&[0.0]) - 2.0_f64.ln()).abs() < 1e-12);
    assert_eq!(entropy_per_question(&[1.0, 0.0]), 0.0);
}

#[test]
fn a_walk_ends_at_the_known_rows_it_meets() {
    // Three rows, the middle one as near to the left as to the right; both ends are known.
    let asker = {
        let mut asker = Asker::new(line(&[0.0, 1.0, 2.0]), Chooser::Border, 0).unwrap();
        asker.tell(0, 2, Answer::Different).unwrap();
        asker
    };
    let walk = super::walk::Walk::new(asker.points());
    let known = Neighborhoods::of(asker.answers());
    // Derived: α = 0.95 of the walks from the middle end, half of them at each end.
    assert_eq!(walk.chances(&known), [1.0, 0.0, 0.475, 0.475, 0.0, 1.0]);
    // Derived: doubt 1 − 0 in the middle, whose neighbours are known: nothing else arrives.
    assert_eq!(walk.stakes(asker.points(), &walk.chances(&known), &known), [0.0, 1.0, 0.0]);
}

#[test]
fn the_border_chooser_finds_groups_that_no_one_named() {
    // Five Gaussians of width 0.4 in a square of side 100: no two of them touch.
    let blobs = datasets::blobs(400, 2, 5, 0.4, 50.0, 3).unwrap();
    let mut asker = Asker::new(blobs.points.clone(), Chooser::Border, 0).unwrap();
    // Derived: the points of a crowd that no walk has reached are all doubt, so each of the first
    // five rows lies in another one; they take 1 + 2 + 3 + 4 questions at the most.
    dialogue(&mut asker, &blobs.labels, 10, usize::MAX);
    assert_eq!(scores::adjusted_rand_index(&blobs.labels, &asker.labels()).unwrap(), 1.0);
    let mut random = Asker::new(blobs.points, Chooser::Random, 0).unwrap();
    dialogue(&mut random, &blobs.labels, 10, usize::MAX);
    assert!(scores::adjusted_rand_index(&blobs.labels, &random.labels()).unwrap() < 1.0);
}

#[test]
fn further_answers_change_little_once_labels_stay_as_they_are() {
    let blobs = datasets::blobs(200, 2, 2, 0.2, 5.0, 3).unwrap();
    let mut asker = Asker::new(blobs.points, Chooser::Border, 0).unwrap();
    assert_eq!(asker.outlook(), Outlook { agreement: None, settled: false, share: None });
    dialogue(&mut asker, &blobs.labels, 60, usize::MAX);
    let outlook = asker.outlook();
    assert_eq!((outlook.agreement, outlook.settled), (Some(1.0), true));
    // Derived: all pairs are right, and walks between two crowds that do not touch are rare.
    assert!(outlook.share.is_some_and(|share| share > 0.9), "{outlook:?}");
}

#[test]
fn an_answer_against_earlier_ones_is_refused_with_their_chain() {
    let mut asker = Asker::new(line(&[0.0, 1.0, 2.0]), Chooser::Random, 0).unwrap();
    asker.tell(0, 1, Answer::Same).unwrap();
    asker.tell(1, 2, Answer::Same).unwrap();
    let error = asker.tell(0, 2, Answer::Different).unwrap_err();
    assert!(
        matches!(error, Error::Links(LinkError::Contradiction { ref chain, .. }) if chain.len() == 2)
    );
    assert_eq!(asker.answers().told().len(), 2, "it was not taken");
    // Undone in the middle, the same answer is possible.
    assert!(asker.undo(1, 0).is_some());
    asker.tell(0, 2, Answer::Different).unwrap();
    assert_eq!(asker.undo(0, 1), None);
}

#[test]
fn rows_that_cannot_be_asked_about_are_refused() {
    let mut asker = Asker::new(line(&[0.0, 1.0]), Chooser::Random, 0).unwrap();
    for answer in [Answer::Same, Answer::Different, Answer::Unsure] {
        assert!(asker.tell(0, 2, answer).is_err());
        assert!(asker.tell(1, 1, answer).is_err());
    }
    assert!(Chooser::parse("borders", None).is_err());
    assert!(Chooser::parse("border", Some(2)).is_err());
    let too_many = Chooser::parse("min-max", Some(3)).unwrap();
    assert!(Asker::new(line(&[0.0, 1.0]), too_many, 0).is_err());
    assert!(KnownLabels::new(vec![]).with_errors(1.5, 0).is_err());
}

#[test]
fn known_labels_err_at_their_rate() {
    let labels: Vec<i64> = (0..200).map(|row| row % 2).collect();
    let mut oracle = KnownLabels::new(labels).with_errors(0.2, 5).unwrap();
    let pairs = || (0..200).flat_map(|a| (0..a).map(move |b| (a, b)));
    let wrong =
        |(a, b): &(usize, usize)| (oracle.answer(*a, *b) == Answer::Same) != (a % 2 == b % 2);
    let n_wrong = pairs().filter(wrong).count();
    // Derived: 19,900 pairs, 3,980 ± 56 wrong; 300 is five standard deviations.
    assert!(n_wrong.abs_diff(3_980) < 300, "{n_wrong}");
    assert_eq!(oracle.answer(3, 8), oracle.answer(8, 3));
    assert_eq!(KnownLabels::new(vec![0, -1]).answer(0, 1), Answer::Unsure);
}

#[test]
fn odd_points_are_no_trouble() {
    for points in [line(&[1.0]), line(&[2.0; 30]), line(&[0.0, 1e9])] {
        let n = points.n_points();
        for chooser in every_chooser().into_iter().filter(|chooser| chooser.check(n).is_ok()) {
            let mut asker = Asker::new(points.clone(), chooser, 1).unwrap();
            dialogue(&mut asker, &vec![0; n], 100, usize::MAX);
            assert_eq!(asker.next(1), [], "{chooser:?}");
            assert!(asker.outlook().settled);
            assert_eq!(asker.labels(), vec![0; n]);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn every_dialogue_obeys_its_laws(
        values in prop::collection::vec((0_i32..40, 0_i64..4), 2..30),
        seed: u64,
        unsure in 3_usize..9,
    ) {
        let labels: Vec<i64> = values.iter().map(|&(_, label)| label).collect();
        let places: Vec<f64> =
            values.iter().map(|&(place, label)| f64::from(place) + 30.0 * label as f64).collect();
        let points = line(&places);
        for chooser in every_chooser() {
            if chooser.check(points.n_points()).is_err() { continue }
            let mut asker = Asker::new(points.clone(), chooser, seed).unwrap();
            for n_told in 0..60 {
                let Some(question) = asker.next(1).pop() else { break };
                let Pair { a, b, .. } = question;
                let is_new = |a: usize, b: usize| match chooser {
                    Chooser::Border => !asker.answers().told().iter().any(|t| t.is_about(a, b)),
                    _ => asker.answers().known(a, b).is_none(),
                };
                prop_assert!(is_new(a, b), "asked what is known");
                let batch = asker.next(4);
                prop_assert_eq!(batch[0], question);
                // A pair told unsure is not asked again, nor one in a batch twice.
                for (at, one) in batch.iter().enumerate() {
                    prop_assert!(is_new(one.a, one.b));
                    prop_assert!(batch[..at].iter().all(|q| (q.a, q.b) != (one.a, one.b)));
                }
                let answer = match labels[a] == labels[b] {
                    _ if n_told % unsure == 0 => Answer::Unsure,
                    true => Answer::Same,
                    false => Answer::Different,
                };
                // Undone, the same question comes again; resumed, the same next one.
                asker.tell(a, b, answer).unwrap();
                prop_assert_eq!(asker.undo_last().map(|reply| reply.told()[0].answer), Some(answer));
                prop_assert_eq!(asker.next(1).pop(), Some(question));
                asker.tell(a, b, answer).unwrap();
                let resumed = Asker::new(points.clone(), chooser, seed).unwrap();
                let resumed = resumed.resume(asker.answers().told().to_vec()).unwrap();
                prop_assert_eq!(resumed.next(1), asker.next(1));
            }
            prop_assert_eq!(asker.answers().links().report(&labels).broken, []);
            if chooser == Chooser::Border { continue } // answers are evidence, not decrees
            // Rows that have their place, and rows told apart from such, are where they belong.
            let (placed, spread) = (Neighborhoods::of(asker.answers()), asker.labels());
            let is_placed = |row: usize| placed.of_row[row].is_some();
            let broken = asker.answers().links().report(&spread).broken;
            prop_assert!(!broken.iter().any(|link| is_placed(link.a) || is_placed(link.b)));
        }
    }
}

#[test]
fn labels_and_questions_do_not_depend_on_threads_nor_on_the_number_type() {
    let blobs = datasets::blobs(1_000, 3, 4, 1.0, 5.0, 3).unwrap();
    let told = |n_threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
        pool.install(|| {
            let mut asker = Asker::new(blobs.points.clone(), Chooser::Border, 0).unwrap();
            dialogue(&mut asker, &blobs.labels, 15, usize::MAX);
            (asker.answers().told().to_vec(), asker.labels())
        })
    };
    let alone = told(1);
    assert_eq!(told(2), alone);
    assert_eq!(told(7), alone);
    let single = Asker::new(blobs.cast::<f32>().unwrap(), Chooser::Border, 0).unwrap();
    let single = single.resume(alone.0).unwrap();
    // Another path: f32. Rounding may tip a point whose chances are equal, not one in a hundred.
    assert!(scores::adjusted_rand_index(&alone.1, &single.labels()).unwrap() > 0.99);
}
