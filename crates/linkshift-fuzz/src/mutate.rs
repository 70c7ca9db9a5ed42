//! Damage: bytes that are changed, cut, doubled, moved, and lengths that promise too much.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Bytes that stand for something in one of the formats.
const TELLING: &[&[u8]] = &[
    b"",
    b",",
    b"\n",
    b"\r\n",
    b"\"",
    b"#",
    b"\t",
    b"\0",
    b"-",
    b"nan",
    b"-inf",
    b"1e999",
    b"1e-999",
    b"-0",
    b"1e154",
    b"4.9e-324",
    b"18446744073709551616",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"\xc3",
    b"must",
    b"cannot",
    b"# place 3\n",
    b"{",
    b"[[[[[[[[",
    b"null",
];

/// Integers at the ends of their ranges, as lengths and offsets are.
const EDGES: &[u64] =
    &[0, 1, 0x7f, 0xff, 0x7fff, 0xffff, 0x7fff_ffff, 0xffff_ffff, i64::MAX as u64, u64::MAX];

/// A copy with some damage; now and then with none.
pub(crate) fn damaged(bytes: &[u8], rng: &mut ChaCha8Rng) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let n_times = [0, 1, 1, 1, 2, 3, 6][rng.random_range(0..7)];
    (0..n_times).for_each(|_| damage(&mut bytes, rng));
    bytes
}

fn damage(bytes: &mut Vec<u8>, rng: &mut ChaCha8Rng) {
    let n = bytes.len();
    if n == 0 {
        bytes.extend((0..rng.random_range(0..40)).map(|_| rng.random::<u8>()));
        return;
    }
    let at = rng.random_range(0..n);
    let length = rng.random_range(1..=32.min(n - at));
    match rng.random_range(0..10) {
        0 => bytes[at] ^= 1 << rng.random_range(0..8),
        1 => bytes[at] = rng.random(),
        2 => bytes.truncate(at),
        3 => {
            bytes.drain(at..at + length);
        }
        4 => {
            let part = bytes[at..at + length].to_vec();
            let to = rng.random_range(0..=n);
            bytes.splice(to..to, part);
        }
        5 => {
            let telling = TELLING[rng.random_range(0..TELLING.len())];
            bytes.splice(at..at, telling.iter().copied());
        }
        6 => {
            let telling = TELLING[rng.random_range(0..TELLING.len())];
            bytes.splice(at..at + length, telling.iter().copied());
        }
        7 => bytes[at..at + length].iter_mut().for_each(|byte| *byte = rng.random()),
        8 => {
            // A length or an offset: four or eight bytes, at a place where one may be.
            let width = if rng.random() { 4 } else { 8 };
            let at = at / 4 * 4;
            let edge = EDGES[rng.random_range(0..EDGES.len())].to_le_bytes();
            let end = (at + width).min(n);
            bytes[at..end].copy_from_slice(&edge[..end - at]);
        }
        _ => {
            // A digit of a number in a text.
            let digits: Vec<usize> = (0..n).filter(|&at| bytes[at].is_ascii_digit()).collect();
            if !digits.is_empty() {
                bytes[digits[rng.random_range(0..digits.len())]] = b'0' + rng.random_range(0..10u8);
            }
        }
    }
}
