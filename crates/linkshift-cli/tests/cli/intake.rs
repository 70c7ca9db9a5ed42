//! Gaps, categories, texts and pictures: from what people have to labels, with one command each.

use crate::common::Place;
use serde_json::Value;

const STEP: &[u8] = include_bytes!("../../../linkshift-features/tests/pictures/step.jpg");
const RED: &[u8] = include_bytes!("../../../linkshift-features/tests/pictures/red.jpg");

/// Three about files, three about eggs.
const TITLES: &str = "id,title\na,Open a file\nb,close the file\nc,read a file line by line\n\
                      d,boil an egg\ne,fry an egg\nf,How long do eggs boil?\n";

/// Two groups of three; a gap in each.
const GAPS: &str =
    "x,city,y\n0,Rome,0\n0.1,Rome,NA\n0.2,Rome,0.1\n9,Oslo,9\n,Oslo,9.1\n9.2,Oslo,9\n";

fn place() -> Place {
    let place = Place::new();
    place.write("titles.csv", TITLES);
    place.write("gaps.csv", GAPS);
    place.write("links.csv", "0,1,must\n1,2,must\n2,3,cannot\n");
    std::fs::create_dir(place.path().join("photos")).unwrap();
    let pictures = [("a.jpg", STEP), ("b.jpg", STEP), ("c.jpg", RED), ("d.jpg", RED)];
    pictures.iter().for_each(|(name, bytes)| place.write(&format!("photos/{name}"), bytes));
    place
}

fn labels(place: &Place, name: &str) -> Vec<String> {
    let text = place.read(name);
    let label = |line: &str| line.rsplit(',').next().unwrap().to_owned();
    text.lines().skip(1).map(label).collect()
}

