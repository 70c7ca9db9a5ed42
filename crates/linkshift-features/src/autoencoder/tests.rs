use super::layer::{Layer, Moments};
use super::{AutoencoderParams, Training, layers, naive};
use linkshift::{Points, datasets};
use linkshift_io::{SavedEncoder, encoder_from_bytes, encoder_to_bytes};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::ops::ControlFlow;

/// Sums of some dozens of `f32` products against the same in `f64`.
const ROUNDING: f64 = 1e-4;

fn small() -> AutoencoderParams {
    AutoencoderParams {
        hidden: vec![12, 7],
        n_columns: 3,
        pretrain_epochs: 4,
        epochs: 6,
        batch: 20,
        ..Default::default()
    }
}

fn points() -> Points<'static, f64> {
    datasets::blobs(150, 9, 4, 0.5, 5.0, 3).unwrap().points
}

fn random_layers(n_features: usize) -> Vec<Layer> {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut layers = layers(n_features, &small());
    layers.iter_mut().for_each(|layer| layer.scatter(&mut rng));
    // b is 0 at first, and would not show whether it is used.
    layers.iter_mut().for_each(|layer| {
        let from = layer.n_in * layer.n_out;
        layer.weights[from..].iter_mut().enumerate().for_each(|(at, b)| *b = 0.1 * at as f32 - 0.2);
    });
    layers
}

fn trained(points: &Points<'_, f64>, params: &AutoencoderParams) -> Training {
    let mut training = Training::new(points, params).unwrap();
    while !training.is_done() {
        training.pass(points, &mut |_| ControlFlow::Continue(())).unwrap().unwrap();
    }
    training
}

fn empty() -> SavedEncoder {
    let scaler = linkshift::Scaler::none(9);
    let (numbers, arrays) = (Vec::new(), Vec::new());
    SavedEncoder { kind: String::new(), numbers, arrays, intake: None, scaler }
}

#[test]
fn layers_make_of_rows_what_the_formula_says() {
    let points = points();
    let rows: Vec<f32> = points.values().iter().map(|&value| value as f32).collect();
    for layer in [&random_layers(9)[0], &random_layers(9)[5]] {
        let width = layer.n_in;
        let rows = &rows[..rows.len() / width * width];
        let made = layer.forward(rows);
        for (row, made) in rows.chunks_exact(width).zip(made.chunks_exact(layer.n_out)) {
            let row: Vec<f64> = row.iter().map(|&value| f64::from(value)).collect();
            for (a, b) in naive::forward(layer, &row).iter().zip(made) {
                assert!((a - f64::from(*b)).abs() < ROUNDING * (1.0 + a.abs()), "{a} {b}");
            }
        }
    }
}

#[test]
fn gradients_are_the_slopes_that_small_steps_show() {
    let points = points();
    let layers = random_layers(9);
    let rows: Vec<f64> = points.values()[..9 * 7].iter().map(|value| value / 5.0).collect();
    let given: Vec<f32> = rows.iter().map(|&value| value as f32).collect();
    let mut outputs = vec![given.clone()];
    for layer in &layers {
        let output = layer.forward(&outputs[outputs.len() - 1]);
        outputs.push(output);
    }
    let n = given.len() as f32;
    let last = &outputs[layers.len()];
    let mut slope: Vec<f32> = last.iter().zip(&given).map(|(a, b)| 2.0 * (a - b) / n).collect();
    for at in (0..layers.len()).rev() {
        layers[at].cut(&outputs[at + 1], &mut slope);
        let gradient = layers[at].gradient(&outputs[at], &slope);
        for place in (0..gradient.len()).step_by(5) {
            let literal = naive::slope(&layers, &rows, 9, at, place);
            // The step of 1/1024 is exact but for what a unit that crosses 0 on its way adds.
            let off = (literal - f64::from(gradient[place])).abs();
            assert!(
                off < 5e-3 * (0.1 + literal.abs()),
                "{at} {place}: {literal} {}",
                gradient[place]
            );
        }
        slope = layers[at].backward(&slope);
    }
}

