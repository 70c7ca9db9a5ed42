//! Labels that are stored: no version changes them unawares.
//!
//! `checksums.tsv` has one line for each case, scene and type of numbers. A change that is meant is written
//! there by `LINKSHIFT_RENEW=1 cargo test --release -p linkshift --test laws checksums`, and told in the
//! changelog. Only scenes of few columns: products of matrices may round otherwise on another processor.

use crate::cases;
use crate::scenes;
use linkshift::Model;
use std::fmt::Write;
use std::path::Path;

/// FNV-1a over the labels.
fn checksum<T: linkshift::Real>(model: &Model<T>) -> u64 {
    let bytes = model.labels().iter().flat_map(|label| label.to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

fn found() -> String {
    let mut text = String::from("case\tscene\ttype\tclusters\tchecksum\n");
    let scenes = [("clear", scenes::clear()), ("bent", scenes::bent())];
    let obeying = cases::plain().into_iter().filter(|case| case.obeys()).map(|it| it.obeying());
    for case in cases::all().into_iter().chain(obeying) {
        for (name, scene) in &scenes {
            let double = case.fit(&scene.points, &scene.links);
            let single = case.fit(&scene.cast::<f32>(), &scene.links);
            let lines = [
                ("f64", double.n_clusters(), checksum(&double)),
                ("f32", single.n_clusters(), checksum(&single)),
            ];
            for (dtype, n_clusters, sum) in lines {
                // Writing to a string cannot fail.
                let _ = writeln!(text, "{}\t{name}\t{dtype}\t{n_clusters}\t{sum:016x}", case.name);
            }
        }
    }
    text
}

#[test]
fn checksums_of_all_labels_are_those_that_are_stored() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/laws/checksums.tsv");
    let found = found();
    if std::env::var_os("LINKSHIFT_RENEW").is_some() {
        std::fs::write(&path, &found).unwrap();
        return;
    }
    let stored = std::fs::read_to_string(&path).unwrap();
    let is_new = |line: &&str| !stored.lines().any(|known| known == *line);
    let changed: Vec<&str> = found.lines().filter(is_new).collect();
    let is_gone = |line: &&str| !found.lines().any(|known| known == *line);
    let gone = stored.lines().filter(is_gone).count();
    assert!(
        changed.is_empty() && gone == 0,
        "{} lines differ from checksums.tsv; if that is meant, renew it (see the top of checksums.rs) and \
         say so in the changelog:\n{}",
        changed.len().max(gone),
        changed.join("\n")
    );
}
