//! Writing: tables, labels and links, each file complete or not at all.

mod beside;
mod formats;
mod labels;
mod staged;
mod table;

pub use beside::write_beside;
pub use labels::{LabelChunk, write_label_chunks, write_labels, write_named_labels};
pub use staged::{AboutFile, Output, Staged};
pub use table::{Beside, write_table, write_table_beside};

pub(crate) use formats::write_text;
