//! Files as the readers of others see them: a damaged file can promise anything, and is stopped before
//! the promise is believed.

use arrow_ipc::root_as_footer;
use bytes::Bytes;
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

/// A Parquet file whose end is an error for whoever goes on reading there.
///
/// The reader skips what it does not know, as many elements as the file says; at the end of the file it
/// would go on skipping nothing, four thousand million times.
pub(crate) struct Bounded(pub(crate) File);

impl Length for Bounded {
    fn len(&self) -> u64 {
        self.0.len()
    }
}

impl ChunkReader for Bounded {
    type T = Ending<BufReader<File>>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        Ok(Ending { content: self.0.get_read(start)?, n_empty: 0 })
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        if start.saturating_add(length as u64) > self.len() {
            return Err(ParquetError::EOF(format!(
                "{length} bytes are promised that are not there"
            )));
        }
        self.0.get_bytes(start, length)
    }
}

/// Reads at the end that are borne with: those of a buffer that looks whether there is more.
const MOST_EMPTY: u32 = 64;

/// A reader that cannot be read for ever after its end.
pub(crate) struct Ending<R> {
    content: R,
    n_empty: u32,
}

impl<R: Read> Read for Ending<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n_read = self.content.read(buffer)?;
        self.n_empty = if n_read == 0 && !buffer.is_empty() { self.n_empty + 1 } else { 0 };
        match self.n_empty > MOST_EMPTY {
            true => Err(io::ErrorKind::UnexpectedEof.into()),
            false => Ok(n_read),
        }
    }
}

/// Whether the batches of an Arrow file lie within it. Its reader takes the memory for each of them before
/// it reads.
pub(crate) fn arrow_fits(content: &mut (impl Read + Seek)) -> io::Result<bool> {
    const END: u64 = 10; // the length of the footer, and "ARROW1"
    let n_bytes = content.seek(SeekFrom::End(0))?;
    let Some(end) = n_bytes.checked_sub(END) else { return Ok(false) };
    content.seek(SeekFrom::Start(end))?;
    let mut length = [0; 4];
    content.read_exact(&mut length)?;
    let length = u64::from(u32::from_le_bytes(length));
    let Some(start) = end.checked_sub(length) else { return Ok(false) };
    content.seek(SeekFrom::Start(start))?;
    let mut footer = Vec::new();
    content.by_ref().take(length).read_to_end(&mut footer)?;
    let Ok(footer) = root_as_footer(&footer) else { return Ok(false) };
    let blocks = footer.recordBatches().into_iter().flatten();
    let mut blocks = blocks.chain(footer.dictionaries().into_iter().flatten());
    Ok(blocks.all(|block| {
        let parts = [block.offset(), i64::from(block.metaDataLength()), block.bodyLength()];
        let parts = parts.map(|part| u64::try_from(part).unwrap_or(u64::MAX));
        parts
            .iter()
            .try_fold(0_u64, |sum, part| sum.checked_add(*part))
            .is_some_and(|e| e <= n_bytes)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_goes_on_reading_after_the_end_hears_of_it() {
        let mut reader = Ending { content: &b"abc"[..], n_empty: 0 };
        let mut all = Vec::new();
        assert_eq!(reader.read_to_end(&mut all).unwrap(), 3);
        // As the Parquet reader skips a list of a thousand million elements that are not there.
        let skip = |reader: &mut Ending<&[u8]>| io::copy(&mut reader.take(8), &mut io::sink());
        let outcome: io::Result<Vec<u64>> = (0..1_000_000_000).map(|_| skip(&mut reader)).collect();
        assert_eq!(outcome.unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }

    #[test]
    fn arrow_batches_beyond_the_end_of_the_file_are_seen() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.arrow");
        crate::write_table(&path, &["x".into()], &[1.0_f64, 2.0], None).unwrap();
        let whole = std::fs::read(&path).unwrap();
        assert!(arrow_fits(&mut io::Cursor::new(&whole)).unwrap());
        // Another way: of all ways to change eight bytes of the footer into a huge length, some hit a batch.
        let end = whole.len() - 10;
        let length = u32::from_le_bytes(whole[end..end + 4].try_into().unwrap()) as usize;
        let is_seen = |at: usize| {
            let mut bytes = whole.clone();
            bytes[at..at + 8].copy_from_slice(&(1_u64 << 40).to_le_bytes());
            !arrow_fits(&mut io::Cursor::new(&bytes)).unwrap()
        };
        assert!((end - length..end - 8).any(is_seen));
        assert!(!arrow_fits(&mut io::Cursor::new(b"ARROW1")).unwrap());
    }
}
