//! A Chromium to try the page in: the one that is here, or Debian's, installed on first use.

use crate::{Failure, succeed};
use std::path::{Path, PathBuf};
use std::process::Command;

const NAMES: &[&str] = &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const PACKAGES: &[&str] = &["chromium", "fonts-dejavu-core"];

/// Where it is; none where there is none and none can be installed.
pub(super) fn find() -> Result<Option<PathBuf>, Failure> {
    if let Some(named) = std::env::var_os("LINKSHIFT_BROWSER") {
        let named = PathBuf::from(named);
        let there = named.is_file().then_some(named.clone());
        return there
            .map(Some)
            .ok_or_else(|| format!("LINKSHIFT_BROWSER: there is no {}", named.display()));
    }
    if let Some(found) = on_path() {
        return Ok(Some(found));
    }
    if !may_install() {
        return Ok(None);
    }
    println!("installing Chromium, which the studio is tried in");
    let install = || -> Result<(), Failure> {
        succeed(Command::new("apt-get").args(["update", "-qq"]))?;
        let args = ["install", "-y", "-qq", "--no-install-recommends"];
        let mut install = Command::new("apt-get");
        succeed(install.args(args).args(PACKAGES).env("DEBIAN_FRONTEND", "noninteractive"))
    };
    if let Err(failure) = install() {
        println!("it cannot be installed: {failure}");
    }
    Ok(on_path())
}

fn on_path() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let at =
        |name: &&str| folders.iter().map(|folder| folder.join(name)).find(|file| file.is_file());
    NAMES.iter().find_map(at)
}

/// Debian's tools are here, and we are the one who may use them.
fn may_install() -> bool {
    let root = Command::new("id").arg("-u").output();
    let root = root.is_ok_and(|output| output.stdout.starts_with(b"0\n"));
    root && Path::new("/usr/bin/apt-get").is_file()
}
