//! The errors that newcomers meet: each is one line that says what to type next.
//!
//! Those of the Python package are in its `tests/test_errors.py`.

use crate::common::Place;

/// The files that the errors below are about.
const FILES: &[(&str, &str)] = &[
    ("points.csv", "x,y\n0,0\n0.1,0\n0,0.1\n5,5\n5.1,5\n5,5.1\n"),
    ("people.csv", "name,age\nann,31\nbob,35\ncy,62\n"),
    ("gap.csv", "x,y\n1,2\n3,\n5,6\n"),
    ("nan.csv", "x,y\n1,2\n3,nan\n5,6\n"),
    ("ragged.csv", "x,y\n1,2\n3\n5,6\n"),
    ("header.csv", "x,y\n"),
    ("empty.csv", ""),
    ("twice.csv", "id,x\na,1\nb,2\na,3\n"),
    ("huge.csv", "x\n1e300\n-1e300\n"),
    ("table.xlsx", "PK"),
    ("links.csv", "a,b,kind\n0,1,must\n0,3,cannot\n"),
    ("contrary.csv", "a,b,kind\n0,1,must\n1,2,must\n0,2,cannot\n"),
    ("far.csv", "a,b,kind\n0,999,must\n"),
    ("names.csv", "a,b,kind\nann,bob,must\n"),
    ("unknown.csv", "a,b,kind\nann,bop,must\n"),
    ("kind.csv", "a,b,kind\n0,1,perhaps\n"),
    ("no_kind.csv", "a,b\n0,1\n"),
    ("unsure.csv", "a,b,kind,confidence\n0,1,must,1.5\n"),
    ("alone.csv", "a,b,kind\n3,3,cannot\n"),
];

