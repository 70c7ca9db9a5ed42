//! The first three moments, each in the unit of the values.

/// What the three numbers are called.
pub(super) const NAMES: [&str; 3] = ["mean", "deviation", "skew"];

/// Mean, root of the variance, and cube root of the third central moment (Stricker & Orengo,
/// "Similarity of color images", 1995). The roots keep all three in the unit of the values, and
/// equal values, which have no skewness in units of their deviation, get 0.
pub(super) fn moments(values: &[f64]) -> [f64; 3] {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let central = |power: i32| values.iter().map(|x| (x - mean).powi(power)).sum::<f64>() / n;
    [mean, central(2).sqrt(), central(3).cbrt()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_those_worked_out_by_hand() {
        // Derived: mean 3; (9 + 4 + 25)/4 … of 0, 1, 3, 8: squares 9, 4, 0, 25, sum 38;
        // cubes −27, −8, 0, 125, sum 90.
        let [mean, deviation, skew] = moments(&[0.0, 1.0, 3.0, 8.0]);
        assert_eq!(mean, 3.0);
        assert!((deviation - 9.5_f64.sqrt()).abs() < 1e-15);
        assert!((skew - 22.5_f64.cbrt()).abs() < 1e-15);
        // Mirrored values have the opposite skew.
        assert!((moments(&[0.0, -1.0, -3.0, -8.0])[2] + skew).abs() < 1e-15);
    }

    #[test]
    fn equal_values_have_no_deviation() {
        assert_eq!(moments(&[0.5; 9]), [0.5, 0.0, 0.0]);
    }
}
