//! Files to write: checked before the work, prepared after it, put in place all together.

use crate::failure::{Failure, Result};
use std::fmt;
use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A place that was writable when the work began.
#[derive(Debug)]
pub(crate) struct Output {
    /// As the user named it.
    given: PathBuf,
    /// The file itself, behind symbolic links; none for what has no "beside", such as `-`.
    file: Option<PathBuf>,
}

impl Output {
    /// Fails unless a file can be written here; touches nothing.
    ///
    /// What is read must not be what is written, or a slip costs the user their data.
    pub(crate) fn check(path: &Path, inputs: &[&Path]) -> Result<Self> {
        let same = |input: &&Path| matches!((fs::canonicalize(path), fs::canonicalize(input)), (Ok(a), Ok(b)) if a == b);
        if inputs.iter().any(same) {
            let text =
                format!("{}: it is also the input: give the output another name", path.display());
            return Err(Failure::Input(text));
        }
        let file = locate(path).map_err(|error| Failure::unwritable(path, &error))?;
        if let Some(file) = &file {
            // The only sure way to know that the folder takes new files; it is gone at once.
            folder_beside(file).map_err(|error| Failure::unwritable(path, &error))?;
        }
        Ok(Self { given: path.to_owned(), file })
    }

    /// Whether this is standard output.
    pub(crate) fn is_stdout(&self) -> bool {
        self.given == Path::new("-")
    }
}

impl fmt::Display for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.is_stdout() {
            true => f.write_str("standard output"),
            false => write!(f, "{}", self.given.display()),
        }
    }
}

/// The file behind a path; none where it has to be written to directly.
fn locate(path: &Path) -> io::Result<Option<PathBuf>> {
    if path == Path::new("-") {
        return Ok(None);
    }
    match fs::metadata(path) {
        Ok(existing) if existing.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(existing) if !existing.is_file() => Ok(None),
        Ok(_) => {
            // Replacing needs no right to the file itself, but a user who took it away means it.
            OpenOptions::new().write(true).open(path)?;
            fs::canonicalize(path).map(Some)
        }
        Err(_) => Ok(Some(path.to_owned())),
    }
}

/// A temporary folder on the same disk, from where a rename is one step.
fn folder_beside(file: &Path) -> io::Result<TempDir> {
    let parent = file.parent().filter(|parent| *parent != Path::new(""));
    tempfile::Builder::new().prefix(".linkshift-").tempdir_in(parent.unwrap_or(Path::new(".")))
}

/// Files that are complete but not yet in place; dropped, they vanish without a trace.
#[derive(Debug, Default)]
pub(crate) struct Prepared {
    files: Vec<PreparedFile>,
}

#[derive(Debug)]
struct PreparedFile {
    /// Holds the file and removes itself.
    _folder: TempDir,
    from: PathBuf,
    to: PathBuf,
    given: PathBuf,
}

impl Prepared {
    /// Lets `write` write a file, whose extension is that of the output.
    pub(crate) fn add(
        &mut self,
        output: &Output,
        write: impl FnOnce(&Path) -> Result<()>,
    ) -> Result<()> {
        let given = &output.given;
        let unwritable = |error| Failure::unwritable(given, &error);
        let Some(to) = &output.file else { return write(given) };
        let folder = folder_beside(to).map_err(unwritable)?;
        let from = folder.path().join(to.file_name().unwrap_or_default());
        write(&from).map_err(|failure| failure.about(given))?;
        if let Ok(existing) = fs::metadata(to) {
            fs::set_permissions(&from, existing.permissions()).map_err(unwritable)?;
        }
        self.files.push(PreparedFile {
            _folder: folder,
            from,
            to: to.clone(),
            given: given.clone(),
        });
        Ok(())
    }

    /// Puts all files in place.
    pub(crate) fn place(self) -> Result<()> {
        for file in self.files {
            fs::rename(&file.from, &file.to)
                .map_err(|error| Failure::unwritable(&file.given, &error))?;
        }
        Ok(())
    }
}
