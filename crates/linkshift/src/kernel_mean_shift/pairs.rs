//! Which pairs of points ask for a distance: what links imply, without listing all of it.

use crate::error::Result;
use crate::links::{Link, LinkClosure, LinkKind, Links};
use rand::SeedableRng;
use rand::seq::{SliceRandom, index};
use rand_chacha::ChaCha8Rng;

/// The pairs that certain links imply, at most about `cap` of each kind, and the doubtful links as they
/// were told.
///
/// Where a kind implies more than `cap` pairs, each group, or pair of groups, gets its share of the
/// cap. The members of a group are set in a circle in seeded order and each is paired with the
/// next few, at least one, so the group still hangs together; of two groups a seeded sample of
/// pairs stands, at least one.
pub(super) fn implied(
    links: &Links,
    closure: &LinkClosure,
    cap: usize,
    seed: u64,
) -> Result<Vec<Link>> {
    let (certain, doubtful) = links.split_by_certainty();
    let closed;
    let closure = match doubtful.is_empty() {
        true => closure,
        false => {
            closed = certain.close(closure.n_points())?;
            &closed
        }
    };
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pairs = Vec::new();
    must_pairs(closure, cap, &mut rng, &mut pairs);
    cannot_pairs(closure, cap, &mut rng, &mut pairs);
    pairs.extend(doubtful.iter());
    Ok(pairs)
}

fn must_pairs(closure: &LinkClosure, cap: usize, rng: &mut ChaCha8Rng, pairs: &mut Vec<Link>) {
    let n_pairs = |m: usize| m * (m - 1) / 2;
    let groups = || (0..closure.n_groups()).map(|group| closure.members(group));
    let all: usize = groups().map(|members| n_pairs(members.len())).sum();
    let share = (cap as f64 / all.max(1) as f64).min(1.0);
    for members in groups().filter(|members| members.len() > 1) {
        let mut circle = members.to_vec();
        let m = circle.len();
        if share < 1.0 {
            circle.shuffle(rng);
        }
        let wanted = (share * n_pairs(m) as f64 / m as f64).round() as usize;
        let most_ahead = m / 2;
        let n_ahead = if share < 1.0 { wanted.clamp(1, most_ahead) } else { most_ahead };
        for at in 0..m {
            for ahead in 1..=n_ahead {
                // Half-way round an even circle, a pair would be met from both of its ends.
                if 2 * ahead == m && at >= ahead {
                    continue;
                }
                pairs.push(Link::must(circle[at] as usize, circle[(at + ahead) % m] as usize));
            }
        }
    }
}

fn cannot_pairs(closure: &LinkClosure, cap: usize, rng: &mut ChaCha8Rng, pairs: &mut Vec<Link>) {
    let n_pairs = |a: &[u32], b: &[u32]| a.len() as u64 * b.len() as u64;
    let both = |at: usize| {
        let pair = closure.cannot_pairs()[at];
        (closure.members(pair.a), closure.members(pair.b))
    };
    let n_both = closure.cannot_pairs().len();
    let all: u64 = (0..n_both).map(both).map(|(a, b)| n_pairs(a, b)).sum();
    let share = (cap as f64 / all.max(1) as f64).min(1.0);
    for (a, b) in (0..n_both).map(both) {
        let n = n_pairs(a, b) as usize;
        let wanted = ((share * n as f64).round() as usize).clamp(1, n);
        let mut add = |at: usize| {
            pairs.push(Link::cannot(a[at / b.len()] as usize, b[at % b.len()] as usize))
        };
        if wanted == n {
            (0..n).for_each(add);
        } else {
            index::sample(rng, n, wanted).iter().for_each(&mut add);
        }
    }
}

/// The pairs of one kind.
pub(super) fn of_kind(pairs: &[Link], kind: LinkKind) -> impl Iterator<Item = &Link> {
    pairs.iter().filter(move |link| link.kind == kind)
}
