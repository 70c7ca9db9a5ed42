//! Links files: every spelling that is read, and every way in which they can be wrong.

use linkshift::ask::Told;
use linkshift::{Link, LinkKind};
use linkshift_io::{At, IoError, Problem, read_links, write_links};

fn read(text: &str, n_points: usize, ids: Option<&[String]>) -> Result<Vec<Link>, IoError> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("links.csv");
    std::fs::write(&path, text).expect("a file in it");
    read_links(&path, n_points, ids)
}

fn problem(text: &str, line: u64) -> Problem {
    let error = read(text, 5, None).expect_err("these links are bad");
    assert_eq!(error.place.at, Some(At::Line(line)), "{error}");
    error.problem
}

#[test]
fn every_spelling_of_a_link_is_read() {
    let links = vec![Link::must(0, 1), Link::cannot(2, 3)];
    for text in [
        "a,b,kind\n0,1,must\n2,3,cannot\n",
        "0,1,must\n2,3,cannot",
        "kind,b,a\nML,1,0\ncl,3,2\n",
        "A;B;Kind\n0;1;must-link\n2;3;Cannot-Link\n",
        "0\t1\tMUST_LINK\n2\t3\tCANNOT_LINK\n",
        "0 1 1\n2 3 -1\n",
        "# COP-k-means\n0  1  +1\r\n\r\n# comment\n 2 3 -1\r\n",
        "0 1 same\n2 3 different\n",
        "a,b,kind,confidence\n0,1,must,1\n2,3,cannot,1\n",
    ] {
        assert_eq!(read(text, 5, None).unwrap(), links, "{text:?}");
    }
    // Beside one that is said with certainty, one that is only said is a little less sure.
    let said = read("a,b,kind,confidence\n0,1,must,1\n2,3,cannot,\n", 5, None).unwrap();
    assert_eq!(said, [Link::must(0, 1), Link { confidence: Told::PLAIN, ..Link::cannot(2, 3) }]);
    let doubtful = read("0,1,must,0.25\n", 5, None).unwrap();
    assert_eq!(doubtful, [Link { confidence: 0.25, ..Link::must(0, 1) }]);
}

#[test]
fn a_file_without_links_is_fine() {
    for text in ["", "\n\n", "# nothing yet\n", "a,b,kind\n"] {
        assert_eq!(read(text, 5, None).unwrap(), [], "{text:?}");
    }
}

#[test]
fn every_fault_is_named_by_its_line() {
    let header = "a,b,kind,confidence\n0,1,must,1\n";
    let with = |link: &str| problem(&format!("{header}{link}\n"), 3);
    assert_eq!(with("0,5,must,1"), Problem::OutOfRange { row: 5, n_points: 5 });
    assert_eq!(with("x,1,must,1"), Problem::NotARow { text: "x".into() });
    assert_eq!(with("-2,1,must,1"), Problem::NotARow { text: "-2".into() });
    assert_eq!(with("2,2,must,1"), Problem::SelfLink { end: "2".into() });
    assert_eq!(with("0,1,maybe,1"), Problem::UnknownKind { text: "maybe".into() });
    assert_eq!(with("0,1,,1"), Problem::LinkField { field: "kind" });
    assert_eq!(with("0,,must,1"), Problem::LinkField { field: "b" });
    assert_eq!(with("0,1,must"), Problem::Ragged { expected: 4, found: 3 });
    for confidence in ["0", "1.5", "-0.1", "nan", "high"] {
        let expected = Problem::Confidence { text: confidence.into() };
        assert_eq!(with(&format!("0,1,must,{confidence}")), expected);
    }
    assert_eq!(problem("# pairs only\n0,1\n", 2), Problem::LinkField { field: "kind" });
    assert_eq!(problem("0,1,must,1,x\n", 1), Problem::Ragged { expected: 4, found: 5 });
    assert_eq!(problem("a,kind\n0,must\n", 1), Problem::LinkField { field: "b" });
    let near = Some("confidence".to_owned());
    let expected = Problem::UnknownLinkField { name: "confidnce".into(), near };
    assert_eq!(problem("a,b,kind,confidnce\n", 1), expected);
}

#[test]
fn with_ids_the_ends_are_ids_and_never_row_numbers() {
    let ids = ["anna", "7", "# c, d"].map(String::from);
    let links = read("a,b,kind\n7,anna,must\n\"# c, d\",7,cannot\n", 3, Some(&ids)).unwrap();
    assert_eq!(links, [Link::must(1, 0), Link::cannot(2, 1)]);
    let error = read("a,b,kind\n0,7,must\n", 3, Some(&ids)).unwrap_err();
    assert_eq!(error.problem, Problem::UnknownId { id: "0".into(), near: Some("7".into()) });
    let error = read("ana,7,must\n", 3, Some(&ids)).unwrap_err();
    let message = error.to_string();
    assert!(message.contains("line 1: no point has the id \"ana\" (did you mean \"anna\"?)"));
}

#[test]
fn links_to_points_that_have_no_id_cannot_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("links.csv");
    let ids = ["a".to_owned()];
    let error = write_links(&path, &[Link::must(0, 1)], Some(&ids)).unwrap_err();
    assert_eq!(error.problem, Problem::OutOfRange { row: 1, n_points: 1 });
    let error = write_links(&folder.path().join("l.npy"), &[], None).unwrap_err();
    assert!(matches!(error.problem, Problem::CannotHold { .. }), "{error}");
    assert!(!path.exists());
}

#[test]
fn written_links_say_what_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("links.csv");
    write_links(&path, &[Link::must(0, 1), Link::cannot(2, 0)], None).unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "a,b,kind\n0,1,must\n2,0,cannot\n");
    let unsure = Link { a: 0, b: 1, kind: LinkKind::Must, confidence: 0.5 };
    write_links(&path, &[unsure], None).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text, "a,b,kind,confidence\n0,1,must,0.5\n");
}
