//! The examples in Rust, run as a reader would run them.

use crate::{Failure, root, succeed, test};
use std::fs;
use std::path::Path;

/// Runs every program in an `examples/` folder of our crates; each must end well.
pub(crate) fn run() -> Result<(), Failure> {
    let examples = find(&root().join("crates")).map_err(|error| error.to_string())?;
    if examples.is_empty() {
        return Err("there are no examples in crates/*/examples/".into());
    }
    test::build()?;
    for example in examples {
        println!("{example}");
        succeed(&mut test::built(&format!("examples/{example}")))?;
    }
    Ok(())
}

/// Their names, in the order of the alphabet.
fn find(crates: &Path) -> std::io::Result<Vec<String>> {
    let mut found = Vec::new();
    for folder in fs::read_dir(crates)? {
        let Ok(examples) = fs::read_dir(folder?.path().join("examples")) else { continue };
        for example in examples {
            let path = example?.path();
            if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path.file_stem().unwrap_or_default().to_string_lossy().into_owned());
            }
        }
    }
    found.sort();
    Ok(found)
}
