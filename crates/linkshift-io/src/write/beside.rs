//! Files that are complete or not there: written beside their place and then renamed.

use crate::error::IoError;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Where the closure given to [`write_beside`] writes.
pub(crate) type Sink<'a> = &'a mut (dyn Write + Send + 'a);

/// What files are called until they are in place.
const PREFIX: &str = ".linkshift-";

/// Writes a file beside its target and renames it when it is complete and on the disk.
///
/// If anything fails, also within `write`, the temporary file is removed and an existing target is
/// as it was. Links to files are followed; `-` (standard output) and targets that are not regular
/// files, such as pipes, are written directly.
///
/// ```
/// use linkshift_io::write_beside;
/// use std::io;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("note.txt");
/// write_beside(&path, |file| file.write_all(b"old"))?;
///
/// let failed = write_beside(&path, |file| {
///     file.write_all(b"new but")?;
///     Err(io::Error::other("out of ink"))
/// });
/// assert!(failed.is_err());
/// assert_eq!(std::fs::read(&path)?, b"old");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_beside(
    path: &Path,
    write: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>,
) -> Result<(), IoError> {
    let mut once = Some(write);
    let mut write = |sink: Sink<'_>| once.take().map_or(Ok(()), |write| write(sink));
    put(path, &mut write).map_err(|error| IoError::writing(path, error))
}

/// What writes to a sink, once. Not a type of its own for each writer: all that is below would be
/// compiled for each of them.
type Writer<'a> = &'a mut dyn FnMut(Sink<'_>) -> io::Result<()>;

fn put(path: &Path, write: Writer<'_>) -> io::Result<()> {
    match Target::of(path)? {
        Target::Direct if path == Path::new("-") => write_all(&mut io::stdout(), write),
        Target::Direct => write_all(&mut OpenOptions::new().write(true).open(path)?, write),
        Target::File(file) => file.replace(write),
    }
}

/// What a path leads to.
#[derive(Debug)]
pub(crate) enum Target {
    /// Something that has no "beside": standard output, a pipe, a device.
    Direct,
    /// A file that is there or is to be.
    File(TargetFile),
}

/// The file itself, behind symbolic links.
#[derive(Debug, Clone)]
pub(crate) struct TargetFile {
    pub(crate) path: PathBuf,
}

impl Target {
    /// Fails where nothing can be written; touches nothing.
    pub(crate) fn of(path: &Path) -> io::Result<Self> {
        if path == Path::new("-") {
            return Ok(Target::Direct);
        }
        match fs::metadata(path) {
            Ok(existing) if existing.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            Ok(existing) if !existing.is_file() => Ok(Target::Direct),
            Ok(_) => {
                // Replacing needs no right to the file itself, but a user who took it away means it.
                OpenOptions::new().write(true).open(path)?;
                Ok(Target::File(TargetFile { path: fs::canonicalize(path)? }))
            }
            Err(_) => Ok(Target::File(TargetFile { path: path.to_owned() })),
        }
    }
}

impl TargetFile {
    /// The folder it is in: only from there a rename is one step.
    pub(crate) fn folder(&self) -> &Path {
        let folder = self.path.parent().filter(|folder| *folder != Path::new(""));
        folder.unwrap_or(Path::new("."))
    }

    /// A folder beside it that removes itself.
    pub(crate) fn folder_beside(&self) -> io::Result<tempfile::TempDir> {
        tempfile::Builder::new().prefix(PREFIX).tempdir_in(self.folder())
    }

    /// Gives a new file the permissions of the one it will replace, if there is one.
    pub(crate) fn pass_permissions_to(&self, new: &File) -> io::Result<()> {
        match fs::metadata(&self.path) {
            Ok(existing) => new.set_permissions(existing.permissions()),
            Err(_) => Ok(()),
        }
    }

    fn replace(&self, write: Writer<'_>) -> io::Result<()> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // As for any new file: the user's umask decides, not the privacy of temporary files.
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let mut temporary = builder.tempfile_in(self.folder())?;
        write_all(temporary.as_file_mut(), write)?;
        self.pass_permissions_to(temporary.as_file())?;
        temporary.as_file().sync_all()?;
        temporary.persist(&self.path).map_err(|error| error.error)?;
        Ok(())
    }
}

fn write_all(target: Sink<'_>, write: Writer<'_>) -> io::Result<()> {
    let mut buffered = BufWriter::with_capacity(1 << 16, target);
    write(&mut buffered)?;
    buffered.flush()
}
