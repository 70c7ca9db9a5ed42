//! What only the parts together show.

mod client;
mod dialogue;
mod security;
mod session;
mod store;
