//! What was said, undone and done again.

use crate::data::Data;
use crate::entry::{Entry, Said};
use crate::session::{Change, Session};
use linkshift::Points;
use linkshift::ask::{Answer, Told};
use std::sync::Arc;

pub(super) fn data(n: usize) -> Arc<Data> {
    let points = Points::new((0..n).map(|x| x as f64).collect::<Vec<_>>(), 1).unwrap();
    Arc::new(Data::of_points("line", points))
}

pub(super) fn pair(session: &Session, a: usize, b: usize, answer: Answer, certain: bool) -> Change {
    let said = Said::Pair { a, b, answer };
    let reply = said.reply().unwrap();
    let reply = if certain { reply.certain() } else { reply };
    let id = session.next_id();
    session.say(Entry { id, said, reply, comment: String::new(), look_again: false })
}

pub(super) fn take(session: &mut Session, change: &Change) {
    let after = session.after(change).unwrap();
    session.commit(after);
}

fn told(session: &Session) -> Vec<(usize, usize, Answer)> {
    let replies = session.now().replies();
    let told: Vec<Told> = replies.iter().flat_map(|reply| reply.told().to_vec()).collect();
    told.iter().map(|told| (told.a, told.b, told.answer)).collect()
}

#[test]
fn ten_steps_back_and_ten_again() {
    let mut session = Session::new(data(30));
    let mut states = vec![session.now().clone()];
    for step in 0..10 {
        let change = match step % 3 {
            2 => Change::Rename { cluster: 0, name: format!("name {step}") },
            _ => pair(&session, step, step + 10, Answer::Same, false),
        };
        take(&mut session, &change);
        states.push(session.now().clone());
    }
    for state in states[..10].iter().rev() {
        take(&mut session, &Change::Undo);
        assert_eq!(session.now(), state);
    }
    assert!(session.after(&Change::Undo).is_err() && session.undo_text().is_none());
    for state in &states[1..] {
        take(&mut session, &Change::Redo);
        assert_eq!(session.now(), state);
    }
    assert!(session.after(&Change::Redo).is_err());
    // Something new ends what could be done again.
    take(&mut session, &Change::Undo);
    let change = pair(&session, 1, 2, Answer::Different, false);
    take(&mut session, &change);
    assert!(session.redo_text().is_none());
    assert_eq!(session.undo_text(), Some("1 and 2: different"));
}

#[test]
fn a_new_answer_takes_the_place_of_the_old_one() {
    let mut session = Session::new(data(5));
    for (a, b, answer) in
        [(0, 1, Answer::Same), (2, 3, Answer::Different), (1, 0, Answer::Different)]
    {
        let change = pair(&session, a, b, answer, false);
        take(&mut session, &change);
    }
    assert_eq!(told(&session), [(2, 3, Answer::Different), (1, 0, Answer::Different)]);
    take(&mut session, &Change::Undo);
    assert_eq!(told(&session), [(0, 1, Answer::Same), (2, 3, Answer::Different)]);
}

#[test]
fn only_certain_answers_may_not_contradict_each_other() {
    let mut session = Session::new(data(5));
    for (a, b, answer, certain) in
        [(0, 1, Answer::Same, true), (1, 2, Answer::Same, true), (0, 2, Answer::Different, false)]
    {
        let change = pair(&session, a, b, answer, certain);
        take(&mut session, &change);
    }
    let change = pair(&session, 2, 0, Answer::Different, true);
    let text = session.after(&change).unwrap_err().to_string();
    assert!(
        text.contains("cannot 2–0") && text.contains("must 0–1") && text.contains("must 1–2"),
        "{text}"
    );
    // Derived: where some are certain, the others are a little less sure.
    let links = session.links();
    let confidences: Vec<f64> = links.iter().map(|link| link.confidence).collect();
    assert_eq!(confidences, [1.0, 1.0, 0.99]);
}

#[test]
fn nobody_is_certain_who_did_not_say_so() {
    let mut session = Session::new(data(5));
    assert!(!session.all_certain());
    let change = pair(&session, 0, 1, Answer::Same, false);
    take(&mut session, &change);
    // Its link says 1, like all links of which nobody spoke; it may still be wrong.
    assert!(session.links().iter().all(|link| link.confidence == 1.0) && !session.all_certain());
    take(&mut session, &Change::Undo);
    let change = pair(&session, 0, 1, Answer::Same, true);
    take(&mut session, &change);
    assert!(session.all_certain());
}

#[test]
fn edits_and_deletions_can_be_undone() {
    let mut session = Session::new(data(5));
    let change = pair(&session, 0, 1, Answer::Same, false);
    take(&mut session, &change);
    let change = pair(&session, 2, 3, Answer::Same, false);
    take(&mut session, &change);
    let mut entry = Entry::clone(session.entry(1).unwrap());
    entry.comment = "not sure".into();
    entry.look_again = true;
    take(&mut session, &Change::Edit { gone: vec![1], entry: Some(entry) });
    assert_eq!(session.entry(1).unwrap().comment, "not sure");
    assert_eq!(told(&session)[0], (0, 1, Answer::Same));
    take(&mut session, &Change::Edit { gone: vec![1], entry: None });
    assert_eq!(told(&session), [(2, 3, Answer::Same)]);
    assert!(session.after(&Change::Edit { gone: vec![1], entry: None }).is_err());
    take(&mut session, &Change::Undo);
    take(&mut session, &Change::Undo);
    assert_eq!(session.entry(1).unwrap().comment, "");
}

#[test]
fn changes_survive_as_lines() {
    let session = Session::new(data(9));
    let mut all =
        vec![Change::Undo, Change::Redo, Change::Rename { cluster: 3, name: "a\n\"b".into() }];
    all.push(pair(&session, 0, 1, Answer::Unsure, false));
    all.push(pair(&session, 0, 1, Answer::Same, true));
    for said in [
        "{\"kind\":\"place\",\"row\":1,\"groups\":[[2,3],[4]],\"chosen\":null}",
        "{\"kind\":\"place\",\"row\":1,\"groups\":[[2,3],[4]],\"chosen\":1}",
        "{\"kind\":\"group\",\"rows\":[1,2,3],\"odd\":[2]}",
        "{\"kind\":\"group\",\"rows\":[1,2,3],\"unsure\":true}",
    ] {
        let said = Said::from_json(&serde_json::from_str(said).unwrap()).unwrap();
        let reply = said.reply().unwrap();
        all.push(Change::Add(Entry { id: 7, said, reply, comment: "c".into(), look_again: true }));
    }
    for change in all {
        assert_eq!(Change::from_json(&change.to_json()).unwrap(), Some(change));
    }
}
