//! The one form that all results have: rows and columns of published and measured numbers.

/// A mean over repeats.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Mean {
    pub(crate) mean: f64,
    /// The standard deviation between repeats.
    pub(crate) deviation: f64,
    pub(crate) n: usize,
}

impl Mean {
    /// Of the values that are numbers; none if there are none.
    pub(crate) fn of(values: impl Iterator<Item = f64>) -> Option<Self> {
        let values: Vec<f64> = values.filter(|value| !value.is_nan()).collect();
        let n = values.len();
        let mean = values.iter().sum::<f64>() / n as f64;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        (n > 0).then(|| Self { mean, deviation: (squares / n as f64).sqrt(), n })
    }
}

/// One number of the paper and ours.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Pair {
    pub(crate) published: Option<f64>,
    pub(crate) ours: Option<Mean>,
}

impl Pair {
    /// Ours less published.
    pub(crate) fn difference(&self) -> Option<f64> {
        Some(self.ours?.mean - self.published?)
    }
}

/// One method.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    pub(crate) name: String,
    /// Whether it is a method of ours that the paper is about, not one it is compared with.
    pub(crate) subject: bool,
    pub(crate) pairs: Vec<Pair>,
}

/// Something that the paper says and that numbers decide.
#[derive(Debug, Clone)]
pub(crate) struct Claim {
    pub(crate) text: String,
    pub(crate) holds: bool,
    /// The numbers that decided.
    pub(crate) found: String,
}

/// What a difference means.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Better {
    /// More is better; within the margin it is level.
    Higher {
        /// By how much two numbers may differ and be level.
        margin: f64,
    },
    /// Neither is better: counts.
    Neither,
}

/// Rows and columns of published and measured numbers.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub(crate) title: String,
    /// What the numbers are.
    pub(crate) measure: String,
    /// What the columns are numbers of, if they are: then the table is a set of curves.
    pub(crate) axis: Option<String>,
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<Row>,
    pub(crate) better: Better,
    pub(crate) decimals: usize,
    pub(crate) claims: Vec<Claim>,
    /// Where the protocol differs from the printed one.
    pub(crate) deviations: Vec<String>,
    /// Why a row is below in columns, shown only where it is.
    pub(crate) reasons: Vec<(String, String)>,
}

impl Table {
    pub(crate) fn new(title: impl Into<String>, measure: &str, columns: &[String]) -> Self {
        Self {
            title: title.into(),
            measure: measure.into(),
            axis: None,
            columns: columns.to_vec(),
            rows: Vec::new(),
            better: Better::Higher { margin: 0.02 },
            decimals: 3,
            claims: Vec::new(),
            deviations: Vec::new(),
            reasons: Vec::new(),
        }
    }

    /// A method that the paper compares with.
    pub(crate) fn baseline(&mut self, name: &str, pairs: Vec<Pair>) {
        self.row(name, false, pairs);
    }

    /// A method that the paper is about.
    pub(crate) fn subject(&mut self, name: &str, pairs: Vec<Pair>) {
        self.row(name, true, pairs);
    }

    /// A method, and whether the paper is about it.
    pub(crate) fn row(&mut self, name: &str, subject: bool, pairs: Vec<Pair>) {
        self.rows.push(Row { name: name.into(), subject, pairs });
    }

    pub(crate) fn deviation(&mut self, text: impl Into<String>) {
        self.deviations.push(text.into());
    }

    /// Why a row is below its published number.
    pub(crate) fn reason(&mut self, row: &str, why: &str) {
        self.reasons.push((row.into(), why.into()));
    }

    /// Our mean by names of row and column.
    pub(crate) fn ours(&self, row: &str, column: &str) -> Option<f64> {
        let at = self.columns.iter().position(|name| name == column)?;
        let row = self.rows.iter().find(|candidate| candidate.name == row)?;
        Some(row.pairs.get(at)?.ours?.mean)
    }

    /// Adds a claim that two of our numbers decide: the first is at least the second.
    pub(crate) fn claim_at_least(&mut self, text: impl Into<String>, at_least: Option<(f64, f64)>) {
        if let Some((first, second)) = at_least {
            let found = format!("{first:.3} against {second:.3}");
            self.claims.push(Claim { text: text.into(), holds: first >= second, found });
        }
    }

    /// A claim that the first of each named pair of numbers is nowhere below the second.
    pub(crate) fn claim_nowhere_below(
        &mut self,
        text: impl Into<String>,
        compared: &[(&str, f64, f64)],
    ) {
        if compared.is_empty() {
            return;
        }
        let below = compared.iter().filter(|(_, ours, other)| ours < other);
        let below: Vec<String> = below
            .map(|(name, ours, other)| format!("{ours:.3} against {other:.3} at {name}"))
            .collect();
        let found = match below.is_empty() {
            true => format!("at all {}", compared.len()),
            false => {
                format!("below at {} of {}: {}", below.len(), compared.len(), below.join(", "))
            }
        };
        self.claims.push(Claim { text: text.into(), holds: below.is_empty(), found });
    }

    /// What two rows measured, by column, where both did.
    pub(crate) fn beside<'a>(
        &self,
        row: &str,
        other: &str,
        columns: &'a [String],
    ) -> Vec<(&'a str, f64, f64)> {
        let both = |column: &String| self.ours(row, column).zip(self.ours(other, column));
        let named = |column: &'a String| both(column).map(|(a, b)| (column.as_str(), a, b));
        columns.iter().filter_map(named).collect()
    }

    /// Whether anything in it was measured.
    pub(crate) fn is_empty(&self) -> bool {
        self.rows.iter().flat_map(|row| &row.pairs).all(|pair| pair.ours.is_none())
    }
}

/// Pairs from published numbers and measured ones.
pub(crate) fn pairs(published: &[f64], ours: &[Option<Mean>]) -> Vec<Pair> {
    let published = published.iter().copied().map(Some).chain(std::iter::repeat(None));
    ours.iter().zip(published).map(|(&ours, published)| Pair { published, ours }).collect()
}

/// Pairs of numbers that the paper shows only in a figure.
pub(crate) fn unpublished(ours: &[Option<Mean>]) -> Vec<Pair> {
    pairs(&[], ours)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_leaves_out_what_failed() {
        // Derived: (1 + 3) / 2 = 2, and both are 1 away from it.
        let mean = Mean::of([1.0, f64::NAN, 3.0].into_iter());
        assert_eq!(mean, Some(Mean { mean: 2.0, deviation: 1.0, n: 2 }));
        assert_eq!(Mean::of([f64::NAN].into_iter()), None);
    }
}