fn kinds(place: &Place, args: &str) -> Vec<String> {
    let object: Value =
        serde_json::from_str(&place.good(&format!("{args} --json")).stdout).unwrap();
    let notes = object["notes"].as_array().unwrap().iter();
    notes.map(|note| note["kind"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn titles_are_clustered_by_their_words_and_new_ones_predicted() {
    let place = place();
    place.good(
        "fit titles.csv --text-column title --id-column id --method kmeans -k 2 -o l.csv --model m",
    );
    assert_eq!(labels(&place, "l.csv"), ["0", "0", "0", "1", "1", "1"]);
    place.write("new.csv", "title,id\nthe eggs,x\na file,y\n");
    place.good("predict m new.csv -o n.csv");
    assert_eq!(labels(&place, "n.csv"), ["1", "0"]);
    place.write("other.csv", "name,id\nthe eggs,x\n");
    place.run("predict m other.csv").is_refused(&["no column \"title\"", "was fitted on title"]);
    let notes = kinds(&place, "predict m titles.csv");
    assert!(notes.is_empty(), "{notes:?}");
}

#[test]
fn rows_with_gaps_are_refused_dropped_or_filled() {
    let place = place();
    let fit = "fit gaps.csv --method kmeans -k 2 -o l.csv";
    let words =
        ["gaps.csv, line 3, column \"y\"", "2 rows are not whole", "\"x\", \"y\"", "median"];
    place.run(fit).is_refused(&words);
    place.good(&format!("{fit} --missing drop"));
    assert_eq!(labels(&place, "l.csv"), ["0", "-1", "0", "1", "-1", "1"]);
    place.good(&format!("{fit} --missing median --model m"));
    assert!(labels(&place, "l.csv").iter().all(|label| label != "-1"));
    // The model knows the medians.
    place.write("new.csv", "y,x\n0,\n");
    place.good("predict m new.csv -o n.csv");
}

#[test]
fn links_name_rows_of_the_file_though_rows_are_dropped() {
    let place = place();
    // Row 1 is dropped; that it must be with 0 and with 2 still joins these two.
    let fit = "fit gaps.csv --missing drop --links links.csv --method pck -k 2 -o l.csv --json";
    let object: Value = serde_json::from_str(&place.good(fit).stdout).unwrap();
    assert_eq!(object["n_points"], 4);
    assert_eq!(labels(&place, "l.csv"), ["0", "-1", "0", "1", "-1", "1"]);
    assert_eq!(object["links"]["broken"].as_array().unwrap().len(), 0);
}

#[test]
fn columns_of_texts_are_left_out_with_a_note_or_made_columns() {
    let place = place();
    let fit = "fit gaps.csv --missing median --method kmeans -k 2";
    assert_eq!(kinds(&place, fit), ["left-out-columns"]);
    assert!(place.good(fit).stderr.contains("\"city\""));
    let object: Value =
        serde_json::from_str(&place.good(&format!("{fit} --categories one-hot --json")).stdout)
            .unwrap();
    assert_eq!(object["n_features"], 4); // x, Rome, Oslo, y
    place.run(&format!("{fit} --categories error")).is_refused(&["\"Rome\" is not a number"]);
    place.run(&format!("{fit} --columns city,x")).is_refused(&["\"Rome\" is not a number"]);
}

#[test]
fn a_folder_of_pictures_is_clustered_by_what_they_show() {
    let place = place();
    let fit = "fit photos --image-column file --id-column file --method kmeans -k 2";
    place.good(&format!("{fit} --scale z-score -o l.csv --model m"));
    assert_eq!(labels(&place, "l.csv"), ["0", "0", "1", "1"]);
    place.write("table.csv", "path\nphotos/d.jpg\nphotos/none.jpg\nphotos/a.jpg\n");
    let fit = "fit table.csv --image-column path --method kmeans -k 2 -o t.csv";
    place.run(fit).is_refused(&["none.jpg (row 1, from 0)", "no such file"]);
    let run = place.good(&format!("{fit} --bad-images skip"));
    assert!(run.stderr.contains("1 of 3 pictures cannot be used"), "{}", run.stderr);
    assert_eq!(labels(&place, "t.csv"), ["0", "-1", "1"]);
    std::fs::create_dir(place.path().join("empty")).unwrap();
    place.run("predict m empty").is_refused(&["empty: this folder holds no file"]);
    place.write("photos/e.jpg", "no picture");
    place.run("predict m photos").is_refused(&["it is no PNG or JPEG picture"]);
    place.good("predict m photos --bad-images skip -o n.csv");
    assert_eq!(labels(&place, "n.csv"), ["0", "0", "1", "1", "-1"]);
}

#[test]
fn questions_about_texts_show_the_texts() {
    let place = place();
    let run = place.run("ask titles.csv --text-column title --id-column id");
    assert!(run.stderr.contains("title") && !run.stderr.contains("title_0"), "{}", run.stderr);
}

#[test]
fn links_are_drawn_and_checked_without_a_column_of_numbers() {
    let place = place();
    place.write("classes.csv", "title,class\none,u\ntwo,v\nthree,u\n");
    place.good("links draw classes.csv --label-column class -n 2 -o drawn.csv");
    place.good("links check links.csv titles.csv");
}

#[test]
fn dates_are_numbers_when_asked_for() {
    let place = Place::new();
    // Two weeks in spring, two in autumn.
    let days = ["2026-03-01", "2026-03-08T12:00", "2026-10-01 08:30:00", "2026-10-08T00:00:00Z"];
    let row = |(at, day): (usize, &&str)| format!("{day},0.0{at}\n");
    let rows = days.iter().enumerate().map(row).collect::<String>();
    place.write("dates.csv", format!("day,x\n{rows}"));
    assert_eq!(kinds(&place, "fit dates.csv --method kmeans -k 1"), ["left-out-columns"]);
    let fit = "fit dates.csv --method kmeans -k 2 -o l.csv";
    for unit in ["seconds", "days", "years"] {
        place.good(&format!("{fit} --dates {unit} --model m"));
        assert_eq!(labels(&place, "l.csv"), ["0", "0", "1", "1"]);
    }
    // The model knows the unit.
    place.write("new.csv", "x,day\n0,2026-10-03\n0,2026-03-03\n");
    place.good("predict m new.csv -o n.csv");
    assert_eq!(labels(&place, "n.csv"), ["1", "0"]);
    place.write("bad.csv", "day,x\n2026-03-01,1\nsoon,1\n");
    let words = ["bad.csv, line 3, column \"day\"", "\"soon\" is not a date", "2026-12-31"];
    place.run("fit bad.csv --dates days --method kmeans -k 1").is_refused(&words);
    place.write("gap.csv", "day,x\n2026-03-01,1\n,1\n2026-03-03,1\nNA,1\n");
    place
        .run("fit gap.csv --dates days --method kmeans -k 1")
        .is_refused(&["2 rows are not whole"]);
    place.good("fit gap.csv --dates days --missing median --method kmeans -k 1");
}
