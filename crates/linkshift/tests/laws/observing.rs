//! What an observer sees of a run, and how it ends one.

use crate::cases::{self, Case, Law, check, same};
use crate::scenes;
use linkshift::observe::Step;
use linkshift::stop::Stop;
use linkshift::{Error, Links};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// All steps that a case shows, and the iterations of its model.
fn steps(case: &Case) -> (Vec<Step>, usize) {
    let scene = scenes::bent();
    let mut seen = Vec::new();
    let watch = &mut |step: &Step| {
        seen.push(*step);
        ControlFlow::Continue(())
    };
    let model = case.method().fit(&scene.points, &scene.links, watch).unwrap();
    (seen, model.n_iter())
}

#[test]
fn an_observer_sees_every_iteration_that_the_model_counts() {
    check(Law::Steps, &cases::all(), |case| {
        let (mut seen, n_iter) = steps(case);
        // Before the first iteration there may be long work, and with it the chance to cancel.
        seen.retain(|step| step.n_iter > 0);
        let numbers: Vec<usize> = seen.iter().map(|step| step.n_iter).collect();
        same("the steps and the iterations of the model", &(1..=n_iter).collect(), &numbers)?;
        let is_within = |step: &Step| step.n_iter <= step.max_iter;
        same("the limit and the number of steps", &true, &seen.iter().all(is_within))
    });
}

#[test]
fn a_run_can_be_cancelled_at_any_step_and_leaves_nothing() {
    let scene = scenes::bent();
    check(Law::Cancelled, &cases::all(), |case| {
        let method = case.method();
        let whole = case.fit(&scene.points, &scene.links);
        let (seen, _) = steps(case);
        same("runs that show nothing and others", &true, &!seen.is_empty())?;
        // The first, the last, and some between.
        let last = seen.len() - 1;
        for at in [0, last / 3, last / 2, last] {
            let mut n_shown = 0;
            let stop = &mut |_: &Step| {
                n_shown += 1;
                if n_shown > at { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let outcome = method.fit(&scene.points, &scene.links, stop);
            let expected = Some(Error::Cancelled { n_iter: seen[at].n_iter });
            same("errors of a cancelled run", &expected, &outcome.err())?;
        }
        let again = method.fit(&scene.points, &scene.links, &mut linkshift::observe::ignore);
        same("models before and after a cancelled run", &whole, &again.unwrap())
    });
}

/// A stop that says no so many times, and how often it was asked.
fn after(n_looks: usize) -> (Stop, Arc<AtomicUsize>) {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    (Stop::when(move || count.fetch_add(1, Relaxed) >= n_looks), asked)
}

#[test]
fn a_run_can_be_stopped_at_any_look_within_a_step_and_leaves_nothing() {
    let scene = scenes::bent();
    for case in cases::all() {
        let method = case.method();
        let fit = || method.fit(&scene.points, &scene.links, &mut linkshift::observe::ignore);
        let whole = fit().unwrap();
        // Not stopped, it finds the same; the looks of all threads are counted.
        let (never, asked) = after(usize::MAX);
        assert_eq!(never.during(fit).as_ref(), Ok(&whole), "{}", case.name);
        let n_looks = asked.load(Relaxed);
        assert!(n_looks > 10, "{} hardly ever looks", case.name);
        // The first, the last (after all is done), and some between.
        for at in [0, 1, n_looks / 7, n_looks / 3, n_looks / 2, n_looks - 2, n_looks - 1] {
            let outcome = after(at).0.during(fit);
            let is_cancelled = matches!(outcome, Err(Error::Cancelled { .. }));
            assert!(is_cancelled, "{}, look {at} of {n_looks}", case.name);
        }
        assert_eq!(fit().as_ref(), Ok(&whole), "{}", case.name);
    }
}

#[test]
fn a_prediction_can_be_stopped_too() {
    let scene = scenes::bent();
    for case in cases::all() {
        let model = case.fit(&scene.points, &scene.links);
        let predict = || model.predict(&scene.points);
        let (never, asked) = after(usize::MAX);
        let whole = never.during(predict).unwrap();
        for at in [0, asked.load(Relaxed) / 2, asked.load(Relaxed) - 1] {
            let outcome = after(at).0.during(predict);
            assert!(matches!(outcome, Err(Error::Cancelled { .. })), "{}", case.name);
        }
        assert_eq!(predict().unwrap(), whole, "{}", case.name);
    }
}

#[test]
fn links_are_checked_before_anything_is_shown() {
    let scene = scenes::bent();
    for case in cases::plain() {
        let links = Links::from_pairs(&[(0, 500)], &[]);
        let fail = &mut |_: &Step| panic!("{} shows a step", case.name);
        let outcome = case.method().fit(&scene.points, &links, fail);
        assert!(matches!(outcome, Err(Error::Links(_))), "{}", case.name);
    }
}
