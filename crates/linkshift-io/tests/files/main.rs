//! Tables, links, answers and models as files: one program, as linking the readers takes longer than the tests.

mod answers;
mod bad_tables;
mod chunks;
mod formats;
mod intake;
mod links;
mod models;
mod round_trips;
mod staged;
mod tables;
mod typed_columns;
mod writing;
