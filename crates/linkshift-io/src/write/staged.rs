//! Several files that belong together: checked before the work, made after it, put in place at the
//! end.

use super::beside::{Target, TargetFile};
use crate::error::{IoError, Problem};
use std::fmt;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A place that could be written to when it was checked.
#[derive(Debug)]
pub struct Output {
    /// As the user named it.
    given: PathBuf,
    target: Target,
}

impl Output {
    /// Fails unless a file can be written here; touches nothing.
    ///
    /// What is read must not be what is written, or a slip costs the user their data.
    pub fn check(path: &Path, inputs: &[&Path]) -> Result<Self, IoError> {
        let itself = fs::canonicalize(path).ok();
        let is_it = |input: &&Path| itself.is_some() && fs::canonicalize(input).ok() == itself;
        if inputs.iter().any(is_it) {
            return Err(IoError::new(path, Problem::IsInput));
        }
        let unwritable = |error| IoError::writing(path, error);
        let target = Target::of(path).map_err(unwritable)?;
        if let Target::File(file) = &target {
            // The only sure way to know that the folder takes new files; it is gone at once.
            file.folder_beside().map_err(unwritable)?;
        }
        Ok(Self { given: path.to_owned(), target })
    }

    /// The path as it was given.
    pub fn path(&self) -> &Path {
        &self.given
    }

    /// Whether this is standard output.
    pub fn is_stdout(&self) -> bool {
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

/// An error that may be about a file, and can be made to name another.
///
/// [`Staged`] has files written beside their places; what goes wrong there is said of the places.
pub trait AboutFile: From<IoError> {
    /// Names `to` where the error is about `from`, and is else as it was.
    fn rename(self, from: &Path, to: &Path) -> Self;
}

impl AboutFile for IoError {
    fn rename(mut self, from: &Path, to: &Path) -> Self {
        if self.place.file == from {
            self.place.file = to.to_owned();
        }
        self
    }
}

/// Files that are complete but not yet in place; dropped, they vanish without a trace.
///
/// ```
/// use linkshift_io::{Output, Staged, write_beside, write_labels};
///
/// let folder = tempfile::tempdir()?;
/// let [labels, note] = ["labels.csv", "note.txt"].map(|name| folder.path().join(name));
/// let outputs = (Output::check(&labels, &[])?, Output::check(&note, &[])?); // before the work
///
/// let mut staged = Staged::default();
/// staged.add(&outputs.0, |path| write_labels(path, &[0, 1], None))?;
/// staged.add(&outputs.1, |path| write_beside(path, |file| file.write_all(b"two clusters")))?;
/// assert!(!labels.exists() && !note.exists());
/// staged.place()?;
/// assert!(labels.exists() && note.exists());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Staged {
    files: Vec<StagedFile>,
}

#[derive(Debug)]
struct StagedFile {
    /// Holds the file and removes itself.
    _folder: TempDir,
    from: PathBuf,
    to: TargetFile,
    given: PathBuf,
}

impl StagedFile {
    /// A place beside the file, with nothing there yet.
    fn new(given: &Path, to: &TargetFile) -> Result<Self, IoError> {
        let folder = to.folder_beside().map_err(|error| IoError::writing(given, error))?;
        let from = folder.path().join(given.file_name().unwrap_or_default());
        Ok(Self { _folder: folder, from, to: to.clone(), given: given.to_owned() })
    }

    fn pass_permissions(&self) -> Result<(), IoError> {
        let passed = File::open(&self.from).and_then(|file| self.to.pass_permissions_to(&file));
        passed.map_err(|error| IoError::writing(&self.given, error))
    }
}

impl Staged {
    /// Lets `write` write a file that has the output's name, in a folder beside it; what has no
    /// beside, such as standard output, is written at once.
    pub fn add<E: AboutFile>(
        &mut self,
        output: &Output,
        write: impl FnOnce(&Path) -> Result<(), E>,
    ) -> Result<(), E> {
        let Target::File(to) = &output.target else { return write(&output.given) };
        let file = StagedFile::new(&output.given, to)?;
        write(&file.from).map_err(|error| error.rename(&file.from, &file.given))?;
        file.pass_permissions()?;
        self.files.push(file);
        Ok(())
    }

    /// Puts all files in place.
    ///
    /// Everything that can be known to fail has failed before; should a rename still be refused, the
    /// files before it are in place and the others are not.
    pub fn place(self) -> Result<(), IoError> {
        self.files.iter().try_for_each(|file| {
            fs::rename(&file.from, &file.to.path)
                .map_err(|error| IoError::writing(&file.given, error))
        })
    }
}
