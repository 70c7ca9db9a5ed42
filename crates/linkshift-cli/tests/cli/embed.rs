//! Embedding: what comes out can be read again, goes on after a stop, and embeds other rows.

use crate::common::{Place, processor_seconds};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const SMALL: &str = "--autoencoder --hidden 16,8 --dimensions 2 --pretrain-epochs 3 --epochs 5";

fn place() -> Place {
    let place = Place::new();
    place.good("make blobs -n 120 --dimensions 6 --centers 3 -o data.csv");
    place
}

#[test]
fn an_embedding_is_a_table_with_ids_and_labels() {
    let place = place();
    place.write("ids.csv", "name,x,y,class\na,1,2,u\nb,2,1,v\nc,2,2,u\nd,,3,v\n");
    let named = "ids.csv --id-column name --label-column class";
    place.good(&format!("embed {named} --missing drop -o points.csv"));
    let points = place.read("points.csv");
    assert_eq!(points, "x,y,name,class\n1,2,a,u\n2,1,b,v\n2,2,c,u\n");
    place
        .good(&format!("embed data.csv --label-column label {SMALL} -o e.parquet --plot loss.svg"));
    assert!(place.read("loss.svg").contains("held out"));
    let fit = "fit e.parquet --label-column label --method kmeans -k 3 --json";
    let object: serde_json::Value = serde_json::from_str(&place.good(fit).stdout).unwrap();
    assert_eq!(object["n_features"], 2);
    assert_eq!(object["scores"]["n_scored"], 120);
}

#[test]
fn other_rows_are_embedded_as_the_first_were() {
    let place = place();
    let first = format!("embed data.csv --label-column label {SMALL} --scale z-score");
    place.good(&format!("{first} --encoder e.model -o e.csv"));
    // The same rows without training, then with the columns in another order.
    place.good("embed data.csv --encoder e.model -o again.csv");
    let without_label = |text: &str| {
        let cut = |line: &str| line.rsplit_once(',').unwrap().0.to_owned();
        text.lines().map(cut).collect::<Vec<String>>()
    };
    let again: Vec<String> = place.read("again.csv").lines().map(str::to_owned).collect();
    assert_eq!(without_label(&place.read("e.csv")), again);
    let data = place.read("data.csv");
    let turned = data.lines().map(|line| {
        let fields: Vec<&str> = line.split(',').rev().collect();
        fields.join(",") + "\n"
    });
    place.write("turned.csv", turned.collect::<String>());
    place.good("embed turned.csv --encoder e.model -o turned-out.csv");
    assert_eq!(place.read("turned-out.csv"), place.read("again.csv"));
    // A run that is done is not done again.
    place.good(&format!("{first} --encoder e.model -o e2.csv"));
    assert_eq!(place.read("e.csv"), place.read("e2.csv"));
}

#[test]
fn training_that_was_stopped_goes_on_to_the_same_end() {
    let place = Place::new();
    place.good("make blobs -n 5000 --dimensions 30 --centers 4 -o data.csv");
    let run = "embed data.csv --label-column label --autoencoder --hidden 300,200 --epochs 12 \
               --pretrain-epochs 6";
    place.good(&format!("{run} -o whole.csv"));
    let mut command = place.command(&format!("{run} --encoder e.model -o parts.csv"));
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    // Some way into the training, however many others use the machine.
    let has_begun = |child: &Child| processor_seconds(child).is_none_or(|seconds| seconds > 0.7);
    while child.try_wait().unwrap().is_none() && !has_begun(&child) {
        std::thread::sleep(Duration::from_millis(2));
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    // On a quick machine it may be done by now, and there is nobody to tell.
    if child.try_wait().unwrap().is_none() && sent.unwrap().success() {
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        if output.status.code() == Some(1) {
            assert!(stderr.contains("error: cancelled"), "{stderr}");
            assert!(!place.path().join("parts.csv").exists());
            let use_it = "embed data.csv --label-column label --encoder e.model -o used.csv";
            // It may have been stopped between the end of the training and that of the run.
            if place.path().join("e.model").exists() && place.run(use_it).code != Some(0) {
                place
                    .run(&format!("{run} --seed 1 --encoder e.model -o parts.csv"))
                    .is_refused(&["begun with other settings"]);
                place.run(use_it).is_refused(&["not trained to its end"]);
            }
        }
    }
    place.good(&format!("{run} --encoder e.model -o parts.csv"));
    assert_eq!(place.read("parts.csv"), place.read("whole.csv"));
}

#[test]
fn pictures_are_moved_in_training_and_go_on_like_others() {
    let place = place();
    let with = |more: &str| format!("embed data.csv --label-column label {SMALL} {more}");
    place.good(&with("-o still.csv"));
    place.good(&with("--picture 2x3 --encoder e.model -o moved.csv"));
    assert_ne!(place.read("moved.csv"), place.read("still.csv"));
    // Rows to be embedded are never moved: the encoder alone is enough.
    place.good("embed data.csv --label-column label --encoder e.model -o again.csv");
    assert_eq!(place.read("again.csv"), place.read("moved.csv"));
    place.good(&with("--picture 2×3 --encoder e.model -o again.csv"));
    assert_eq!(place.read("again.csv"), place.read("moved.csv"));
}

#[test]
fn what_is_no_picture_is_refused() {
    let place = place();
    let refused = |more: &str, words: &[&str]| {
        let begin = "embed data.csv --label-column label -o e.csv";
        place.run(&format!("{begin} {more}")).is_refused(words);
    };
    refused("--autoencoder --picture 28x28", &["28x28", "6 columns", "such as 2x3"]);
    refused("--autoencoder --picture 6", &["--picture", "height x width", "28x28"]);
    refused("--autoencoder --picture 0x6", &["--picture", "height x width", "28x28"]);
    refused("--picture 2x3", &["--autoencoder"]);
    refused("--autoencoder --picture 2x3 --scale z-score", &["leave out --scale"]);
    // The label was not named.
    let all = "embed data.csv --autoencoder --picture 2x3 -o e.csv";
    place.run(all).is_refused(&["picture", "7 columns", "label"]);
}

#[test]
fn what_cannot_be_embedded_is_refused() {
    let place = place();
    place.good("fit data.csv --label-column label --method kmeans -k 3 --model k.model");
    let refused = |args: &str, words: &[&str]| place.run(args).is_refused(words);
    refused("embed data.csv --encoder none.model -o e.csv", &["none.model", "--autoencoder"]);
    refused("embed data.csv --encoder k.model -o e.csv", &["k.model", "not an encoder"]);
    refused("embed data.csv --autoencoder --dimensions 0 -o e.csv", &["n_columns", "at least 1"]);
    refused("embed data.csv --autoencoder --held-out 1 -o e.csv", &["held_out", "0.9"]);
    let huge = "embed data.csv --autoencoder --hidden 9999999999 -o e.csv";
    refused(huge, &["hidden", "smaller", "weights"]);
    refused("embed data.csv --plot p.svg -o e.csv", &["--autoencoder"]);
    refused("embed data.csv -o e.npy --label-column label", &["labels beside points"]);
    refused("embed data.csv -o e.xyz", &["e.xyz"]);
    place.good(&format!("embed data.csv --label-column label {SMALL} --encoder e.model -o e.csv"));
    refused("predict e.model data.csv", &["e.model", "an encoder"]);
    place.write("few.csv", "x0,x1\n1,2\n");
    refused("embed few.csv --encoder e.model -o f.csv", &["no column \"x2\""]);
}
