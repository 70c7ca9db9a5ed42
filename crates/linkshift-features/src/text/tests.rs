//! Texts against the literal formulas, and the laws of recipes.

use super::params::TextParams;
use super::recipe::TextRecipe;
use super::vocabulary::Vocabulary;
use super::{naive, svd};
use crate::FeatureError;

/// About files, about eggs, and one about neither.
const TEXTS: [&str; 12] = [
    "How do I open a file?",
    "How do I close a file in Python?",
    "Opening files for reading",
    "Read a file line by line",
    "Writing lines to a file, line by line",
    "How long do I boil an egg?",
    "Boiling eggs: how long?",
    "Fry an egg in butter",
    "Fried eggs with butter and salt",
    "Poached eggs, salted butter",
    "Reading and writing",
    "!?",
];

/// Some hundred roundings of numbers up to 1.
const ROUNDING: f64 = 1e-10;

/// The basis is kept in 32 bits.
const IN_F32: f64 = 1e-5;

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

#[test]
fn weights_are_those_of_the_formulas() {
    for (longest_phrase, longest_piece) in [(1, 0), (2, 0), (2, 5), (1, 3)] {
        let params = TextParams { longest_phrase, longest_piece, ..Default::default() };
        // Another path: the literal version.
        let (terms, expected) = naive::weights(&TEXTS, &params);
        let vocabulary = Vocabulary::count(&TEXTS, &params).unwrap();
        assert_eq!(vocabulary.terms(), terms);
        let rows = vocabulary.rows(&TEXTS, &params);
        for (row, expected) in expected.iter().enumerate() {
            let mut dense = vec![0.0; terms.len()];
            rows.row(row).for_each(|(column, weight)| dense[column] = weight);
            for (found, expected) in dense.iter().zip(expected) {
                assert!((found - expected).abs() < ROUNDING, "{row}: {found} is not {expected}");
            }
        }
    }
}

#[test]
fn the_weight_of_a_term_can_be_worked_out_by_hand() {
    let texts = ["tea tea cake", "tea", "cake", "milk"];
    let params = TextParams { longest_phrase: 1, longest_piece: 0, ..Default::default() };
    let vocabulary = Vocabulary::count(&texts, &params).unwrap();
    assert_eq!(vocabulary.terms(), ["cake", "tea"]); // "milk" is in one text only
    // Derived: each is in 2 of 4 texts, ln(5/3) + 1.
    let weight = (5.0_f64 / 3.0).ln() + 1.0;
    assert_eq!(vocabulary.weights(), [weight, weight]);
    // Derived: cake once, tea twice, 1 + ln 2; the common weight goes away with the length.
    let tea = 1.0 + 2.0_f64.ln();
    let length = (1.0 + tea * tea).sqrt();
    let row: Vec<(usize, f64)> = vocabulary.rows(&texts, &params).row(0).collect();
    assert!((row[0].1 - 1.0 / length).abs() < ROUNDING);
    assert!((row[1].1 - tea / length).abs() < ROUNDING);
}

#[test]
fn points_have_the_angles_of_the_whole_decomposition() {
    for n_columns in [1, 2, 4] {
        let params = TextParams { n_columns, ..Default::default() };
        let recipe = TextRecipe::fit(&TEXTS, &params).unwrap();
        let found = recipe.apply::<f64, _>(&TEXTS).unwrap();
        // Another path: the literal version, by faer's dense decomposition. Its vectors may point
        // the other way, which angles do not show.
        let expected = naive::points(&naive::weights(&TEXTS, &params).1, n_columns);
        for a in 0..TEXTS.len() {
            for b in 0..TEXTS.len() {
                let (here, there) = (
                    dot(found.points.row(a), found.points.row(b)),
                    dot(&expected[a], &expected[b]),
                );
                assert!((here - there).abs() < IN_F32, "{n_columns}, {a}, {b}: {here}, {there}");
            }
        }
        assert_eq!(found.unknown_rows, [11]);
    }
}

#[test]
fn angles_are_those_of_scikit_learn() {
    // Outside: scikit-learn 1.9.1, TfidfVectorizer(sublinear_tf=True, min_df=2, ngram_range=(1, 2),
    // token_pattern=r"(?u)\b\w+\b"), TruncatedSVD(3, algorithm="arpack"), normalize.
    let expected = [
        (0, 1, 0.9988532578390966),
        (0, 3, 0.5338264349178874),
        (3, 4, 0.9974656074644954),
        (5, 6, 0.8399816800531091),
        (0, 5, 0.8029841454150161),
        (7, 8, 0.6644371734026141),
        (8, 9, 0.9869055552829266),
        (4, 10, 0.5366691960839516),
    ];
    let params = TextParams { n_columns: 3, longest_piece: 0, ..Default::default() };
    let points = TextRecipe::fit(&TEXTS, &params).unwrap().apply::<f64, _>(&TEXTS).unwrap().points;
    for (a, b, expected) in expected {
        let found = dot(points.row(a), points.row(b));
        assert!((found - expected).abs() < IN_F32, "{a}, {b}: {found} is not {expected}");
    }
}

