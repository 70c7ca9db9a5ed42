//! What is written reads back the same, in every format.

use linkshift::{Link, LinkKind, Real};
use linkshift_io::{
    ReadOptions, read_column, read_links, read_table, write_labels, write_links, write_table,
};
use proptest::collection::{hash_set, vec};
use proptest::prelude::*;

const TEXT: [&str; 4] = ["t.csv", "t.csv.gz", "t.tsv", "t.tsv.gz"];
const TYPED: [&str; 3] = ["t.parquet", "t.arrow", "t.feather"];

/// Any text that a person could use as an id: white space around it is not part of it.
fn id() -> impl Strategy<Value = String> {
    "[ -~äß漢\n]{0,6}[!-~äß漢]".prop_map(|text| text.trim().to_owned())
}

fn check_table<T: Real>(values: &[T], n_features: usize, labels: &[i64]) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let columns: Vec<String> = (0..n_features).map(|at| format!("x \"{at}\"")).collect();
    let labels = &labels[..values.len() / n_features];
    for name in TEXT.into_iter().chain(TYPED) {
        let path = folder.path().join(name);
        write_table(&path, &columns, values, Some(labels)).expect("written");
        let options = ReadOptions { label_column: Some("label".into()), ..Default::default() };
        let table = read_table::<T>(&path, &options).expect("read");
        assert_eq!((&table.values[..], &table.columns), (values, &columns), "{name}");
        assert_eq!(table.labels.as_deref(), Some(labels), "{name}");
    }
    let path = folder.path().join("t.npy");
    write_table(&path, &columns, values, None).expect("written");
    let table = read_table::<T>(&path, &ReadOptions::default()).expect("read");
    assert_eq!((&table.values[..], table.n_features), (values, n_features));
}

proptest! {
    // Every file is synced to the disk, which takes most of the time.
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn tables_of_f64(rows in vec((any::<f64>(), -9.0..9.0_f64), 1..30), labels in vec(-1..9_i64, 30)) {
        let values: Vec<f64> = rows.into_iter().flat_map(|(x, y)| [x, y]).collect();
        prop_assume!(values.iter().all(|value| value.is_finite()));
        check_table(&values, 2, &labels);
    }

    #[test]
    fn tables_of_f32(values in vec(any::<f32>(), 1..60), labels in vec(any::<i64>(), 60)) {
        prop_assume!(values.iter().all(|value| value.is_finite()));
        check_table(&values, 1, &labels);
    }

    #[test]
    fn labels_with_and_without_ids(ids in hash_set(id(), 1..20), labels in vec(any::<i64>(), 20)) {
        let ids: Vec<String> = ids.into_iter().collect();
        let labels = &labels[..ids.len()];
        let texts: Vec<String> = labels.iter().map(i64::to_string).collect();
        let folder = tempfile::tempdir().expect("a temporary folder");
        for name in TEXT.into_iter().chain(TYPED).chain(["t.npy"]) {
            let path = folder.path().join(name);
            write_labels(&path, labels, None).expect("written");
            prop_assert_eq!(read_column(&path, None).expect("read"), &texts[..]);
            write_labels(&path, labels, Some(&ids)).expect("written");
            if name != "t.npy" {
                prop_assert_eq!(read_column(&path, None).expect("read"), &texts[..]);
                prop_assert_eq!(read_column(&path, Some("id")).expect("read"), &ids[..]);
            }
        }
    }

    #[test]
    fn links_with_and_without_ids(
        ids in hash_set(id(), 20),
        pairs in vec((0..20_usize, 1..20_usize, any::<bool>(), 0.001..=1.0_f64), 0..30),
    ) {
        let ids: Vec<String> = ids.into_iter().collect();
        let link = |(a, step, must, confidence): (usize, usize, bool, f64)| Link {
            a,
            b: (a + step) % 20,
            kind: if must { LinkKind::Must } else { LinkKind::Cannot },
            confidence,
        };
        let links: Vec<Link> = pairs.into_iter().map(link).collect();
        let folder = tempfile::tempdir().expect("a temporary folder");
        for name in TEXT {
            let path = folder.path().join(name);
            for ids in [None, Some(&ids[..])] {
                write_links(&path, &links, ids).expect("written");
                prop_assert_eq!(&read_links(&path, 20, ids).expect("read"), &links);
            }
        }
    }
}
