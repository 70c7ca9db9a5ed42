//! Closing 10⁶ links over 10⁶ points, in several shapes: `cargo xtask bench links`.

#![allow(clippy::print_stdout)] // a bench prints its table

#[path = "support/memory.rs"]
mod memory;
#[path = "support/timing.rs"]
mod timing;

use linkshift::{Link, Links, links};

const N: usize = 1_000_000;

fn main() -> linkshift::Result<()> {
    println!("Closing {N} links over {N} points");
    println!("links                        seconds   groups  cannot pairs  peak memory so far");
    show("drawn from 10 classes", &links::draw(&classes(10), N, 1)?)?;
    show("drawn from 1,000 classes", &links::draw(&classes(1_000), N, 1)?)?;
    show("must, drawn from one class", &links::draw(&classes(1), N, 1)?)?;
    show("must, one long chain", &(1..N).map(|row| Link::must(row - 1, row)).collect())?;
    show("must, one star", &(1..N).map(|row| Link::must(0, row)).collect())?;
    show("cannot, one star", &(1..N).map(|row| Link::cannot(0, row)).collect())
}

/// One line of the table.
fn show(name: &str, links: &Links) -> linkshift::Result<()> {
    let (seconds, closure) = timing::best_of(3, || links.close(N));
    let closure = closure?;
    let (n_groups, n_pairs) = (closure.n_groups(), closure.cannot_pairs().len());
    println!("{name:<28}{seconds:>8.3}{n_groups:>9}{n_pairs:>14}  {}", memory::peak());
    Ok(())
}

/// A label for each point, the classes taking turns.
fn classes(n_classes: usize) -> Vec<i64> {
    (0..N).map(|row| (row % n_classes) as i64).collect()
}
