//! How seconds grow with size.

/// The exponent e of the power law seconds = c·size^e that fits best: the slope of the line
/// through the logarithms, by least squares.
pub(crate) fn exponent(measured: &[(usize, f64)]) -> f64 {
    let logs: Vec<(f64, f64)> =
        measured.iter().map(|&(size, seconds)| ((size as f64).ln(), seconds.ln())).collect();
    let n = logs.len() as f64;
    let mean_x = logs.iter().map(|(x, _)| x).sum::<f64>() / n;
    let mean_y = logs.iter().map(|(_, y)| y).sum::<f64>() / n;
    let covariance: f64 = logs.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    let variance: f64 = logs.iter().map(|(x, _)| (x - mean_x).powi(2)).sum();
    covariance / variance
}
