//! Answers files: what is told is there again, whatever happened in between.

use linkshift::ask::{Answer, Choice, Reply};
use linkshift_io::{AnswersFile, IoError, Problem};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

fn place() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("answers.csv");
    (folder, path)
}

fn told(a: usize, b: usize, answer: Answer) -> Reply {
    Reply::pair(a, b, answer)
}

fn reopen(path: &Path) -> Result<(AnswersFile, Vec<Reply>), IoError> {
    AnswersFile::open(path, 9, None)
}

#[test]
fn answers_come_back_in_their_order() {
    let (_folder, path) = place();
    let all = [told(3, 8, Answer::Same), told(0, 3, Answer::Unsure), told(1, 2, Answer::Different)];
    let (mut file, _) = reopen(&path).unwrap();
    all.iter().for_each(|told| file.append(told).unwrap());
    assert_eq!(fs::read_to_string(&path).unwrap(), "a,b,kind\n3,8,must\n0,3,unsure\n1,2,cannot\n");
    assert_eq!(reopen(&path).unwrap().1, all);

    // Undone in the middle, and then one more.
    file.rewrite(&[all[0].clone(), all[2].clone()]).unwrap();
    file.append(&told(4, 5, Answer::Same)).unwrap();
    let [first, _, third] = all;
    assert_eq!(reopen(&path).unwrap().1, [first, third, told(4, 5, Answer::Same)]);
}

#[test]
fn ids_may_hold_anything() {
    let (_folder, path) = place();
    let ids = ["a,b", "say \"no\"", " x "].map(String::from);
    let (mut file, _) = AnswersFile::open(&path, 3, Some(&ids)).unwrap();
    file.append(&told(0, 1, Answer::Same)).unwrap();
    assert_eq!(AnswersFile::open(&path, 3, Some(&ids)).unwrap().1, [told(0, 1, Answer::Same)]);
}

#[test]
fn an_unfinished_last_line_is_dropped_and_said() {
    let (_folder, path) = place();
    fs::write(&path, "a,b,kind\n3,8,must\n1,2,can").unwrap();
    let (mut file, answers) = reopen(&path).unwrap();
    assert_eq!((answers, file.dropped()), (vec![told(3, 8, Answer::Same)], Some("1,2,can")));
    file.append(&told(1, 2, Answer::Different)).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "a,b,kind\n3,8,must\n1,2,cannot\n");

    fs::write(&path, "a,b,kind\n3,8,must").unwrap();
    let (mut file, _) = reopen(&path).unwrap();
    assert_eq!(file.dropped(), None, "the line is whole");
    file.append(&told(1, 2, Answer::Different)).unwrap();
    assert_eq!(reopen(&path).unwrap().1.len(), 2);
}

#[test]
fn a_quote_that_nothing_closes_is_an_error_before_an_answer_is_added() {
    let (_folder, path) = place();
    let torn = "a,b,kind\n# a \"comment\n3,8,must\n\"1,2,cannot\n";
    fs::write(&path, torn).unwrap();
    assert_eq!(reopen(&path).unwrap_err().problem, Problem::OpenQuote { line: 4 });
    assert_eq!(fs::read_to_string(&path).unwrap(), torn, "left alone");
    fs::write(&path, "a,b,kind\n# a \"comment\n\"3\",8,must\n").unwrap();
    assert_eq!(reopen(&path).unwrap().1.len(), 1);
}

#[test]
fn other_files_are_left_alone() {
    let (folder, path) = place();
    fs::write(&path, "x,y\n1,2").unwrap();
    assert_eq!(reopen(&path).unwrap_err().problem, Problem::NotAnswers);
    assert_eq!(fs::read_to_string(&path).unwrap(), "x,y\n1,2");
    let error = reopen(&folder.path().join("answers.csv.gz")).unwrap_err();
    assert!(matches!(error.problem, Problem::AnswersName), "{error}");
    fs::write(&path, "a,b,kind\n3,80,must\n").unwrap();
    let error = reopen(&path).unwrap_err();
    assert_eq!(error.problem, Problem::OutOfRange { row: 80, n_points: 9 });
}