#[test]
fn vectors_are_orthonormal_and_no_more_than_the_rank() {
    let params = TextParams { longest_piece: 0, ..Default::default() };
    let vocabulary = Vocabulary::count(&TEXTS, &params).unwrap();
    let rows = vocabulary.rows(&TEXTS, &params);
    let basis = svd::right_vectors(&rows, 64, 0).unwrap();
    // 12 texts of which one is empty span 11 directions at the most.
    assert!(basis.width <= 11, "{}", basis.width);
    let column = |at: usize| -> Vec<f64> {
        basis.values.chunks_exact(basis.width).map(|row| row[at]).collect()
    };
    for a in 0..basis.width {
        for b in 0..=a {
            let expected = f64::from(u8::from(a == b));
            assert!((dot(&column(a), &column(b)) - expected).abs() < 1e-8, "{a}, {b}");
        }
    }
}

#[test]
fn rows_have_length_one_and_equal_texts_equal_points() {
    let recipe = TextRecipe::fit(&TEXTS, &TextParams::default()).unwrap();
    let made = recipe.apply::<f32, _>(&["boil eggs", "Boil, eggs!", "?"]).unwrap();
    assert_eq!(made.points.row(0), made.points.row(1));
    let length_sq: f32 = made.points.row(0).iter().map(|x| x * x).sum();
    assert!((length_sq - 1.0).abs() < 1e-6);
    assert_eq!(made.unknown_rows, [2]);
}

#[test]
fn a_text_has_the_same_point_alone_and_among_others() {
    let recipe = TextRecipe::fit(&TEXTS, &TextParams::default()).unwrap();
    let together = recipe.apply::<f64, _>(&TEXTS).unwrap();
    let alone = recipe.apply::<f64, _>(&TEXTS[5..6]).unwrap();
    assert_eq!(alone.points.row(0), together.points.row(5));
}

#[test]
fn a_recipe_survives_being_taken_apart() {
    let params = TextParams { n_columns: 3, ..Default::default() };
    let recipe = TextRecipe::fit(&TEXTS, &params).unwrap();
    let (terms, weights) = (recipe.terms().to_vec(), recipe.weights().to_vec());
    let basis = recipe.basis().to_vec();
    let again =
        TextRecipe::from_parts(params.clone(), terms.clone(), weights.clone(), basis.clone());
    assert_eq!(again.unwrap(), recipe);
    let short = TextRecipe::from_parts(params.clone(), terms.clone(), weights[1..].to_vec(), basis);
    assert_eq!(short.unwrap_err(), FeatureError::Recipe { part: "weights" });
    let ragged = TextRecipe::from_parts(params, terms, weights, recipe.basis()[1..].to_vec());
    assert_eq!(ragged.unwrap_err(), FeatureError::Recipe { part: "basis" });
}

#[test]
fn the_number_of_threads_does_not_show() {
    // 5,000 texts of three words out of 300: several chunks of every kind of work.
    let word = |at: usize| format!("word{}", at * at % 300);
    let texts: Vec<String> =
        (0..5_000).map(|at| [word(at), word(at / 7), word(at / 31)].join(" ")).collect();
    let fit_with = |n_threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
        pool.install(|| {
            let params = TextParams { n_columns: 8, ..Default::default() };
            let recipe = TextRecipe::fit(&texts, &params).unwrap();
            let points = recipe.apply::<f32, _>(&texts).unwrap();
            (recipe, points)
        })
    };
    let alone = fit_with(1);
    assert!(alone == fit_with(2) && alone == fit_with(7));
}

#[test]
fn the_most_frequent_terms_are_kept() {
    let params =
        TextParams { most_terms: 2, longest_piece: 0, longest_phrase: 1, ..Default::default() };
    let vocabulary = Vocabulary::count(&TEXTS, &params).unwrap();
    // Derived by counting: "how" in 4 texts, "do" and "i" in 3, "file" in 4, "a" in 4.
    assert_eq!(vocabulary.terms(), ["a", "file"]);
}

#[test]
fn texts_without_a_common_term_are_refused() {
    let error = TextRecipe::fit(&["one", "two"], &TextParams::default()).unwrap_err();
    assert_eq!(error, FeatureError::NoTerms { n_texts: 2, least_rows: 2 });
    assert_eq!(
        error.to_string(),
        "no word, and no piece of one, occurs in at least 2 of the 2 texts: give more or longer \
         texts, or lower least_rows"
    );
    let none: [&str; 0] = [];
    assert!(TextRecipe::fit(&none, &TextParams::default()).is_err());
}

#[test]
fn parameters_that_cannot_work_say_what_they_must_be() {
    let cases = [
        (TextParams { n_columns: 0, ..Default::default() }, "n_columns = 0"),
        (TextParams { least_rows: 0, ..Default::default() }, "least_rows = 0"),
        (TextParams { longest_piece: 2, ..Default::default() }, "longest_piece = 2"),
    ];
    for (params, start) in cases {
        let error = TextRecipe::fit(&TEXTS, &params).unwrap_err().to_string();
        assert!(error.starts_with(start), "{error}");
    }
}
