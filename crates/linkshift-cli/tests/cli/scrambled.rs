//! Files with single bytes changed: one line of ours, and nothing of the readers' own.

use crate::common::Place;

/// What our error says where a reader panicked.
const CAUGHT: &str = "its parts do not fit together";

#[test]
fn panics_inside_readers_never_reach_the_screen() {
    let place = Place::new();
    place.good("make moons -n 40 -o data.arrow");
    let whole = std::fs::read(place.path().join("data.arrow")).unwrap();
    let mut n_caught = 0;
    for (at, value) in (0..whole.len()).step_by(7).map(|at| (at, 0x55)) {
        let mut scrambled = whole.clone();
        scrambled[at] ^= value;
        place.write("bad.arrow", scrambled);
        let run = place.run("fit bad.arrow --method kmeans -k 2 -o labels.csv");
        if run.code == Some(0) {
            continue; // a number that became another number
        }
        run.is_refused(&["bad.arrow"]);
        n_caught += usize::from(run.stderr.contains(CAUGHT));
    }
    assert!(n_caught > 0, "no file made the reader panic: the guard is not tried");
}
