//! Numbers as the bytes of an array.

use num_traits::ToPrimitive;
use std::fmt::Display;

/// A type of number that arrays are made of.
pub(crate) trait Number: Copy + ToPrimitive + Display {
    /// As headers say it, without the order of bytes.
    const KIND: &'static str;
    const SIZE: usize = size_of::<Self>();

    /// From exactly [`SIZE`](Self::SIZE) bytes.
    fn from_bytes(bytes: &[u8], big_endian: bool) -> Self;

    fn append_to(self, bytes: &mut Vec<u8>);
}

macro_rules! numbers {
    ($($number:ty: $kind:literal),*) => {$(
        impl Number for $number {
            const KIND: &'static str = $kind;

            fn from_bytes(bytes: &[u8], big_endian: bool) -> Self {
                let bytes = bytes.try_into().unwrap_or_default();
                if big_endian { Self::from_be_bytes(bytes) } else { Self::from_le_bytes(bytes) }
            }

            fn append_to(self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_le_bytes());
            }
        }
    )*};
}

numbers!(
    f32: "f4", f64: "f8",
    i8: "i1", i16: "i2", i32: "i4", i64: "i8",
    u8: "u1", u16: "u2", u32: "u4", u64: "u8"
);
