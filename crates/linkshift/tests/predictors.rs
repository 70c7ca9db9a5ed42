//! The law that every method obeys: a predictor gives the labels that its model gives, on the
//! fitted points and on others, and of the fitted points their own where the method promises it.
#![allow(clippy::unwrap_used, reason = "helpers of tests are tests too")]

use linkshift::bandwidth::Bandwidth;
use linkshift::boosted::{Boosted, BoostedModel, BoostedParams};
use linkshift::cdbscan::{Cdbscan, CdbscanModel, CdbscanParams};
use linkshift::cms::{Cms, CmsModel, CmsParams, Representatives};
use linkshift::constrained_spectral::{
    ConstrainedSpectral, ConstrainedSpectralModel, ConstrainedSpectralParams,
};
use linkshift::kernel_mean_shift::{
    KernelMeanShift, KernelMeanShiftModel, KernelMeanShiftParams, Mercer,
};
use linkshift::kmeans::{Ampcc, AmpccParams, Cop, CopParams, KMeans, KMeansModel, KMeansParams};
use linkshift::kmeans::{MetricKind, Mpck, MpckParams, Pcck, PcckParams, Pck, PckParams};
use linkshift::mean_shift::{LabelRule, MeanShift, MeanShiftModel, MeanShiftParams};
use linkshift::spectral::{Spectral, SpectralModel, SpectralParams};
use linkshift::{LinkKind, Links, Points, Predictor, Real, Result, datasets, links};

/// Fitted points, others, and links between the fitted ones.
struct Scene<T: Real> {
    seen: Points<'static, T>,
    unseen: Points<'static, T>,
    links: Links,
}

fn scene<T: Real>() -> Scene<T> {
    let moons = datasets::moons(120, 0.1, 3).unwrap();
    let others = datasets::moons(80, 0.15, 4).unwrap();
    let links = links::draw(&moons.labels, 15, 3).unwrap();
    Scene { seen: moons.cast().unwrap(), unseen: others.cast().unwrap(), links }
}

