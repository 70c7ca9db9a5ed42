//! Tables and links in, labels out: the files of linkshift.
//!
//! ```text
//! csv, tsv (also .gz) ┐
//! parquet, arrow      ┼→ read_table → Table → Points      read_links → Vec<Link>
//! npy                 ┘                write_labels, write_links, write_table ← results
//! model               ←→ read_model, write_model ←→ SavedModel
//! ```
//!
//! The format follows the file's extension ([`Format`]). Text is read as a stream and parsed
//! straight into `f32` or `f64`. Every error ([`IoError`]) names the file and, where there is one,
//! the line and the column. Files are written beside their target and renamed when complete
//! ([`write_beside`]), so a crash leaves the old file or the new one, never half of one; files that
//! belong together are put in place together ([`Staged`]).
//!
//! ```
//! use linkshift_io::{ReadOptions, read_links, read_table, write_labels};
//!
//! let folder = tempfile::tempdir()?;
//! let data = folder.path().join("data.csv");
//! std::fs::write(&data, "name,x,y\nann,0,0\nbob,0.1,0\ncy,5,5\n")?;
//! let links = folder.path().join("links.csv");
//! std::fs::write(&links, "a,b,kind\nann,cy,cannot\n")?;
//!
//! let options = ReadOptions { id_column: Some("name".into()), ..Default::default() };
//! let table = read_table::<f32>(&data, &options)?;
//! assert_eq!(table.columns, ["x", "y"]);
//! assert_eq!(table.points()?.n_points(), 3);
//!
//! let ids = table.ids.as_deref();
//! let links = read_links(&links, table.n_rows, ids)?;
//! assert_eq!(links, [linkshift::Link::cannot(0, 2)]);
//!
//! write_labels(&folder.path().join("labels.csv"), &[0, 0, 1], ids)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answers;
mod bounded;
mod chunks;
mod columnar;
mod columns;
mod dates;
mod error;
mod folder;
mod format;
mod gathered;
mod guard;
mod labels;
mod links;
mod lists;
mod model;
mod npy;
mod number;
mod recipe;
mod settle;
mod table;
mod text;
mod write;

pub use answers::AnswersFile;
pub use chunks::{Survey, TableChunks};
pub use error::{At, IntakeProblem, IoError, Place, Problem, SystemError};
pub use format::Format;
pub use guard::{guarded, silence_guarded_panics};
pub use links::{link_ends, read_links, states_confidences, write_links};
pub use model::{
    AnyModel, Content, ContentKind, Element, Intake, SavedEncoder, SavedModel, TextParts,
    encoder_from_bytes, encoder_to_bytes, model_from_bytes, model_to_bytes, read_encoder,
    read_model, write_encoder, write_model,
};
pub use recipe::{Categories, ColumnKind, ColumnRecipe, DateUnit, Missing, TableRecipe};
pub use table::{Header, ReadOptions, Table, read_column, read_table};
pub use write::{
    AboutFile, Beside, LabelChunk, Output, Staged, write_beside, write_label_chunks, write_labels,
    write_named_labels, write_table, write_table_beside,
};
