//! Textures: how much a picture swings at which length and in which direction.
//!
//! The brightness, reduced or enlarged to 64 × 64, passes through 40 Gabor wavelets (Lades et al.
//! 1993): wave vectors k of length k_ν = (π/2)/√2^ν, ν = 0 … 4, and direction φ_μ = μ·π/8, μ = 0 … 7.
//! In frequencies ω a wavelet is
//!
//! ```text
//! ψ̂(ω) = exp(−σ²|ω − k|² / 2k²) − exp(−σ²(|ω|² + k²) / 2k²),    σ = 2π,
//! ```
//!
//! whose second part makes it deaf to the mean brightness. Of the size of each response: mean,
//! deviation and skew (`moments.rs`): 5 · 8 · 3 = 120 numbers. The picture is continued
//! periodically, which makes each passage a product of Fourier transforms.

use super::moments::{self, NAMES};
use super::picture::Gray;
use super::resize::resized;
use rustfft::num_complex::Complex;
use rustfft::{Fft, FftPlanner};
use std::f64::consts::PI;
use std::sync::{Arc, LazyLock};

/// Pixels in each direction.
const SIDE: usize = 64;

const LENGTHS: usize = 5;
const DIRECTIONS: usize = 8;

pub(super) const N_FEATURES: usize = 120;

type Waves = Vec<Complex<f64>>;

static BANK: LazyLock<Bank> = LazyLock::new(|| Bank::new(SIDE));

/// The moments of all responses, by length of wave, shortest first, then by direction.
pub(super) fn moments(gray: &Gray) -> Vec<f64> {
    let (pixels, _) = gray.values.as_chunks::<1>();
    let pixels = resized(pixels, (gray.width, gray.height), (SIDE, SIDE));
    let brightness: Vec<f64> = pixels.iter().map(|&[value]| f64::from(value) / 255.0).collect();
    BANK.responses(&brightness).iter().flat_map(|sizes| moments::moments(sizes)).collect()
}

/// The wavelet of length ν and direction μ at a frequency in radians per pixel.
pub(super) fn wavelet(nu: usize, mu: usize, right: f64, down: f64) -> f64 {
    const SIGMA_SQ: f64 = 4.0 * PI * PI;
    let k = PI / 2.0 / 2.0_f64.powf(nu as f64 / 2.0);
    let (sin, cos) = (mu as f64 * PI / DIRECTIONS as f64).sin_cos();
    let (k_right, k_down) = (k * cos, k * sin);
    let distance_sq = (right - k_right).powi(2) + (down - k_down).powi(2);
    let wave = (-SIGMA_SQ * distance_sq / (2.0 * k * k)).exp();
    let mean = (-SIGMA_SQ * (right * right + down * down + k * k) / (2.0 * k * k)).exp();
    wave - mean
}

/// All wavelets for pictures of one size.
pub(super) struct Bank {
    side: usize,
    forward: Arc<dyn Fft<f64>>,
    backward: Arc<dyn Fft<f64>>,
    /// At each frequency, columns first.
    wavelets: Vec<Vec<f64>>,
}

impl Bank {
    pub(super) fn new(side: usize) -> Self {
        let mut planner = FftPlanner::new();
        // Frequencies above half the side stand for the negative ones.
        let frequency = |at: usize| {
            let turns = if 2 * at > side { at as f64 - side as f64 } else { at as f64 };
            2.0 * PI * turns / side as f64
        };
        let places = || (0..side * side).map(|at| (frequency(at / side), frequency(at % side)));
        let wavelets = (0..LENGTHS * DIRECTIONS).map(|at| {
            let (nu, mu) = (at / DIRECTIONS, at % DIRECTIONS);
            places().map(|(right, down)| wavelet(nu, mu, right, down)).collect()
        });
        Self {
            side,
            forward: planner.plan_fft_forward(side),
            backward: planner.plan_fft_inverse(side),
            wavelets: wavelets.collect(),
        }
    }

    /// The size of each response, at every pixel.
    pub(super) fn responses(&self, brightness: &[f64]) -> Vec<Vec<f64>> {
        let waves = brightness.iter().map(|&value| Complex::new(value, 0.0)).collect();
        let frequencies = self.transform(waves, &*self.forward);
        let n_pixels = (self.side * self.side) as f64;
        let response = |wavelet: &Vec<f64>| {
            let passed = frequencies.iter().zip(wavelet).map(|(wave, factor)| wave * factor);
            let response = self.transform(passed.collect(), &*self.backward);
            response.iter().map(|value| value.norm() / n_pixels).collect()
        };
        self.wavelets.iter().map(response).collect()
    }

    /// In both directions; rows and columns are exchanged.
    fn transform(&self, mut waves: Waves, fft: &dyn Fft<f64>) -> Waves {
        fft.process(&mut waves);
        let mut turned = vec![Complex::ZERO; waves.len()];
        for (y, row) in waves.chunks_exact(self.side).enumerate() {
            for (x, &value) in row.iter().enumerate() {
                turned[x * self.side + y] = value;
            }
        }
        fft.process(&mut turned);
        turned
    }
}

pub(super) fn names() -> Vec<String> {
    let mut names = Vec::new();
    for at in 0..LENGTHS * DIRECTIONS {
        let (nu, mu) = (at / DIRECTIONS, at % DIRECTIONS);
        names.extend(NAMES.map(|moment| format!("gabor_{nu}_{mu}_{moment}")));
    }
    names
}
