//! What must not change the clusters: threads, the order of the rows, the number type, the unit,
//! where the origin is, and where the axes point.

use crate::cases::{self, Case, Law, Verdict, check, same};
use crate::scenes::{self, Scene, partition};
use linkshift::params::Value;
use linkshift::{Link, Links, scores};

#[test]
fn any_number_of_threads_gives_the_same_model() {
    let (bent, wide) = (scenes::bent(), scenes::wide());
    check(Law::Threads, &cases::all(), |case| {
        same_for_any_number_of_threads(case, &bent)?;
        same_for_any_number_of_threads(case, &wide)
    });
}

#[test]
fn any_number_of_threads_gives_the_same_model_of_many_points() {
    let many = scenes::many();
    let mut cases = cases::plain();
    // Its time is cubic; it has no loops of its own that are split.
    cases.retain(|case| case.info().name != "constrained-spectral");
    check(Law::Threads, &cases, |case| same_for_any_number_of_threads(case, &many));
}

fn same_for_any_number_of_threads(case: &Case, scene: &Scene) -> Verdict {
    let run = |n_threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
        pool.install(|| case.fit(&scene.points, &scene.links))
    };
    let one = run(1);
    same("models of 1 and 2 threads", &one, &run(2))?;
    same("models of 1 and 7 threads", &one, &run(7))
}

#[test]
fn renumbered_rows_of_clear_clusters_give_the_same_partition() {
    check_renumbered(Law::Renumbered, &scenes::clear());
}

#[test]
fn renumbered_rows_give_the_same_partition_where_nothing_is_drawn() {
    check_renumbered(Law::RenumberedWhereItMatters, &scenes::bent());
}

fn check_renumbered(law: Law, scene: &Scene) {
    check(law, &cases::all(), |case| {
        let n = scene.points.n_points();
        let before = partition(case.fit(&scene.points, &scene.links).labels());
        // Backwards, and in steps of 7, which has no divisor in common with 120.
        for new_of in [|row, n| n - 1 - row, |row, n| row * 7 % n] {
            let mut old_of = vec![0; n];
            (0..n).for_each(|row| old_of[new_of(row, n)] = row);
            let rename = |link: &Link| Link { a: new_of(link.a, n), b: new_of(link.b, n), ..*link };
            let links: Links = scene.links.iter().map(rename).collect();
            let labels = case.fit(&scene.points.select(&old_of), &links).labels().to_vec();
            let back: Vec<i64> = (0..n).map(|row| labels[new_of(row, n)]).collect();
            same("partitions", &before, &partition(&back))?;
        }
        Ok(())
    });
}

/// Rounding may send single points near the border of two clusters the other way; here are 120 of
/// them, of which 2 that change sides leave an ARI of about this.
const ONE_OR_TWO_OF_120: f64 = 0.93;

#[test]
fn single_precision_agrees_with_double() {
    let (clear, bent, wide) = (scenes::clear(), scenes::bent(), scenes::wide());
    check(Law::SinglePrecision, &cases::all(), |case| {
        let labels_of = |scene: &Scene| {
            let double = case.fit(&scene.points, &scene.links);
            let single = case.fit(&scene.cast::<f32>(), &scene.links);
            (double.labels().to_vec(), single.labels().to_vec())
        };
        for (name, scene) in [("clear", &clear), ("wide", &wide)] {
            let (double, single) = labels_of(scene);
            same(&format!("labels of the {name} scene"), &double, &single)?;
        }
        let (double, single) = labels_of(&bent);
        let ari = scores::adjusted_rand_index(&double, &single).unwrap();
        if ari >= ONE_OR_TWO_OF_120 { Ok(()) } else { Err(format!("the ARI is {ari}")) }
    });
}

/// Parameters in the units of the points, and the power of the unit that they are in.
const IN_UNITS: &[(&str, &str, i32)] = &[
    ("mean-shift", "bandwidth", 1),
    ("cms", "bandwidth", 1),
    ("cms", "min_link_bandwidth", 1),
    ("boosted", "bandwidth", 1),
    ("boosted", "eps", 1),
    // A price that is weighed against squared distances.
    ("pck", "penalty", 2),
    ("pcck", "penalty", 2),
    ("ampcc", "penalty", 2),
    ("spectral", "bandwidth", 1),
    ("constrained-spectral", "bandwidth", 1),
    ("cdbscan", "eps", 1),
];

/// Multiplying by a power of two changes no digit, so labels must be the same, one by one.
#[test]
fn another_unit_gives_the_same_labels() {
    let scenes = [scenes::clear(), scenes::bent(), scenes::wide()];
    check(Law::Scaled, &cases::all(), |case| {
        let params = case.entry.params();
        for scene in &scenes {
            let before = case.fit(&scene.points, &scene.links);
            for unit in [8.0, 1.0 / 1024.0] {
                let own = IN_UNITS.iter().filter(|(method, ..)| *method == case.info().name);
                let scaled = own.filter_map(|&(_, key, power)| {
                    let set = case.settings.iter().find(|(known, _)| *known == key);
                    let default = params.iter().find(|param| param.key == key);
                    let value = set.map(|(_, value)| value).or(default.map(|it| &it.default))?;
                    Some((key, Value::Number(value.as_number()? * f64::powi(unit, power))))
                });
                let method = case.with(&scaled.collect::<Vec<_>>()).unwrap();
                let points = scene.moved(|row| row.iter().map(|value| value * unit).collect());
                let after = method.fit(&points, &scene.links, &mut linkshift::observe::ignore);
                let after = after.unwrap();
                let what = format!("labels at {unit} times the size");
                same(&what, &before.labels(), &after.labels())?;
            }
        }
        Ok(())
    });
}

#[test]
fn clear_clusters_are_the_same_wherever_the_origin_is_and_the_axes_point() {
    let scene = scenes::clear();
    check(Law::Moved, &cases::all(), |case| {
        let before = case.fit(&scene.points, &scene.links);
        let shifted = scene.moved(|row| vec![row[0] + 6.5, row[1] - 3.1]);
        same("labels after a shift", &before.labels(), &case.fit(&shifted, &scene.links).labels())?;
        for angle in [0.7, 2.5] {
            let (sin, cos) = f64::sin_cos(angle);
            let turn = |row: &[f64]| vec![cos * row[0] - sin * row[1], sin * row[0] + cos * row[1]];
            let turned = case.fit(&scene.moved(turn), &scene.links);
            same("labels after a turn", &before.labels(), &turned.labels())?;
        }
        Ok(())
    });
}
