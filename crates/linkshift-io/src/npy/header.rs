//! The header of an NPY file: a Python dictionary of three entries, and nothing else is taken.

/// What a header says of its array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Header {
    /// The type of its numbers; of records, everything that stands there.
    pub(super) descr: String,
    /// Whether columns run faster than rows.
    pub(super) fortran_order: bool,
    pub(super) shape: Vec<u64>,
}

impl Header {
    /// Reads `{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }`, in any order of entries.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let mut rest = Cursor(text.trim());
        let (mut descr, mut fortran_order, mut shape) = (None, None, None);
        rest.expect("{")?;
        while !rest.eat("}") {
            let key = rest.string()?;
            rest.expect(":")?;
            match key {
                "descr" if descr.is_none() => descr = Some(rest.descr()?),
                "fortran_order" if fortran_order.is_none() => fortran_order = Some(rest.flag()?),
                "shape" if shape.is_none() => shape = Some(rest.tuple()?),
                _ => return Err(format!("its header has the entry {key:?}")),
            }
            if !rest.eat(",") {
                rest.expect("}")?;
                break;
            }
        }
        if !rest.0.is_empty() {
            return Err("its header goes on after its end".into());
        }
        let missing = |name: &str| format!("its header has no {name}");
        Ok(Header {
            descr: descr.ok_or_else(|| missing("descr"))?,
            fortran_order: fortran_order.ok_or_else(|| missing("fortran_order"))?,
            shape: shape.ok_or_else(|| missing("shape"))?,
        })
    }
}

/// What is not yet read.
struct Cursor<'a>(&'a str);

impl<'a> Cursor<'a> {
    fn eat(&mut self, token: &str) -> bool {
        let rest = self.0.strip_prefix(token);
        self.0 = rest.unwrap_or(self.0).trim_start();
        rest.is_some()
    }

    fn expect(&mut self, token: &str) -> Result<(), String> {
        match self.eat(token) {
            true => Ok(()),
            false => Err(format!("its header lacks {token:?}")),
        }
    }

    /// Up to a character that satisfies the test; white space after it is passed over.
    fn until(&mut self, is_end: impl Fn(char) -> bool) -> &'a str {
        let (taken, rest) = self.0.split_at(self.0.find(is_end).unwrap_or(self.0.len()));
        self.0 = rest.trim_start();
        taken.trim_end()
    }

    fn string(&mut self) -> Result<&'a str, String> {
        let quote = if self.0.starts_with('"') { "\"" } else { "'" };
        // White space within quotes counts.
        let Some(inside) = self.0.strip_prefix(quote) else {
            return Err("its header lacks a text".into());
        };
        let Some((text, rest)) = inside.split_once(quote) else {
            return Err("a text in its header has no end".into());
        };
        self.0 = rest.trim_start();
        Ok(text)
    }

    /// A text; a list describes records, which are only shown.
    fn descr(&mut self) -> Result<String, String> {
        if !self.0.starts_with('[') {
            return self.string().map(str::to_owned);
        }
        let mut depth = 0;
        for (at, char) in self.0.char_indices() {
            depth += i32::from("[(".contains(char)) - i32::from("])".contains(char));
            if depth == 0 {
                let (list, rest) = self.0.split_at(at + 1);
                self.0 = rest.trim_start();
                return Ok(list.to_owned());
            }
        }
        Err("a list in its header has no end".into())
    }

    fn flag(&mut self) -> Result<bool, String> {
        if self.eat("True") {
            return Ok(true);
        }
        self.expect("False").map(|()| false)
    }

    /// Whole numbers in brackets; Python 2 wrote some with an L.
    fn tuple(&mut self) -> Result<Vec<u64>, String> {
        self.expect("(")?;
        let mut numbers = Vec::new();
        while !self.eat(")") {
            let text = self.until(|char| ",)".contains(char));
            let number = text.strip_suffix('L').unwrap_or(text).parse();
            numbers.push(number.map_err(|_| format!("its shape holds {text:?}"))?);
            if !self.eat(",") {
                self.expect(")")?;
                break;
            }
        }
        Ok(numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<(String, bool, Vec<u64>), String> {
        Header::parse(text).map(|header| (header.descr, header.fortran_order, header.shape))
    }

    #[test]
    fn headers_are_read_as_numpy_writes_them() {
        // The first two as NumPy 2 writes them, the third as NumPy 1 on Python 2 did.
        let whole = "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }      \n";
        assert_eq!(parsed(whole), Ok(("<f8".into(), false, vec![3, 4])));
        let one = "{'descr': '|u1', 'fortran_order': True, 'shape': (7,), }\n";
        assert_eq!(parsed(one), Ok(("|u1".into(), true, vec![7])));
        let old = "{'shape': (2L, 3L), 'fortran_order': False, 'descr': \"<i8\"}";
        assert_eq!(parsed(old), Ok(("<i8".into(), false, vec![2, 3])));
        let records =
            "{'descr': [('a', '<f8'), ('b', '<i4', (2,))], 'fortran_order': False, 'shape': (), }";
        let list = "[('a', '<f8'), ('b', '<i4', (2,))]";
        assert_eq!(parsed(records), Ok((list.into(), false, vec![])));
    }

    #[test]
    fn whatever_else_stands_there_is_refused() {
        for text in [
            "",
            "{",
            "{}",
            "{'descr': '<f8'}",
            "{'descr': '<f8, 'fortran_order': False, 'shape': (3,)}",
            "{'descr': '<f8', 'fortran_order': 0, 'shape': (3,)}",
            "{'descr': '<f8', 'fortran_order': False, 'shape': (3,}",
            "{'descr': '<f8', 'fortran_order': False, 'shape': (-3,)}",
            "{'descr': '<f8', 'fortran_order': False, 'shape': (3,,)}",
            "{'descr': '<f8', 'fortran_order': False, 'shape': (3,)} + 1",
            "{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (3,)}",
            "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), 'more': 'x'}",
            "{'descr': [(('<f8', 'fortran_order': False, 'shape': (3,)}",
            "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999,)}",
        ] {
            assert!(parsed(text).is_err(), "{text}");
        }
    }
}
