//! A number that changes when files do: names and bytes by FNV-1a. It is there to notice a page
//! that was forgotten to be built, not to keep anybody out.

use crate::Failure;
use std::fs;
use std::path::Path;

const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// The hash of files and of all files in folders, below `root`, in the order of their names.
pub(super) fn of(root: &Path, names: &[&str]) -> Result<String, Failure> {
    let mut files = Vec::new();
    for name in names {
        list(root, name, &mut files)?;
    }
    files.sort();
    let mut hash = BASIS;
    for name in files {
        let bytes = fs::read(root.join(&name)).map_err(|error| format!("{name}: {error}"))?;
        // Names and lengths keep files apart; line ends are not worth a rebuild.
        let bytes: Vec<u8> = bytes.into_iter().filter(|&byte| byte != b'\r').collect();
        hash = add(hash, name.as_bytes());
        hash = add(hash, &(bytes.len() as u64).to_le_bytes());
        hash = add(hash, &bytes);
    }
    Ok(format!("{hash:016x}"))
}

fn add(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME))
}

fn list(root: &Path, name: &str, files: &mut Vec<String>) -> Result<(), Failure> {
    let path = root.join(name);
    if !path.is_dir() {
        files.push(name.to_string());
        return Ok(());
    }
    let children = fs::read_dir(&path).map_err(|error| format!("{name}: {error}"))?;
    for child in children {
        let child = child.map_err(|error| format!("{name}: {error}"))?;
        list(root, &format!("{name}/{}", child.file_name().to_string_lossy()), files)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_fnv_1a() {
        // Outside: the published vectors of FNV-1a, 64 bits.
        assert_eq!(add(BASIS, b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(add(BASIS, b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(add(BASIS, b"foobar"), 0x8594_4171_f739_67e8);
    }
}