#[test]
fn steps_are_adams() {
    let slopes = [0.5, -2.0, 0.25, 3.0];
    let mut layer = Layer { n_in: 1, n_out: 1, rectified: false, weights: vec![0.0; 2] };
    let mut moments = Moments::default();
    for (before, &slope) in slopes.iter().enumerate() {
        layer.descend(&mut moments, &[slope as f32, 0.0], before + 1, 0.1);
    }
    let literal = naive::adam(&slopes, 0.1);
    assert!((literal - f64::from(layer.weights[0])).abs() < ROUNDING, "{literal}");
    assert_eq!(layer.weights[1], 0.0);
}

#[test]
fn training_lowers_the_loss_on_rows_it_has_not_seen() {
    let training = trained(&points(), &AutoencoderParams { epochs: 60, ..small() });
    let whole: Vec<f64> = training
        .curve()
        .iter()
        .filter(|pass| pass.stage == 3)
        .filter_map(|pass| pass.held_out)
        .collect();
    // Rows have a mean square of 1: who gives zeros has a loss of 1.
    assert!(whole[whole.len() - 1] < 0.5 * whole[0] || whole[0] < 0.05, "{whole:?}");
}

#[test]
fn training_that_stopped_goes_on_as_if_it_had_not() {
    let points = points();
    let whole = trained(&points, &small());
    let mut parts = Training::new(&points, &small()).unwrap();
    let mut n_steps = 0;
    while !parts.is_done() {
        // Broken off in the middle of every other pass of seven steps, which then counts for nothing.
        let mut once = |_: &_| {
            n_steps += 1;
            if n_steps % 12 == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        parts.pass(&points, &mut once).unwrap();
        let mut saved = empty();
        parts.save_to(&mut saved);
        let bytes = encoder_to_bytes(&saved).unwrap();
        parts = Training::load(&encoder_from_bytes(&bytes).unwrap()).unwrap();
    }
    assert_eq!(parts.curve(), whole.curve());
    assert_eq!(parts.encoder().apply(&points).unwrap(), whole.encoder().apply(&points).unwrap());
}

#[test]
fn the_number_of_threads_does_not_show() {
    let run = |n_threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
        pool.install(|| trained(&points(), &small()))
    };
    assert_eq!(run(1), run(3));
}

/// Pictures of 4 × 5 pixels in training.
fn pictures() -> (Points<'static, f64>, AutoencoderParams) {
    let points = datasets::blobs(90, 20, 3, 0.5, 5.0, 3).unwrap().points;
    (points, AutoencoderParams { picture: Some((4, 5)), ..small() })
}

#[test]
fn pictures_that_move_train_another_network_the_same_for_any_number_of_threads() {
    let (points, params) = pictures();
    let run = |n_threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
        pool.install(|| trained(&points, &params))
    };
    let moved = run(1);
    assert_eq!(moved, run(2));
    let still = trained(&points, &AutoencoderParams { picture: None, ..params });
    assert_ne!(moved.encoder(), still.encoder());
    // The first pass begins with the same layers; rows held out never move, but what was learned differs.
    assert_ne!(moved.curve()[0].loss, still.curve()[0].loss);
}

#[test]
fn training_on_pictures_goes_on_after_a_stop_as_if_there_was_none() {
    let (points, params) = pictures();
    let mut parts = Training::new(&points, &params).unwrap();
    while !parts.is_done() {
        parts.pass(&points, &mut |_| ControlFlow::Continue(())).unwrap();
        let mut saved = empty();
        parts.save_to(&mut saved);
        let bytes = encoder_to_bytes(&saved).unwrap();
        parts = Training::load(&encoder_from_bytes(&bytes).unwrap()).unwrap();
        assert_eq!(parts.params(), &params);
    }
    assert_eq!(parts.encoder(), trained(&points, &params).encoder());
}

#[test]
fn files_from_before_pictures_could_be_told_are_read() {
    let points = points();
    let training = Training::new(&points, &small()).unwrap();
    let mut saved = empty();
    training.save_to(&mut saved);
    saved.numbers.retain(|(name, _)| name != "picture");
    assert_eq!(Training::load(&saved).unwrap(), training);
    for numbers in [vec![3.0], vec![3.0, 4.0], vec![9e18, 9e18], vec![f64::NAN, 9.0]] {
        let mut bad = saved.clone();
        bad.numbers.push(("picture".into(), numbers.clone()));
        assert!(Training::load(&bad).is_err(), "{numbers:?}");
    }
}

