//! What links imply, against all that follows by the rules themselves, applied until nothing is new.

use crate::{Verdict, Workshop, numbers};
use linkshift::{LinkKind, Links};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Together and apart for every pair, by brute force: what is together with something has all that is
/// known of it.
struct Known {
    n: usize,
    together: Vec<bool>,
    apart: Vec<bool>,
}

impl Known {
    fn of(links: &Links, n: usize) -> Self {
        let mut known = Self { n, together: vec![false; n * n], apart: vec![false; n * n] };
        (0..n).for_each(|row| known.together[row * n + row] = true);
        for link in links.iter() {
            for (a, b) in [(link.a, link.b), (link.b, link.a)] {
                match link.kind {
                    LinkKind::Must => known.together[a * n + b] = true,
                    LinkKind::Cannot => known.apart[a * n + b] = true,
                }
            }
        }
        while known.conclude() {}
        known
    }

    /// One round of both rules; whether anything is new.
    fn conclude(&mut self) -> bool {
        let (n, mut is_new) = (self.n, false);
        for (a, b, c) in
            (0..n).flat_map(|a| (0..n).flat_map(move |b| (0..n).map(move |c| (a, b, c))))
        {
            if !self.together[a * n + b] {
                continue;
            }
            if self.together[b * n + c] && !self.together[a * n + c] {
                (self.together[a * n + c], self.together[c * n + a], is_new) = (true, true, true);
            }
            if self.apart[b * n + c] && !self.apart[a * n + c] {
                (self.apart[a * n + c], self.apart[c * n + a], is_new) = (true, true, true);
            }
        }
        is_new
    }

    fn contradicts(&self) -> bool {
        self.together.iter().zip(&self.apart).any(|(together, apart)| *together && *apart)
    }
}

/// The closure says what the rules say, and refuses what contradicts itself.
pub(crate) fn closure(rng: &mut ChaCha8Rng, _: &Workshop) -> Verdict {
    let n = rng.random_range(2..9);
    let links = numbers::links(rng, n);
    let known = Known::of(&links, n);
    match links.close(n) {
        Err(error) if known.contradicts() => match error.to_string().is_empty() {
            true => Err("an error without a word".into()),
            false => consistent(&links, n),
        },
        Err(error) => Err(format!("refused, though nothing contradicts: {error}")),
        Ok(_) if known.contradicts() => Err("a contradiction was not seen".into()),
        Ok(closure) => {
            for (a, b) in (0..n).flat_map(|a| (0..n).map(move |b| (a, b))) {
                let expected = match (known.together[a * n + b], known.apart[a * n + b]) {
                    (true, _) => Some(LinkKind::Must),
                    (_, true) => Some(LinkKind::Cannot),
                    _ => None,
                };
                if closure.relation(a, b) != expected {
                    return Err(format!("{a} and {b}: {expected:?} by the rules"));
                }
            }
            consistent(&links, n)
        }
    }
}

/// What is kept of links closes, and nothing is dropped that could stay at the end.
fn consistent(links: &Links, n: usize) -> Verdict {
    let kept = links.consistent(n).map_err(|error| format!("not made consistent: {error}"))?;
    if kept.kept.close(n).is_err() {
        return Err("what was kept contradicts itself".into());
    }
    if kept.kept.len() + kept.dropped.len() != links.len() {
        return Err("links were lost".into());
    }
    for dropped in &kept.dropped {
        let mut more = kept.kept.clone();
        more.push(*dropped);
        if more.close(n).is_ok() {
            return Err(format!("{dropped:?} need not have been dropped"));
        }
    }
    Ok(())
}
