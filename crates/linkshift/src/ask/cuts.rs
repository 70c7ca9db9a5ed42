//! Parts of a group that may be in the wrong place.

use super::answers::Answer;
use super::heard::Heard;
use super::known::Known;
use std::ops::Range;

/// Groups of fewer rows are not cut in two by where their rows lie.
const LEAST_TO_CUT: usize = 4;

/// For each "same" inside a group without which the group falls apart, the smaller part, if it has not more than
/// `most` nodes. The nodes of the group are ascending, and so are those of the parts.
pub(super) fn held_by_one_answer(heard: &Heard, nodes: &[usize], most: usize) -> Vec<Vec<usize>> {
    let position = |node: usize| nodes.partition_point(|&other| other < node);
    let inside = heard.among(nodes).into_iter().filter(|said| said.answer == Answer::Same);
    let inside: Vec<(usize, usize)> =
        inside.map(|said| (position(said.a), position(said.b))).collect();
    let search = Search::of(&inside, nodes.len());
    let n = nodes.len();
    let mut parts = Vec::new();
    for (&(start, _), bridge) in inside.iter().zip(&search.bridges) {
        let Some(Bridge { below, within }) = bridge else { continue };
        // Whoever is still reached from one end, and all others: ranges of the order of the search.
        let is_below = below.contains(&search.entered[start]);
        let (reached, others) = match is_below {
            true => (vec![below.clone()], vec![0..below.start, below.end..n]),
            false => (
                vec![within.start..below.start, below.end..within.end],
                vec![below.clone(), 0..within.start, within.end..n],
            ),
        };
        let n_reached: usize = reached.iter().map(Range::len).sum();
        let part = if 2 * n_reached <= n { reached } else { others };
        if part.iter().map(Range::len).sum::<usize>() <= most {
            let part = part.into_iter().flatten().map(|at| nodes[search.order[at]]);
            let mut part: Vec<usize> = part.collect();
            part.sort_unstable();
            parts.push(part);
        }
    }
    parts
}

/// A depth-first search along answers, and the answers that it finds to be bridges (R. Tarjan 1974): those that
/// nothing entered behind them leads around.
struct Search {
    /// Nodes in the order in which they were entered; what lies behind one follows it.
    order: Vec<usize>,
    entered: Vec<usize>,
    /// For each answer, if it is one.
    bridges: Vec<Option<Bridge>>,
}

/// An answer without which a component falls apart.
struct Bridge {
    /// What lies behind it, in the order of the search.
    below: Range<usize>,
    /// The component.
    within: Range<usize>,
}

impl Search {
    fn of(answers: &[(usize, usize)], n: usize) -> Self {
        let mut ties = vec![Vec::new(); n];
        for (answer, &(a, b)) in answers.iter().enumerate() {
            ties[a].push((b, answer));
            ties[b].push((a, answer));
        }
        let mut order = Vec::with_capacity(n);
        let mut entered = vec![usize::MAX; n];
        let mut earliest = vec![usize::MAX; n];
        let mut n_looked = vec![0; n];
        let mut bridges: Vec<Option<Bridge>> = answers.iter().map(|_| None).collect();
        for root in 0..n {
            if entered[root] < usize::MAX {
                continue;
            }
            let (begin, mut found) = (order.len(), Vec::new());
            let mut path = vec![(root, usize::MAX)];
            while let Some(&(at, by)) = path.last() {
                if entered[at] == usize::MAX {
                    (entered[at], earliest[at]) = (order.len(), order.len());
                    order.push(at);
                }
                if let Some(&(other, answer)) = ties[at].get(n_looked[at]) {
                    n_looked[at] += 1;
                    match entered[other] {
                        usize::MAX => path.push((other, answer)),
                        before if answer != by => earliest[at] = earliest[at].min(before),
                        _ => {}
                    }
                    continue;
                }
                path.pop();
                let Some(&(up, _)) = path.last() else { break };
                earliest[up] = earliest[up].min(earliest[at]);
                if earliest[at] == entered[at] {
                    found.push((by, entered[at]..order.len()));
                }
            }
            for (answer, below) in found {
                bridges[answer] = Some(Bridge { below, within: begin..order.len() });
            }
        }
        Search { order, entered, bridges }
    }
}

/// The smaller half of a group, cut where walks between its rows are rarest.
pub(super) fn half(known: &Known, nodes: &[usize]) -> Option<Vec<usize>> {
    let n = nodes.len();
    if n < LEAST_TO_CUT {
        return None;
    }
    let alike = known.likenesses(nodes);
    let pairs = (0..n).flat_map(|one| (0..one).map(move |other| (one, other)));
    let (one, other) =
        pairs.min_by(|&(a, b), &(c, d)| alike[a * n + b].total_cmp(&alike[c * n + d]))?;
    let mut with_one: Vec<bool> =
        (0..n).map(|at| alike[at * n + one] > alike[at * n + other]).collect();
    (with_one[one], with_one[other]) = (true, false);
    for _ in 0..4 {
        let count = with_one.iter().filter(|&&with| with).count();
        if count == 0 || count == n {
            return None;
        }
        let mean = |at: usize, side: bool| {
            let others = (0..n).filter(|&other| other != at && with_one[other] == side);
            let size = if side { count } else { n - count };
            others.map(|other| alike[at * n + other]).sum::<f64>() / size as f64
        };
        with_one = (0..n).map(|at| mean(at, true) > mean(at, false)).collect();
    }
    let side = 2 * with_one.iter().filter(|&&with| with).count() <= n;
    let part: Vec<usize> = (0..n).filter(|&at| with_one[at] == side).map(|at| nodes[at]).collect();
    (!part.is_empty() && part.len() < n).then_some(part)
}
