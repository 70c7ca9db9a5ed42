//! What is compiled here once for each type of number, and not again by every crate that calls it.
//!
//! Generic code is compiled where it is used: one call that fits the default method would compile
//! all methods anew, in the command line, the studio and the Python package. So what is small to call and
//! large behind goes through this trait. The public function calls its namesake here, and that the
//! generic body, which is compiled in this crate because the types are known.

use crate::ask::{Asker, Finish};
use crate::drawn::Draw;
use crate::error::Result;
use crate::links::Links;
use crate::method::Clusterer;
use crate::model::Model;
use crate::observe::Observer;
use crate::pca::Pca;
use crate::points::Points;
use crate::predictor::Predictor;
use crate::real::Real;
use crate::scale_choice::{self, ScaleChoice};
use crate::why::{Reasons, Record};

/// For `f32` and `f64`, as [`Real`].
pub trait Compiled: Sized {
    /// The fit of a method chosen at run time.
    fn fit(
        method: &dyn Clusterer,
        points: &Points<'_, Self>,
        links: &Links,
        observer: &mut Observer<'_>,
    ) -> Result<Model<Self>>
    where
        Self: Real;

    /// The same given only the points of a draw.
    fn fit_drawn(
        method: &dyn Clusterer,
        draw: &Draw,
        points: &Points<'_, Self>,
        links: &Links,
        observer: &mut Observer<'_>,
    ) -> Result<Model<Self>>
    where
        Self: Real;

    /// [`Predictor::predict`].
    fn predict(predictor: &Predictor<Self>, points: &Points<'_, Self>) -> Result<Vec<i64>>
    where
        Self: Real;

    /// [`Predictor::check`].
    fn check(predictor: &Predictor<Self>) -> Result<()>
    where
        Self: Real;

    /// [`Reasons::find`].
    fn reasons(record: &Record<'_, Self>, a: usize, b: usize) -> Result<Reasons>
    where
        Self: Real;

    /// [`Asker::finish`].
    fn finish(asker: &Asker<'_, Self>, observer: &mut Observer<'_>) -> Result<Finish<Self>>
    where
        Self: Real;

    /// [`Pca::fit`].
    fn components(points: &Points<'_, Self>, n_components: usize) -> Result<Pca>
    where
        Self: Real;

    /// [`scale_choice::choose`].
    fn scale(points: &Points<'_, Self>, links: &Links) -> ScaleChoice
    where
        Self: Real;
}

macro_rules! compiled {
    ($($real:ty, $fit:ident, $fit_drawn:ident;)*) => {$(
        impl Compiled for $real {
            fn fit(
                method: &dyn Clusterer,
                points: &Points<'_, Self>,
                links: &Links,
                observer: &mut Observer<'_>,
            ) -> Result<Model<Self>> {
                method.$fit(points, links, observer)
            }

            fn fit_drawn(
                method: &dyn Clusterer,
                draw: &Draw,
                points: &Points<'_, Self>,
                links: &Links,
                observer: &mut Observer<'_>,
            ) -> Result<Model<Self>> {
                method.$fit_drawn(draw, points, links, observer)
            }

            fn predict(predictor: &Predictor<Self>, points: &Points<'_, Self>) -> Result<Vec<i64>> {
                predictor.predict_any(points)
            }

            fn check(predictor: &Predictor<Self>) -> Result<()> {
                predictor.check_any()
            }

            fn reasons(record: &Record<'_, Self>, a: usize, b: usize) -> Result<Reasons> {
                Reasons::find_any(record, a, b)
            }

            fn finish(asker: &Asker<'_, Self>, observer: &mut Observer<'_>) -> Result<Finish<Self>> {
                asker.finish_any(observer)
            }

            fn components(points: &Points<'_, Self>, n_components: usize) -> Result<Pca> {
                Pca::fit_any(points, n_components)
            }

            fn scale(points: &Points<'_, Self>, links: &Links) -> ScaleChoice {
                scale_choice::choose_any(points, links)
            }
        }
    )*};
}
compiled! {
    f32, fit_f32, fit_drawn_f32;
    f64, fit_f64, fit_drawn_f64;
}