#[test]
fn a_picture_of_another_size_is_refused_and_the_error_says_which_would_do() {
    let refused = |n_features: usize, shape: (usize, usize)| {
        let points = Points::new(vec![1.0; 3 * n_features], n_features).unwrap();
        let params = AutoencoderParams { picture: Some(shape), ..small() };
        Training::new(&points, &params).unwrap_err().to_string()
    };
    let square = refused(784, (28, 27));
    assert!(square.contains("picture") && square.contains("28x27"), "{square}");
    assert!(square.contains("784 columns") && square.contains("such as 28x28"), "{square}");
    // Derived: 24·32 = 768, 25 to 27 do not divide it.
    assert!(refused(768, (28, 28)).contains("such as 24x32"));
    // A label among the columns: 785 = 5·157.
    assert!(refused(785, (28, 28)).contains("label"));
    assert!(refused(784, (0, 28)).contains("0x28"));
    assert!(refused(784, (usize::MAX, 2)).contains("such as 28x28"));
}

#[test]
fn a_stage_ends_when_the_loss_on_rows_held_out_no_longer_falls() {
    // Steps so long that nothing gets better after a few passes.
    let params = AutoencoderParams { learning_rate: 0.2, epochs: 400, patience: 3, ..small() };
    let training = trained(&points(), &params);
    let whole = training.curve().iter().filter(|pass| pass.stage == 3);
    let losses: Vec<f64> = whole.filter_map(|pass| pass.held_out).collect();
    assert!(losses.len() < 400, "{}", losses.len());
    // Derived: none of the last three is lower, by a thousandth, than the lowest before them.
    let (before, after) = losses.split_at(losses.len() - 3);
    let lowest = before.iter().copied().fold(f64::INFINITY, f64::min);
    assert!(after.iter().all(|&loss| loss >= lowest * 0.999), "{losses:?}");
}

#[test]
fn what_cannot_work_is_refused() {
    let points = points();
    let refused =
        |params: AutoencoderParams| Training::new(&points, &params).unwrap_err().to_string();
    assert!(refused(AutoencoderParams { n_columns: 0, ..small() }).contains("n_columns"));
    assert!(refused(AutoencoderParams { hidden: vec![3, 0], ..small() }).contains("hidden"));
    assert!(refused(AutoencoderParams { noise: 1.0, ..small() }).contains("noise"));
    assert!(
        refused(AutoencoderParams { learning_rate: f64::NAN, ..small() }).contains("learning_rate")
    );
    // Found by hand: the memory was asked for, and the program ended.
    let huge = refused(AutoencoderParams { hidden: vec![usize::MAX / 2], ..small() });
    assert!(huge.contains("hidden") && huge.contains("67108864 weights"), "{huge}");
    let zeros = Points::new(vec![0.0; 9], 3).unwrap();
    assert!(Training::new(&zeros, &small()).is_err());
    let mut training = Training::new(&points, &small()).unwrap();
    let fewer = Points::new(points.values()[..90].to_vec(), 9).unwrap();
    let error = training.pass(&fewer, &mut |_| ControlFlow::Continue(())).unwrap_err();
    assert!(error.to_string().contains("150 × 9"), "{error}");
    let encoder = training.encoder();
    assert!(encoder.apply(&Points::new(vec![1.0; 4], 2).unwrap()).is_err());
    let mut saved = empty();
    training.save_to(&mut saved);
    saved.arrays.remove(0);
    assert!(Training::load(&saved).is_err());
}

#[test]
fn a_file_that_promises_more_weights_than_it_has_is_refused_before_memory_is_taken() {
    // Found by fuzzing: 2⁶³ units were believed, and the program ended for want of memory.
    let points = points();
    let params = AutoencoderParams { hidden: vec![4], n_columns: 2, ..Default::default() };
    let mut saved = empty();
    Training::new(&points, &params).unwrap().save_to(&mut saved);
    assert!(Training::load(&saved).is_ok());
    for name in ["hidden", "n_columns", "shape"] {
        let mut huge = saved.clone();
        let numbers = huge.numbers.iter_mut().find(|(known, _)| known == name).unwrap();
        numbers.1.iter_mut().for_each(|number| *number = 9e18);
        assert!(Training::load(&huge).is_err(), "{name}");
    }
}
