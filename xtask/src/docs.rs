//! The documentation as a site, and what programs write of it: transcripts, reference, pictures.

use crate::python::target;
use crate::{Failure, USAGE, cargo, root, succeed, wheel};
use std::path::PathBuf;
use std::process::Command;

/// The program that makes a site of `docs/`.
const MDBOOK: &str = "mdbook@0.5.4";

/// Runs all pages and puts current output into them.
const PAGES: &str = "crates/linkshift-py/tests/pages.py";

/// Draws the pictures of the concepts.
const PICTURES: &str = "docs/pictures/draw.py";

/// Without options the site, in `target/book`; with `--refresh` also what programs write of it.
pub(crate) fn run(args: &[&str]) -> Result<(), Failure> {
    match args {
        [] => {}
        ["--refresh"] => refresh()?,
        _ => return Err(format!("no such option: {}\n{USAGE}", args.join(" "))),
    }
    let book = mdbook()?;
    succeed(Command::new(book).arg("build").arg(root().join("docs")))?;
    println!("{}", target().join("book/index.html").display());
    Ok(())
}

fn refresh() -> Result<(), Failure> {
    let environment = wheel::for_tests()?;
    succeed(&mut environment.command(&[PICTURES]))?;
    succeed(&mut environment.command(&[PAGES, "--write"]))
}

/// The program, built into the target folder if there is none at hand.
fn mdbook() -> Result<PathBuf, Failure> {
    let starts = |program: &PathBuf| {
        let output = Command::new(program).arg("--version").output();
        output.is_ok_and(|output| output.status.success())
    };
    let folder = target().join("mdbook");
    let own = folder.join(format!("bin/mdbook{}", std::env::consts::EXE_SUFFIX));
    let at_hand = [PathBuf::from("mdbook"), own.clone()].into_iter().find(starts);
    match at_hand {
        Some(program) => Ok(program),
        None => {
            println!("building {MDBOOK} in {}, once", folder.display());
            // Without the parts that serve and watch, which are half of it.
            let parts = ["--no-default-features", "--features", "search"];
            let install = &mut cargo(&["install", "--locked", "--quiet", MDBOOK]);
            succeed(install.args(parts).arg("--root").arg(&folder))?;
            Ok(own)
        }
    }
}
