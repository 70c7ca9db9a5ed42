//! Every method there is, for doors that let a person choose.
//!
//! ```
//! use linkshift::params::Value;
//! use linkshift::{datasets, links, observe, registry};
//!
//! let moons = datasets::moons(100, 0.1, 7)?;
//! let links = links::draw(&moons.labels, 12, 7)?;
//! let cms = registry::find("cms").expect("it is there");
//! let method = cms.configure(&[("max_iter", Value::Count(50))])?;
//! let model = method.fit(&moons.points, &links, &mut observe::ignore)?;
//! assert_eq!(model.labels().len(), 100);
//! # Ok::<(), linkshift::Error>(())
//! ```

use crate::auto::AutoParams;
use crate::boosted::BoostedParams;
use crate::cdbscan::CdbscanParams;
use crate::cms::CmsParams;
use crate::constrained_spectral::ConstrainedSpectralParams;
use crate::error::Result;
use crate::kernel_mean_shift::KernelMeanShiftParams;
use crate::kmeans::{AmpccParams, CopParams, KMeansParams, MpckParams, PcckParams, PckParams};
use crate::mean_shift::MeanShiftParams;
use crate::method::{Algorithm, Clusterer, Info, Method};
use crate::params::{self, ParamInfo, Preset, Value};
use crate::spectral::SpectralParams;

/// The method for whoever does not want to choose one.
pub const DEFAULT: &str = "auto";

/// All methods, in the order in which they are listed.
// A static: what a constant points to would be compiled again in every crate that names it, and that
// is all methods.
pub static METHODS: &[Entry] = &[
    Entry::of::<AutoParams>(),
    Entry::of::<MeanShiftParams>(),
    Entry::of::<CmsParams>(),
    Entry::of::<BoostedParams>(),
    Entry::of::<KernelMeanShiftParams>(),
    Entry::of::<KMeansParams>(),
    Entry::of::<CopParams>(),
    Entry::of::<PckParams>(),
    Entry::of::<MpckParams>(),
    Entry::of::<PcckParams>(),
    Entry::of::<AmpccParams>(),
    Entry::of::<SpectralParams>(),
    Entry::of::<ConstrainedSpectralParams>(),
    Entry::of::<CdbscanParams>(),
];

/// A method, to be looked at and to be made.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// What it is.
    pub info: Info,
    params: fn() -> Vec<ParamInfo>,
    presets: fn() -> Vec<PresetInfo>,
    configure: Configure,
}

/// From settings to a method.
type Configure = fn(&[(&str, Value)]) -> Result<Box<dyn Clusterer>>;

/// A preset as doors show it.
#[derive(Debug, Clone, PartialEq)]
pub struct PresetInfo {
    /// Its name in every door.
    pub name: &'static str,
    /// One sentence.
    pub what: &'static str,
    /// Parameters that must be set along with it.
    pub needs: &'static [&'static str],
    /// What it sets otherwise than by default.
    pub settings: Vec<(&'static str, Value)>,
}

impl Entry {
    const fn of<P: Algorithm>() -> Self {
        Self {
            info: P::INFO,
            params: params::describe::<P>,
            presets: || P::PRESETS.iter().map(preset_info).collect(),
            configure: |settings| {
                let method = Method::new(params::configure::<P>(settings)?)?;
                Ok(Box::new(method))
            },
        }
    }

    /// What can be set.
    pub fn params(&self) -> Vec<ParamInfo> {
        (self.params)()
    }

    /// Whether it has a parameter.
    pub fn has(&self, key: &str) -> bool {
        self.params().iter().any(|param| param.key == key)
    }

    /// Settings under a name.
    pub fn presets(&self) -> Vec<PresetInfo> {
        (self.presets)()
    }

    /// The method with these settings; every parameter error that does not depend on the points is
    /// here.
    pub fn configure(&self, settings: &[(&str, Value)]) -> Result<Box<dyn Clusterer>> {
        (self.configure)(settings)
    }
}

fn preset_info<P: Algorithm>(preset: &Preset<P>) -> PresetInfo {
    let Preset { name, what, needs, params } = *preset;
    PresetInfo { name, what, needs, settings: params::differences(&params()) }
}

/// The method of this name.
pub fn find(name: &str) -> Option<&'static Entry> {
    METHODS.iter().find(|entry| entry.info.name == name)
}
