//! Bad input: one clear line that says what, where and how to mend it; exit code 2; nothing touched.

use crate::common::Place;
use std::fs;

const GOOD: &str = "name,x,y\nann,0,0\nbob,0.1,0\ncy,5,5\ndan,5.1,5\n";

/// Fits `content` with outputs asked for, one of which is there already, and expects a refusal.
fn refused(file: &str, content: impl AsRef<[u8]>, args: &str, words: &[&str]) {
    let place = Place::new();
    place.write(file, content);
    refused_in(&place, &format!("{file} {args}"), words);
}

fn refused_in(place: &Place, args: &str, words: &[&str]) {
    place.write("labels.csv", "old");
    let before = place.listing();
    let outputs = "-o labels.csv --plot picture.svg";
    place.run(&format!("fit --method mean-shift {outputs} {args}")).is_refused(words);
    assert_eq!(place.listing(), before, "something was touched");
}

/// Good points and bad links.
fn links_refused(links: &str, args: &str, words: &[&str]) {
    let place = Place::new();
    place.write("data.csv", GOOD);
    place.write("links.csv", links);
    let columns = if args.contains("--id-column") { "" } else { "--columns x,y" };
    refused_in(&place, &format!("data.csv {columns} --links links.csv {args}"), words);
}

/// Good points and bad options.
fn option_refused(args: &str, words: &[&str]) {
    refused("data.csv", GOOD, &format!("--columns x,y {args}"), words);
}

/// The beginning of a file that linkshift wrote itself.
fn truncated(name: &str) -> Vec<u8> {
    let place = Place::new();
    place.good(&format!("make moons -o {name}"));
    let whole = fs::read(place.path().join(name)).unwrap();
    whole[..whole.len() / 2].to_vec()
}

#[test]
fn a_missing_file() {
    let place = Place::new();
    refused_in(&place, "data.csv", &["data.csv", "no such file", "check the path"]);
}

#[test]
fn an_empty_file() {
    refused("data.csv", "", "", &["data.csv", "empty", "at least one row"]);
}

#[test]
fn a_header_without_rows() {
    refused("data.csv", "x,y\n", "", &["data.csv", "no rows", "at least one row"]);
}

#[test]
fn a_ragged_row() {
    let words = ["data.csv, line 3", "3 fields but 2 are expected", "add or remove", "--delimiter"];
    refused("data.csv", "x,y\n1,2\n1,2,3\n", "", &words);
}

#[test]
fn text_among_numbers() {
    let words = ["line 3", "column \"y\"", "\"two\" is not a number", "--columns"];
    refused("data.csv", "x,y\n1,2\n1,two\n", "", &words);
}

#[test]
fn nan_and_infinity() {
    let words = ["line 3", "column \"x\"", "the value is missing", "median"];
    refused("data.csv", "x,y\n1,2\nNaN,2\n", "", &words);
    for bad in ["inf", "-Infinity"] {
        let words = ["line 3", "column \"x\"", "not a finite number", "drop the row"];
        refused("data.csv", format!("x,y\n1,2\n{bad},2\n"), "", &words);
    }
}

#[test]
fn no_numeric_column() {
    let words = ["data.csv", "no numeric column", "\"name\""];
    refused("data.csv", "name,town\nann,Rome\n", "", &words);
}

#[test]
fn an_unknown_column() {
    let words = ["data.csv", "no column \"hight\"", "did you mean \"height\"?", "\"width\""];
    refused("data.csv", "width,height\n1,2\n", "--columns width,hight", &words);
    let words = ["no column \"class\"", "\"width\""];
    refused("data.csv", "width,height\n1,2\n", "--label-column class", &words);
}

#[test]
fn an_unknown_extension() {
    refused("data.xlsx", "", "", &["data.xlsx", "format", ".csv"]);
}

#[test]
fn a_truncated_parquet_file() {
    let words = ["data.parquet", "not a complete Parquet file", "fetch it again"];
    refused("data.parquet", truncated("data.parquet"), "", &words);
}

