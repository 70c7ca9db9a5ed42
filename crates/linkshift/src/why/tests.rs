use super::*;
use crate::cms::{Cms, CmsParams};
use crate::kmeans::{KMeans, KMeansParams};
use crate::mean_shift::{MeanShift, MeanShiftParams};

/// Two pairs on a line.
fn pairs() -> Points<'static, f64> {
    Points::new(vec![0.0, 0.25, 3.0, 3.25], 1).unwrap()
}

fn cms(links: &Links) -> (Points<'static, f64>, crate::cms::CmsModel<f64>) {
    let points = pairs();
    let model = Cms::new(CmsParams::default()).unwrap().fit(&points, links).unwrap();
    (points, model)
}

#[test]
fn links_are_followed_to_where_they_part_the_two() {
    let links = Links::from_pairs(&[(0, 1)], &[(0, 2)]);
    let (points, model) = cms(&links);
    let reasons = Reasons::find(&Record::of(&model, &points, &links), 1, 2).unwrap();
    // Derived: 0–2 parts them, and 1–0 leads from the first of the two to its end.
    let chains = [vec![Link::must(0, 1)], vec![]];
    assert_eq!(reasons.links, Said::Apart { link: Link::cannot(0, 2), chains });
    assert!(!reasons.together() && reasons.kept());
    // Derived: the link's ends are 0.25 from 1, and at 2 itself.
    let opposing = Opposing { link: Link::cannot(0, 2), distances: vec![(1, 0.25), (2, 0.0)] };
    assert_eq!(reasons.opposing, Some(opposing));
    let text = reasons.text(&|row| format!("r{row}"), None);
    assert!(text.contains("cannot r0–r2 parts them, since must-links join r1 – r0"), "{text}");
    assert!(text.starts_with("rows      r1 and r2 are apart: r1 is in cluster 0, r2 in cluster 1"));
}

#[test]
fn chains_of_must_links_are_told_in_order() {
    let links = Links::from_pairs(&[(3, 2), (1, 3)], &[]);
    let (points, model) = cms(&links);
    let reasons = Reasons::find(&Record::of(&model, &points, &links), 1, 2).unwrap();
    let chain = vec![Link::must(1, 3), Link::must(3, 2)];
    assert_eq!(reasons.links, Said::Together { chain });
    let text = reasons.text(&|row| row.to_string(), None);
    assert!(text.contains("2 must-links join them: 1 – 3 – 2"), "{text}");
}

#[test]
fn a_doubtful_link_says_nothing_but_is_told() {
    let links: Links =
        [Link { confidence: 0.5, ..Link::must(0, 3) }, Link::cannot(1, 2)].into_iter().collect();
    let (points, model) = cms(&links);
    let reasons = Reasons::find(&Record::of(&model, &points, &links), 3, 0).unwrap();
    assert_eq!(reasons.links, Said::Nothing);
    assert_eq!(reasons.doubtful, [Link { confidence: 0.5, ..Link::must(0, 3) }]);
    let text = reasons.text(&|row| row.to_string(), None);
    assert!(text.contains("must 0–3 was told with confidence 0.5"), "{text}");
}

#[test]
fn ways_lead_to_modes_where_there_are_any() {
    let (points, links) = (pairs(), Links::from_pairs(&[], &[(0, 1)]));
    let params = MeanShiftParams {
        bandwidth: crate::bandwidth::Bandwidth::Fixed(1.0),
        obey: crate::obey::Obey::AsFound,
        ..MeanShiftParams::default()
    };
    let model = MeanShift::new(params).unwrap().fit(&points, &links).unwrap();
    let reasons = Reasons::find(&Record::of(&model, &points, &links), 0, 1).unwrap();
    let ways = reasons.ways.clone().unwrap();
    assert_eq!((ways.meeting, ways.between_ends, ways.bandwidth), (Meeting::Unknown, 0.0, 1.0));
    // Derived: by symmetry the mode lies in the middle, 0.125 from both; it is found to 0.001 · h.
    assert!(ways.lengths.iter().all(|length| (length - 0.125).abs() < 2e-3), "{ways:?}");
    assert!(!reasons.kept());
    let text = reasons.text(&|row| row.to_string(), Some("mean-shift"));
    assert!(text.contains("the clusters break this"), "{text}");
    assert!(text.contains("mean-shift does not listen to links"), "{text}");

    let model = KMeans::new(KMeansParams::of(2)).unwrap().fit(&points, &links).unwrap();
    assert_eq!(Reasons::find(&Record::of(&model, &points, &links), 0, 1).unwrap().ways, None);
}

#[test]
fn rows_that_are_not_there_are_refused() {
    let links = Links::new();
    let (points, model) = cms(&links);
    let record = Record::of(&model, &points, &links);
    let error = Reasons::find(&record, 0, 4).unwrap_err().to_string();
    assert_eq!(error, "row = 4 cannot work: it must be from 0 to 3, a row of the model");
    assert!(Reasons::find(&record, 2, 2).unwrap_err().to_string().contains("two different rows"));
}