/// A model of any method, by what they all can do.
struct Model<T: Real, M> {
    name: &'static str,
    model: M,
    labels: fn(&M) -> &[i64],
    predict: fn(&M, &Points<'_, T>) -> Result<Vec<i64>>,
    into_predictor: fn(M) -> Predictor<T>,
}

impl<T: Real, M> Model<T, M> {
    /// The predictor gives the model's labels; returns whether those of the fitted points are their
    /// own.
    fn obeys_the_law(self, scene: &Scene<T>) -> bool {
        let name = self.name;
        let labels = (self.labels)(&self.model).to_vec();
        let seen = (self.predict)(&self.model, &scene.seen).unwrap();
        let unseen = (self.predict)(&self.model, &scene.unseen).unwrap();
        let mut predictor = (self.into_predictor)(self.model);
        assert_eq!(predictor.predict(&scene.seen).unwrap(), seen, "{name}");
        assert_eq!(predictor.predict(&scene.unseen).unwrap(), unseen, "{name}");

        let wide = Points::new(vec![T::one(); 3 * 500], 500).unwrap();
        assert!(predictor.predict(&wide).is_err(), "{name}");

        predictor.relabel(|label| if label < 0 { -1 } else { label + 10 });
        let renamed: Vec<i64> =
            seen.iter().map(|&label| if label < 0 { -1 } else { label + 10 }).collect();
        assert_eq!(predictor.predict(&scene.seen).unwrap(), renamed, "{name}");
        labels == seen
    }
}

fn mean_shift<T: Real>(params: MeanShiftParams) -> bool {
    let scene = scene::<T>();
    let model = Model {
        name: "mean shift",
        model: MeanShift::new(params).unwrap().fit(&scene.seen, &scene.links).unwrap(),
        labels: MeanShiftModel::labels,
        predict: MeanShiftModel::predict,
        into_predictor: MeanShiftModel::into_predictor,
    };
    model.obeys_the_law(&scene)
}

fn cms<T: Real>(params: CmsParams) -> bool {
    let scene = scene::<T>();
    let model = Model {
        name: "cms",
        model: Cms::new(params).unwrap().fit(&scene.seen, &scene.links).unwrap(),
        labels: CmsModel::labels,
        predict: CmsModel::predict,
        into_predictor: CmsModel::into_predictor,
    };
    model.obeys_the_law(&scene)
}

fn kernel<T: Real>(params: KernelMeanShiftParams) -> bool {
    let scene = scene::<T>();
    let must: Links = scene.links.iter().filter(|l| l.kind == LinkKind::Must).copied().collect();
    let model = Model {
        name: "kernel",
        model: KernelMeanShift::new(params).unwrap().fit(&scene.seen, &must).unwrap(),
        labels: KernelMeanShiftModel::labels,
        predict: KernelMeanShiftModel::predict,
        into_predictor: KernelMeanShiftModel::into_predictor,
    };
    model.obeys_the_law(&scene)
}

fn kmeans<T: Real>(
    name: &'static str,
    fit: impl Fn(&Points<'_, T>, &Links) -> Result<KMeansModel<T>>,
) -> bool {
    let scene = scene::<T>();
    let model = Model {
        name,
        model: fit(&scene.seen, &scene.links).unwrap(),
        labels: KMeansModel::labels,
        predict: KMeansModel::predict,
        into_predictor: KMeansModel::into_predictor,
    };
    model.obeys_the_law(&scene)
}

fn spectral<T: Real>(params: SpectralParams) -> bool {
    let scene = scene::<T>();
    let model = Model {
        name: "spectral",
        model: Spectral::new(params).unwrap().fit(&scene.seen, &scene.links).unwrap(),
        labels: SpectralModel::labels,
        predict: SpectralModel::predict,
        into_predictor: SpectralModel::into_predictor,
    };
    model.obeys_the_law(&scene)
}

/// Both number types.
fn both(in_f64: bool, in_f32: bool) -> bool {
    in_f64 && in_f32
}

#[test]
fn mean_shift_keeps_the_law_by_every_rule() {
    let base = MeanShiftParams { bandwidth: Bandwidth::Fixed(0.3), ..Default::default() };
    let per_point =
        MeanShiftParams { bandwidth: Bandwidth::PerPoint { k: 8 }, ..Default::default() };
    let blurring = MeanShiftParams { blurring: true, ..base.clone() };
    for params in [base.clone(), per_point, blurring] {
        assert!(both(mean_shift::<f64>(params.clone()), mean_shift::<f32>(params)));
    }
    let nearest = MeanShiftParams { labels: Some(LabelRule::Nearest), cluster_all: false, ..base };
    assert!(both(mean_shift::<f64>(nearest.clone()), mean_shift::<f32>(nearest)));
}

#[test]
fn constrained_mean_shift_keeps_the_law() {
    let base = CmsParams::default;
    let blurring = CmsParams { blurring: true, ..base() };
    for params in [base(), blurring, CmsParams::paper_toy()] {
        assert!(both(cms::<f64>(params.clone()), cms::<f32>(params)));
    }
    let gathered = CmsParams { representatives: Representatives::Count(40), ..base() };
    assert!(both(cms::<f64>(gathered.clone()), cms::<f32>(gathered)));
}

#[test]
fn kernel_mean_shift_keeps_the_law() {
    let base = KernelMeanShiftParams::default;
    let linear = KernelMeanShiftParams { kernel: Mercer::Linear, ..base() };
    let gathered = KernelMeanShiftParams { representatives: Representatives::Count(40), ..base() };
    for params in [base(), linear, gathered] {
        kernel::<f64>(params.clone());
        kernel::<f32>(params);
    }
}

#[test]
fn k_means_and_its_relatives_keep_the_law() {
    let common = || KMeansParams::of(3);
    let full = MpckParams {
        common: common(),
        metric: MetricKind::Full,
        shared: false,
        ..Default::default()
    };
    fn all<T: Real>(common: impl Fn() -> KMeansParams, full: &MpckParams) -> Vec<bool> {
        let pck = PckParams { common: common(), ..Default::default() };
        let mpck = MpckParams { common: common(), ..Default::default() };
        let cop = CopParams { common: common(), ..Default::default() };
        let ampcc = AmpccParams { common: common(), ..Default::default() };
        let pcck = PcckParams { common: common(), ..Default::default() };
        vec![
            kmeans::<T>("kmeans", |points, links| KMeans::new(common())?.fit(points, links)),
            kmeans::<T>("pck", |points, links| Pck::new(pck.clone())?.fit(points, links)),
            kmeans::<T>("mpck", |points, links| Mpck::new(mpck.clone())?.fit(points, links)),
            kmeans::<T>("mpck", |points, links| Mpck::new(full.clone())?.fit(points, links)),
            kmeans::<T>("cop", |points, links| Cop::new(cop.clone())?.fit(points, links)),
            kmeans::<T>("pcck", |points, links| Pcck::new(pcck.clone())?.fit(points, links)),
            kmeans::<T>("ampcc", |points, links| Ampcc::new(ampcc.clone())?.fit(points, links)),
        ]
    }
    assert_eq!(all::<f64>(common, &full), [true; 7]);
    assert_eq!(all::<f32>(common, &full), [true; 7]);
}

#[test]
fn spectral_clustering_keeps_the_law() {
    let gathered =
        SpectralParams { representatives: Representatives::Count(40), ..Default::default() };
    for params in [SpectralParams::default(), gathered] {
        assert!(both(spectral::<f64>(params.clone()), spectral::<f32>(params)));
    }
}

#[test]
fn the_other_methods_keep_the_law() {
    let scene = scene::<f64>();
    let model = Model {
        name: "boosted",
        model: Boosted::new(BoostedParams::default())
            .unwrap()
            .fit(&scene.seen, &scene.links)
            .unwrap(),
        labels: BoostedModel::labels,
        predict: BoostedModel::predict,
        into_predictor: BoostedModel::into_predictor,
    };
    assert!(model.obeys_the_law(&scene));

    let params = ConstrainedSpectralParams { n_clusters: 2, ..Default::default() };
    let method = ConstrainedSpectral::new(params).unwrap();
    let model = Model {
        name: "constrained spectral",
        model: method.fit(&scene.seen, &scene.links).unwrap(),
        labels: ConstrainedSpectralModel::labels,
        predict: ConstrainedSpectralModel::predict,
        into_predictor: ConstrainedSpectralModel::into_predictor,
    };
    assert!(model.obeys_the_law(&scene));

    // The second without a single core point. Own labels are not promised: a link may have put a
    // point elsewhere.
    for eps in [0.2, 1e-9] {
        let method = Cdbscan::new(CdbscanParams { eps, ..Default::default() }).unwrap();
        let model = Model {
            name: "cdbscan",
            model: method.fit(&scene.seen, &scene.links).unwrap(),
            labels: CdbscanModel::labels,
            predict: CdbscanModel::predict,
            into_predictor: CdbscanModel::into_predictor,
        };
        model.obeys_the_law(&scene);
    }
}
