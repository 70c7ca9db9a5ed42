//! The papers' experiments: all of them in a hurry, as a test that they run.

use crate::python::target;
use crate::{Failure, cargo, succeed};

/// Every experiment once, with what data there is, into a folder of its own.
pub(crate) fn quick() -> Result<(), Failure> {
    let run =
        ["run", "--quiet", "--package", "linkshift-papers", "--", "all", "--quick", "--fresh"];
    succeed(cargo(&run).arg("--out").arg(target().join("papers-quick")))
}