#[test]
fn a_truncated_gzip_file() {
    let words = ["data.csv.gz", "not a complete gzip file", "fetch it again"];
    refused("data.csv.gz", truncated("data.csv.gz"), "", &words);
}

#[test]
fn an_npy_file_of_texts() {
    let mut file = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    let header = "{'descr': '<U1', 'fortran_order': False, 'shape': (2, 1), }";
    file.extend(format!("{header:<117}\n").bytes());
    file.extend([0; 8]);
    refused("data.npy", file, "", &["data.npy", "<U1", "convert"]);
}

#[test]
fn a_link_out_of_range() {
    links_refused("0,1,must\n0,4,must\n", "", &["links.csv, line 2", "no row 4", "rows 0 to 3"]);
}

#[test]
fn a_self_link() {
    links_refused("a,b,kind\n2,2,cannot\n", "", &["links.csv, line 2", "itself", "remove it"]);
}

#[test]
fn an_unknown_id() {
    let words = ["links.csv, line 1", "\"ann\" is not a row number", "--id-column"];
    links_refused("ann,bob,must\n", "", &words);
    let words = ["links.csv, line 1", "no point has the id \"anna\"", "did you mean \"ann\"?"];
    links_refused("anna,bob,must\n", "--id-column name", &words);
}

#[test]
fn an_unknown_kind() {
    let words = ["links.csv, line 1", "\"maybe\"", "write must or cannot"];
    links_refused("0,1,maybe\n", "", &words);
}

#[test]
fn a_contradiction_is_shown_with_its_chain() {
    let links = "0,1,must\n1,3,must\n3,2,must\n0,3,cannot\n";
    links_refused(links, "", &["links.csv", "cannot 0–3", "0 – 1 – 3", "remove one"]);
    let links = "ann,bob,must\nbob,dan,must\nann,dan,cannot\n";
    let words = ["links.csv", "cannot ann–dan", "ann – bob – dan", "remove one"];
    links_refused(links, "--id-column name", &words);
}

#[test]
fn a_bandwidth_that_is_not_above_zero() {
    for bad in ["0", "-1", "nan", "inf"] {
        let words =
            ["bandwidth = ", "percentile, neighbors, silverman, per-point or a number above 0"];
        option_refused(&format!("--set bandwidth={bad}"), &words);
    }
    option_refused("--set bandwidth=wide", &["bandwidth = wide", "percentile"]);
}

#[test]
fn more_clusters_than_points() {
    let place = Place::new();
    place.write("data.csv", GOOD);
    let run = place.run("fit data.csv --columns x,y --method kmeans -k 5");
    run.is_refused(&["-k 5", "only 4 points", "fewer"]);
    option_refused("-k 0", &["--clusters", "0"]);
}

#[test]
fn a_number_of_clusters_for_a_method_that_finds_it() {
    option_refused("-k 2", &["method mean-shift finds the number of clusters itself", "leave"]);
}

#[test]
fn an_unknown_method() {
    let place = Place::new();
    place.write("data.csv", GOOD);
    let run = place.run("fit data.csv --method meanshift");
    run.is_refused(&["\"meanshift\"", "did you mean \"mean-shift\"?"]);
}

#[test]
fn whoever_names_no_method_gets_the_default_and_contradictions_do_not_stop_it() {
    let place = Place::new();
    place.good("make blobs -n 60 -o data.csv");
    place.write("links.csv", "0,1,must\n1,2,must\n0,2,cannot\n");
    let fit = "fit data.csv --label-column label --links links.csv";
    let run = place.good(fit);
    assert!(run.stdout.contains("  auto, f64 numbers"), "{}", run.stdout);
    assert!(run.stderr.contains("probably wrong"), "{}", run.stderr);
    place.run(&format!("{fit} --method cms")).is_refused(&["contradict"]);
}

