//! The looks of the pictures for those who draw with other means, such as Python's matplotlib.

use crate::palette::{BROKEN, INK, KEPT, SUSPICIOUS, look};
use linkshift::params::Named;

/// Colour (as in `#005fc9`) and shape of a cluster's points; those of noise for a negative label.
pub fn of_cluster(label: i64) -> (String, &'static str) {
    let look = look(label);
    (look.color.hex(), look.shape.name())
}

/// The colours of what is drawn over the points, by name. Must-links and cannot-links are told apart
/// by their lines, whole and dashed; red is for what is broken.
pub fn of_signs() -> [(&'static str, String); 5] {
    [
        ("must", KEPT.hex()),
        ("cannot", KEPT.hex()),
        ("suspicious", SUSPICIOUS.hex()),
        ("broken", BROKEN.hex()),
        ("mode", INK.hex()),
    ]
}
