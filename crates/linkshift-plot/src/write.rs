//! Files that appear whole or not at all.

use crate::error::PlotError;
use std::io::{self, Write};
use std::path::Path;

/// What a picture's file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Svg,
    Png,
}

impl Format {
    /// The format that a path's extension names, in capitals or not.
    pub(crate) fn of(path: &Path) -> Result<Self, PlotError> {
        let extension = path.extension().map(|extension| extension.to_ascii_lowercase());
        match extension.as_ref().and_then(|extension| extension.to_str()) {
            Some("svg") => Ok(Format::Svg),
            Some("png") => Ok(Format::Png),
            _ => Err(PlotError::Extension { path: path.into() }),
        }
    }
}

/// Writes beside `path` and then renames, so that a failure leaves what was there before.
pub(crate) fn whole_file(path: &Path, bytes: &[u8]) -> Result<(), PlotError> {
    try_whole_file(path, bytes).map_err(|source| PlotError::Write { path: path.into(), source })
}

fn try_whole_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".linkshift-");
    // Temporary files are private by default; a picture has the permissions of any new file.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.flush()?;
    file.persist(path)?;
    Ok(())
}