#[test]
fn an_unknown_parameter_lists_the_known_ones() {
    let words = ["\"bandwith\"", "did you mean \"bandwidth\"?", "merge_tolerance", "bin_seeding"];
    option_refused("--set bandwith=1", &words);
    option_refused("--set kernel=round", &["kernel = round", "ball, rbf, truncated or gaussian"]);
    option_refused("--set kernel", &["key=value"]);
}

#[test]
fn unknown_options_are_one_line_too() {
    option_refused("--scal none", &["--scal", "--scale", "--help"]);
    option_refused("--scale big", &["big", "none, min-max, z-score"]);
    Place::new().run("fitt").is_refused(&["fitt"]);
}

#[test]
fn an_unwritable_output_is_found_before_the_work() {
    let place = Place::new();
    place.write("data.csv", GOOD);
    fs::create_dir(place.path().join("folder.csv")).unwrap();
    let before = place.listing();
    let fit = "fit data.csv --columns x,y --method mean-shift";
    let words = ["nowhere/labels.csv", "cannot be written", "check that the folder exists"];
    place.run(&format!("{fit} -o nowhere/labels.csv")).is_refused(&words);
    place.run(&format!("{fit} --plot nowhere/picture.svg")).is_refused(&["nowhere/picture.svg"]);
    place.run(&format!("{fit} -o folder.csv")).is_refused(&["folder.csv", "directory"]);
    place.run(&format!("{fit} -o labels.xlsx")).is_refused(&["labels.xlsx", ".csv"]);
    place.run(&format!("{fit} --plot picture.jpg")).is_refused(&["picture.jpg", ".svg or .png"]);
    // A good output beside a bad one is not written either.
    place.run(&format!("{fit} -o labels.csv --plot nowhere/p.svg")).is_refused(&["nowhere/p.svg"]);
    assert_eq!(place.listing(), before);
}

#[test]
fn the_input_is_never_overwritten() {
    let place = Place::new();
    place.write("data.csv", GOOD);
    let run = place.run("fit data.csv --columns x,y --method mean-shift -o ./data.csv");
    run.is_refused(&["also the input", "another name"]);
    assert_eq!(place.read("data.csv"), GOOD);
}

#[test]
fn two_things_cannot_share_a_stream() {
    let place = Place::new();
    place.write("data.csv", GOOD);
    let run = place.run("fit data.csv --columns x,y --method mean-shift --json -o -");
    run.is_refused(&["standard output", "give -o a file"]);
    place.run("fit - --method mean-shift --links -").is_refused(&["standard input"]);
}

#[test]
fn other_commands_refuse_alike() {
    let place = Place::new();
    place.write("data.csv", GOOD);
    place.write("short.csv", "label\n0\n1\n");
    place.write("long.csv", "label\n0\n1\n1\n");
    place.write("links.csv", "0,1,must\n0,1,cannot\n");
    let before = place.listing();
    let words = ["short.csv has 2", "long.csv has 3", "one of each per point"];
    place.run("score short.csv long.csv").is_refused(&words);
    place.run("score data.csv long.csv").is_refused(&["data.csv", "which column"]);
    let run = place.run("links check links.csv data.csv --columns x,y");
    run.is_refused(&["links.csv", "cannot 0–1", "0 – 1"]);
    place.run("links draw data.csv --columns x,y -n 3").is_refused(&["--label-column"]);
    let run = place.run("links draw data.csv --columns x,y --label-column name -n 99 -o l.csv");
    run.is_refused(&["99 links", "6 can be drawn"]);
    place.run("make suns").is_refused(&["suns", "moons"]);
    place.run("make moons -n 0 -o moons.csv").is_refused(&["n = 0", "at least 1"]);
    place.run("make moons -o moons.npy").is_refused(&["moons.npy", "labels"]);
    place.run("make moons --centers 3").is_refused(&["--centers", "blobs"]);
    place.run("methods meanshift").is_refused(&["mean-shift"]);
    assert_eq!(place.listing(), before);
}
