//! Drawing links from known labels, as the experiments of the CMS paper do.

use super::{Link, Links};
use crate::error::{LinkError, Result};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeMap, HashSet};

/// Draws `n_links` different pairs of rows, must-links within a class and cannot-links across.
///
/// First comes one cannot-link for each pair of classes, in ascending order of their labels and
/// between a fresh random row of each of the two, so that no two classes go unparted; then random
/// pairs of rows until there are enough. Rows with a negative label are unlabelled and never
/// drawn. The same seed draws the same links.
///
/// ```
/// use linkshift::links;
///
/// let labels = [0, 0, 0, 1, 1, 1, -1];
/// let links = links::draw(&labels, 5, 42)?;
/// assert_eq!(links.len(), 5);
/// assert_eq!(links.report(&labels).share_kept(), 1.0);
/// # Ok::<(), linkshift::Error>(())
/// ```
pub fn draw(labels: &[i64], n_links: usize, seed: u64) -> Result<Links> {
    let mut rows = Vec::new();
    let mut classes: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
    for (row, &label) in labels.iter().enumerate().filter(|&(_, &label)| label >= 0) {
        rows.push(row);
        classes.entry(label).or_default().push(row);
    }
    let classes: Vec<Vec<usize>> = classes.into_values().collect();
    check(n_links, rows.len(), classes.len())?;

    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pick = |rows: &[usize]| rows[rng.random_range(0..rows.len())];
    let mut drawn = HashSet::with_capacity(n_links);
    let mut links = Links::new();
    for (class, one) in classes.iter().enumerate() {
        for other in &classes[class + 1..] {
            let (a, b) = in_order(pick(one), pick(other));
            drawn.insert((a, b));
            links.push(Link::cannot(a, b));
        }
    }
    // Drawing again until the pair is new never takes long: even all P pairs of a set come up
    // within about P·ln P draws.
    while links.len() < n_links {
        let (a, b) = in_order(pick(&rows), pick(&rows));
        if a != b && drawn.insert((a, b)) {
            let same_class = labels[a] == labels[b];
            links.push(if same_class { Link::must(a, b) } else { Link::cannot(a, b) });
        }
    }
    Ok(links)
}

/// Fails unless `n_links` suffice for all pairs of classes and there are as many pairs of rows.
fn check(n_links: usize, n_labelled: usize, n_classes: usize) -> Result<()> {
    let available = n_pairs(n_labelled);
    let least = n_pairs(n_classes);
    let remedy = if n_links > available {
        "ask for fewer links or label more points".to_string()
    } else if n_links < least {
        format!("ask for at least {least}, one for each pair of the {n_classes} classes")
    } else {
        return Ok(());
    };
    Err(LinkError::TooFewPairs { asked: n_links, available, remedy }.into())
}

/// How many pairs `n` things make.
fn n_pairs(n: usize) -> usize {
    // Where usize has 32 bits the product may not fit, though no one can draw that many links.
    usize::try_from(n as u64 * (n as u64).saturating_sub(1) / 2).unwrap_or(usize::MAX)
}

fn in_order(a: usize, b: usize) -> (usize, usize) {
    (a.min(b), a.max(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::links::LinkKind;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn drawn_links_obey_their_laws(
            labels in prop::collection::vec(-1_i64..4, 2..12),
            share in 0.0..=1.0_f64,
            seed: u64,
        ) {
            let mut classes: Vec<i64> = labels.iter().copied().filter(|&label| label >= 0).collect();
            let most = n_pairs(classes.len());
            classes.sort_unstable();
            classes.dedup();
            let least = n_pairs(classes.len());
            let n_links = least + (share * (most - least) as f64).round() as usize;

            let links = draw(&labels, n_links, seed).unwrap();
            prop_assert_eq!(links.len(), n_links);
            prop_assert_eq!(&draw(&labels, n_links, seed).unwrap(), &links);

            let pairs: HashSet<_> = links.iter().map(|link| in_order(link.a, link.b)).collect();
            prop_assert_eq!(pairs.len(), n_links, "pairs are different");
            for link in &links {
                prop_assert!(link.a != link.b && labels[link.a] >= 0 && labels[link.b] >= 0);
            }
            prop_assert!(links.report(&labels).broken.is_empty(), "kinds are those of the labels");

            let class_pairs: HashSet<_> = links.as_slice()[..least]
                .iter()
                .map(|link| {
                    let (a, b) = (labels[link.a], labels[link.b]);
                    (a.min(b), a.max(b))
                })
                .collect();
            prop_assert_eq!(class_pairs.len(), least, "each pair of classes comes first");
            prop_assert!(links.close(labels.len()).is_ok());
        }
    }

    #[test]
    fn every_pair_is_as_likely() {
        // Derived: one class, so that each of the 6 pairs of 4 rows is drawn with probability 1/6:
        // 1000 ± 29 times in 6000 seeds; 150 is five standard deviations.
        let mut counts = BTreeMap::new();
        for seed in 0..6000 {
            let links = draw(&[0; 4], 1, seed).unwrap();
            let link = links.as_slice()[0];
            assert_eq!(link.kind, LinkKind::Must);
            *counts.entry((link.a, link.b)).or_insert(0_i32) += 1;
        }
        assert_eq!(counts.len(), 6);
        assert!(counts.values().all(|count| (count - 1000).abs() < 150), "{counts:?}");
    }

    #[test]
    fn other_seeds_draw_other_links() {
        let labels: Vec<i64> = (0..100).map(|row| row % 3).collect();
        assert_ne!(draw(&labels, 50, 1).unwrap(), draw(&labels, 50, 2).unwrap());
    }

    #[test]
    fn nothing_to_draw_is_no_error_if_nothing_is_asked() {
        for labels in [&[][..], &[3], &[-1, -1], &[2, 2, 2]] {
            assert!(draw(labels, 0, 0).unwrap().is_empty());
        }
    }

    #[test]
    fn more_links_than_pairs_are_refused() {
        // Derived: 3 labelled rows make 3 pairs.
        let error = draw(&[0, 0, 1, -1], 4, 0).unwrap_err();
        assert_eq!(
            error.to_string(),
            "4 links were asked for but 3 can be drawn: ask for fewer links or label more points"
        );
    }

    #[test]
    fn fewer_links_than_pairs_of_classes_are_refused() {
        // Derived: 4 rows make 6 pairs, 3 classes make 3.
        let error = draw(&[0, 1, 2, 2], 2, 0).unwrap_err();
        let remedy = "ask for at least 3, one for each pair of the 3 classes".to_string();
        assert_eq!(error, LinkError::TooFewPairs { asked: 2, available: 6, remedy }.into());
    }
}
