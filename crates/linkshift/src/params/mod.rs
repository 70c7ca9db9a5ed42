//! Parameters as data: one table per method, from which every door is made.
//!
//! A method's `…Params` is a plain struct for Rust users. Beside it stands its table, a [`Param`] for
//! each thing that can be set: the key, one sentence, what is allowed, and the field it means. The
//! default is not in the table: it is what `Default` says. The command line's `--set` and `methods`,
//! the Python estimators, model files and the reference in `docs/` read the table or are compared
//! with it, so a new parameter is a field, its default and a row.
//!
//! ```
//! use linkshift::cms::CmsParams;
//! use linkshift::params::{self, Value};
//!
//! let params: CmsParams = params::configure(&[("link_scale", Value::Number(0.4))])?;
//! assert_eq!(params, CmsParams { link_scale: 0.4, ..CmsParams::default() });
//!
//! let error = params::configure::<CmsParams>(&[("link_scale", Value::Number(0.0))]).unwrap_err();
//! assert_eq!(error.to_string(), "link_scale = 0 cannot work: it must be a number above 0");
//! # Ok::<(), linkshift::Error>(())
//! ```

mod range;
mod setting;
pub(crate) mod shared;
mod table;
mod value;

pub use range::Range;
pub use setting::{Form, Named, Setting};
pub use table::{
    MEMORY_MB, N_CLUSTERS, OBEY, PRESET, Param, ParamInfo, Preset, SEED, Slot, check, configure,
    describe, differences, value,
};
pub use value::Value;
