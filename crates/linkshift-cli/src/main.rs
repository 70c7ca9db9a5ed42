//! The linkshift command line.
fn main() {}
