//! The studio: look, answer, correct, export, in the browser.
//!
//! A server on this machine shows all points on a map, asks the questions that are worth most, and clusters
//! by the answers.
//!
//! ```text
//! browser ── guard.rs ── routes.rs ── app.rs ┬ session.rs   what was said, names, undo
//!            who may ask  one table    a lock  ├ store.rs     on the disk before it is acknowledged
//!                                              ├ brain.rs     next question, labels at once
//!                                              └ jobs.rs      full fit and map in the background
//! ```

mod app;
mod brain;
mod clusters;
mod command;
mod correct;
mod data;
mod demo;
mod entry;
mod error;
mod export;
mod guard;
mod jobs;
mod live;
mod map;
mod pictures;
mod question;
mod routes;
mod server;
mod session;
mod state;
mod store;
#[cfg(test)]
mod tests;
mod worth;

pub use data::{Column, Data, Numbers, Origin};
pub use demo::Demo;
pub use error::{Result, StudioError};
pub use pictures::{Picture, Pictures};
pub use server::{Bound, Studio};

/// Opens an address in the browser of whoever is at this machine; whether that worked.
pub fn open_browser(url: &str) -> bool {
    open::that_detached(url).is_ok()
}
