//! Cluster numbers that depend on nothing but who is together.

/// Numbers raw labels by their first member; negative ones stay −1. Returns the new labels and,
/// for each new label, the raw one.
pub(crate) fn number_by_first_member(raw: &[i64]) -> (Vec<i64>, Vec<usize>) {
    let mut new_of = std::collections::HashMap::new();
    let mut raw_of = Vec::new();
    let labels = raw
        .iter()
        .map(|&label| {
            if label < 0 {
                return -1;
            }
            *new_of.entry(label).or_insert_with(|| {
                raw_of.push(label as usize);
                raw_of.len() as i64 - 1
            })
        })
        .collect();
    (labels, raw_of)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_to_appear_is_0_and_noise_stays_noise() {
        let (labels, raw_of) = number_by_first_member(&[7, -3, 2, 7, 5]);
        assert_eq!((labels, raw_of), (vec![0, -1, 1, 0, 2], vec![7, 2, 5]));
    }
}