/// One answer of each kind.
fn each_kind() -> Vec<Reply> {
    let made = "rows that differ make an answer";
    vec![
        told(3, 8, Answer::Same),
        Reply::place(4, &[vec![8, 3], vec![2]], Choice::Group(1)).expect(made),
        Reply::place(5, &[vec![8], vec![2]], Choice::NoneOfThese).expect(made),
        Reply::place(6, &[vec![8], vec![2]], Choice::Unsure).expect(made),
        Reply::group(&[0, 1, 7, 8], Some(&[7])).expect(made).certain(),
        Reply::links(vec![told(0, 5, Answer::Same).told()[0]]).expect(made),
        told(1, 2, Answer::Different).certain(),
    ]
}

#[test]
fn every_kind_comes_back_as_a_whole() {
    let (_folder, path) = place();
    let (mut file, _) = reopen(&path).unwrap();
    for (n, reply) in each_kind().iter().enumerate() {
        file.append(reply).unwrap();
        assert_eq!(reopen(&path).unwrap().1, each_kind()[..=n]);
    }
    let choices: Vec<_> = each_kind()[1..4].iter().map(|reply| reply.choice().unwrap()).collect();
    assert_eq!(choices, [Choice::Group(1), Choice::NoneOfThese, Choice::Unsure]);
    assert_eq!(each_kind()[4].odd(), Some(vec![7]));
    file.rewrite(&each_kind()[2..5]).unwrap();
    assert_eq!(reopen(&path).unwrap().1, each_kind()[2..5]);
}

#[test]
fn every_kind_is_links_to_a_fit() {
    let (_folder, path) = place();
    let (mut file, _) = reopen(&path).unwrap();
    each_kind().iter().for_each(|reply| file.append(reply).unwrap());
    let links = linkshift_io::read_links(&path, 9, None).unwrap();
    let said: Vec<_> = each_kind()
        .iter()
        .flat_map(|reply| reply.told().to_vec())
        .filter_map(|told| told.link().map(|link| (link, told.certain)))
        .collect();
    assert_eq!(links.len(), said.len());
    for (read, (link, certain)) in links.iter().zip(said) {
        assert_eq!((read.a, read.b, read.kind), (link.a, link.b, link.kind));
        // Derived: what was said with certainty counts 1, the rest less, but hardly.
        assert_eq!(read.confidence, if certain { 1.0 } else { 0.99 });
    }
}

#[test]
fn an_answer_of_several_lines_is_read_whole_or_not_at_all() {
    let (_folder, path) = place();
    let (mut file, _) = reopen(&path).unwrap();
    each_kind().iter().for_each(|reply| file.append(reply).unwrap());
    let whole = fs::read(&path).unwrap();
    // Cut anywhere, as by a power failure: what comes back is a beginning of what was told, but for
    // whether the last answer was certain.
    for n_bytes in "a,b,kind,confidence\n".len()..whole.len() {
        fs::write(&path, &whole[..n_bytes]).unwrap();
        let (_, replies) = reopen(&path).unwrap();
        let pairs = |replies: &[Reply]| -> Vec<Vec<_>> {
            let of = |reply: &Reply| reply.told().iter().map(|t| (t.a, t.b, t.answer)).collect();
            replies.iter().map(of).collect()
        };
        assert_eq!(pairs(&replies), pairs(&each_kind()[..replies.len()]), "{n_bytes}");
        let (_, again) = reopen(&path).unwrap();
        assert_eq!(again, replies, "what was dropped is gone");
    }
}

#[test]
fn an_id_may_begin_like_a_comment() {
    let (_folder, path) = place();
    let ids = ["#1", "# place 9", "c"].map(String::from);
    let (mut file, _) = AnswersFile::open(&path, 3, Some(&ids)).unwrap();
    let replies = [told(0, 1, Answer::Same), told(1, 2, Answer::Different)];
    replies.iter().for_each(|reply| file.append(reply).unwrap());
    assert_eq!(AnswersFile::open(&path, 3, Some(&ids)).unwrap().1, replies);
}
