//! Whether a run may take the memory that it needs, asked before it is taken.

use crate::error::{Error, Result};

/// Fails if `needed_bytes` are more than is allowed (`None`: anything is); `remedy` says what the
/// caller can change.
pub(crate) fn allow(needed_bytes: u64, allowed_mb: Option<u64>, remedy: &str) -> Result<()> {
    let needed_mb = needed_bytes.div_ceil(1 << 20);
    match allowed_mb {
        Some(allowed_mb) if needed_mb > allowed_mb => {
            Err(Error::Memory { needed_mb, allowed_mb, remedy: remedy.into() })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_begun_megabyte_counts_whole() {
        const MB: u64 = 1 << 20;
        assert!(allow(2 * MB, Some(2), "").is_ok() && allow(u64::MAX, None, "").is_ok());
        let error = allow(2 * MB + 1, Some(2), "take less").unwrap_err();
        let remedy = "take less".to_string();
        assert_eq!(error, Error::Memory { needed_mb: 3, allowed_mb: 2, remedy });
    }
}