/// What is typed, and what the error must tell: the last word of each row is what to type next.
const ERRORS: &[(&str, &[&str])] = &[
    // Words of the command line
    ("ft points.csv", &["no command \"ft\"", "did you mean \"fit\"?"]),
    ("cluster points.csv", &["no command", "demo, fit, predict"]),
    ("links chek links.csv points.csv", &["no command \"chek\"", "did you mean \"check\"?"]),
    ("fit", &["<DATA>", "write: linkshift fit <DATA>"]),
    ("score points.csv", &["<TRUTH>", "`linkshift score --help`"]),
    ("fit points.csv --link links.csv", &["'--link'", "'--links'"]),
    ("fit points.csv --verbos", &["'--verbos'", "`linkshift fit --help`"]),
    ("fit points.csv --model", &["--model <FILE>", "`linkshift fit --help`"]),
    ("fit points.csv --scale log", &["'log'", "z-score"]),
    ("fit points.csv --missing mean", &["'mean'", "median"]),
    ("fit people.csv --categories onehot", &["'onehot'", "'one-hot'"]),
    ("fit points.csv --delimiter ab", &["'ab'", "one ASCII character, or tab"]),
    ("make moon -o m.csv", &["'moon'", "'moons'"]),
    ("ask points.csv --chooser best", &["'best'", "border"]),
    ("completions zish", &["'zish'", "'zsh'"]),
    ("fit points.csv --stream", &["--output <FILE>", "`linkshift fit --help`"]),
    // Methods and settings
    ("fit points.csv --method cmd", &["no method \"cmd\"", "did you mean \"cms\"?"]),
    ("fit points.csv --method dbscan", &["no method", "did you mean \"cdbscan\"?"]),
    ("fit points.csv --method hdbscan", &["no method", "there is: auto, mean-shift, cms"]),
    ("methods cmss", &["no method", "did you mean \"cms\"?"]),
    ("fit points.csv --method pck", &["number of clusters", "add -k 3"]),
    ("fit points.csv --method pck -k 0", &["'0'", "a whole number from 1, such as 3"]),
    ("fit points.csv --method pck -k two", &["'two'", "a whole number from 1, such as 3"]),
    ("fit points.csv --method pck -k 100", &["only 6 points", "ask for fewer clusters"]),
    ("fit points.csv --method cms -k 2", &["finds the number", "leave -k out"]),
    ("fit points.csv -k 2", &["auto finds the number", "leave -k out"]),
    ("fit points.csv --method cms --set bandwith=3", &["did you mean \"bandwidth\"?"]),
    ("fit points.csv --method cms --set bandwidth", &["write it as key=value"]),
    ("fit points.csv --method cms --set bandwidth=-1", &["-1 cannot work", "a number above 0"]),
    ("fit points.csv --method cms --set preset=paper", &["paper-toy or paper-embedding"]),
    ("fit points.csv --set bandwidth=3", &["auto has no parameter", "choose one with --method"]),
    // Tables
    ("fit point.csv", &["no such file", "did you mean \"points.csv\"?"]),
    ("fit points.cvs", &["format", "did you mean \"points.csv\"?"]),
    ("fit .", &["is a folder", "--image-column"]),
    ("fit table.xlsx", &["format", "save it as CSV"]),
    ("fit gap.csv", &["line 3, column \"y\"", "--missing drop"]),
    ("fit nan.csv", &["line 3, column \"y\"", "--missing drop"]),
    ("fit ragged.csv", &["line 3", "see --delimiter"]),
    ("fit header.csv", &["no rows", "at least one row"]),
    ("fit empty.csv", &["empty", "at least one row"]),
    ("fit huge.csv", &["too large", "see --scale"]),
    ("fit people.csv --columns name", &["no numeric column", "--columns", "--text-column"]),
    ("fit points.csv --columns z", &["no column \"z\"", "did you mean \"x\"?"]),
    ("fit points.csv --id-column id", &["no column \"id\"", "there are 2: \"x\", \"y\""]),
    ("fit points.csv --label-column truth", &["no column", "there are 2: \"x\", \"y\""]),
    (
        "fit twice.csv --id-column id",
        &["line 4", "already that of line 2", "leave --id-column out"],
    ),
    // Links
    ("fit points.csv --links link.csv", &["no such file", "did you mean \"links.csv\"?"]),
    ("fit points.csv --links points.csv", &["no kind", "write a,b,kind"]),
    ("fit points.csv --links far.csv", &["line 2", "no row 999", "rows 0 to 5", "--id-column"]),
    ("fit points.csv --links names.csv", &["\"ann\" is not a row number", "see --id-column"]),
    ("fit people.csv --id-column name --links unknown.csv", &["did you mean \"bob\"?"]),
    ("fit points.csv --links kind.csv", &["line 2", "write must or cannot"]),
    ("fit points.csv --links no_kind.csv", &["no kind", "write a,b,kind"]),
    ("fit points.csv --links unsure.csv", &["\"1.5\"", "above 0 and at most 1"]),
    ("fit points.csv --links alone.csv", &["to itself", "remove it"]),
    ("fit points.csv --method cms --links contrary.csv", &["0 – 1 – 2", "remove one"]),
    // Models and outputs
    ("predict points.csv points.csv", &["not a linkshift model", "linkshift fit … --model FILE"]),
    ("why nothing.model 0 1", &["no such file", "check the path"]),
    ("fit points.csv -o there/labels.csv", &["cannot be written", "mkdir -p there"]),
    ("fit points.csv --plot picture.jpg", &["must end in .svg or .png"]),
    ("fit points.csv -o points.csv", &["also the input", "another name"]),
];

#[test]
fn every_error_says_what_to_type_next() {
    let place = Place::new();
    for (name, content) in FILES {
        place.write(name, content);
    }
    let before = place.listing();
    for (args, words) in ERRORS {
        let run = place.run(args);
        assert_eq!(run.code, Some(2), "linkshift {args}: {}{}", run.stdout, run.stderr);
        run.is_refused(words);
        assert_eq!(place.listing(), before, "something was touched by linkshift {args}");
    }
}
