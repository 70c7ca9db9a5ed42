//! The same numbers from another file give the same labels.

use crate::common::Place;
use linkshift::method::Clusters;
use linkshift::registry::METHODS;

#[test]
fn csv_parquet_arrow_and_npy_of_the_same_numbers_give_the_same_labels() {
    let place = Place::new();
    place.good("make moons -n 90 --noise 0.1 -o all.csv");
    let rows: Vec<String> = place.read("all.csv").lines().skip(1).map(str::to_owned).collect();
    let xy = |row: &String| row.rsplit_once(',').unwrap().0.to_owned() + "\n";
    place.write("data.csv", format!("x,y\n{}", rows.iter().map(xy).collect::<String>()));
    place.write("data.tsv", place.read("data.csv").replace(',', "\t"));
    place.write("links.csv", "a,b,kind\n0,1,must\n2,60,cannot\n5,70,cannot\n");
    let values: Vec<f64> =
        rows.iter().flat_map(|row| row.split(',').take(2).map(|x| x.parse().unwrap())).collect();
    let columns = ["x", "y"].map(String::from);
    for name in ["data.parquet", "data.arrow", "data.npy"] {
        linkshift_io::write_table(&place.path().join(name), &columns, &values, None).unwrap();
    }
    for entry in METHODS {
        let name = entry.info.name;
        let told = if entry.info.clusters == Clusters::Told { "-k 2" } else { "" };
        let labels = |file: &str| {
            place.good(&format!("fit {file} --links links.csv --method {name} {told} -o out.csv"));
            place.read("out.csv")
        };
        let from_csv = labels("data.csv");
        for file in ["data.tsv", "data.parquet", "data.arrow", "data.npy"] {
            assert_eq!(from_csv, labels(file), "{name}, {file}");
        }
    }
}
