//! What is believed, worked out anew from all answers after each one, beside what [`Belief`] keeps up to date.

use super::belief::{Belief, PRIOR_RIGHT, PRIOR_WRONG, RATES, State, posterior, shares};
use super::frame::Frame;
use super::heard::Said;
use super::linear::solve;
use super::*;
use crate::datasets;
use crate::points::Points;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

/// The rows that have their place.
struct Known {
    nodes: Vec<usize>,
    of: Vec<usize>,
    k: usize,
    columns: Vec<std::sync::Arc<Vec<f32>>>,
    inverse: Vec<f64>,
    spread: Vec<f64>,
    mass: Vec<f64>,
}

impl Known {
    fn new(frame: &Frame<f64>, state: &State) -> Self {
        let (nodes, of): (Vec<usize>, Vec<usize>) = state.places.iter().unzip();
        let (n, k) = (nodes.len(), state.places.n_groups());
        let (columns, totals): (Vec<_>, Vec<f64>) = frame.columns(&nodes).into_iter().unzip();
        let mut matrix = vec![0.0; n * n];
        for (row, column) in columns.iter().enumerate() {
            for (col, &other) in nodes.iter().enumerate() {
                matrix[row * n + col] += 0.5 * f64::from(column[other]);
                matrix[col * n + row] += 0.5 * f64::from(column[other]);
            }
        }
        (0..n).for_each(|at| matrix[at * n + at] *= 1.0 + 1e-6);
        let identity = (0..n * n).map(|cell| f64::from(u8::from(cell / n == cell % n))).collect();
        let inverse = solve(matrix, identity, n, n);
        let mut spread = vec![0.0; n * k];
        let mut mass = vec![0.0; n];
        for cell in 0..n * n {
            spread[cell / n * k + of[cell % n]] += inverse[cell];
            mass[cell / n] += inverse[cell] * totals[cell % n];
        }
        Known { nodes, of, k, columns, inverse, spread, mass }
    }

    fn chances_of(&self, column: impl Fn(usize) -> f32) -> Vec<f64> {
        let of = |group: usize| {
            let all = 0..self.nodes.len();
            let end = |at: usize| f64::from(column(at)) * self.spread[at * self.k + group];
            all.map(end).sum::<f64>().clamp(0.0, 1.0)
        };
        (0..self.k).map(of).collect()
    }

    fn chances_without(&self, block: &[usize]) -> Vec<f64> {
        let (n, k, size) = (self.nodes.len(), self.k, block.len());
        let of = |&row: &usize| block.iter().map(move |&col| self.inverse[row * n + col]);
        let inner = block.iter().flat_map(of).collect();
        let spread = block.iter().flat_map(|&at| self.spread[at * k..][..k].to_vec()).collect();
        let solved = solve(inner, spread, size, k);
        let of = |group: usize| {
            let own = |at: usize| f64::from(u8::from(self.of[at] == group));
            let rows = block.iter().enumerate();
            let all = rows.map(|(row, &at)| (own(at) - solved[row * k + group]).clamp(0.0, 1.0));
            all.sum::<f64>() / size as f64
        };
        (0..k).map(of).collect()
    }

    /// Whole groups, what a single "same" holds, and halves: positions, place, chances.
    fn blocks(&self, state: &State, heard: &[Said]) -> Vec<(Vec<usize>, usize, Vec<f64>)> {
        let mut blocks = Vec::new();
        for group in 0..self.k {
            let members: Vec<usize> =
                (0..self.nodes.len()).filter(|&at| self.of[at] == group).collect();
            let mut weigh = |block: &[usize], is_whole: bool| {
                if block.len() > 60 {
                    return;
                }
                let nodes: Vec<usize> = block.iter().map(|&at| self.nodes[at]).collect();
                let mut chances = self.chances_without(block);
                let mut said = evidence(state, heard, &nodes, self.k);
                if is_whole {
                    (chances[group], said[group]) = (0.0, f64::NEG_INFINITY);
                }
                let shares = vec![1.0 / self.k as f64; self.k];
                let place = if is_whole { self.k } else { group };
                blocks.push((nodes, place, posterior(&chances, &said, &shares)));
            };
            if self.k > 1 {
                weigh(&members, true);
            }
            let inside = |said: &Said| {
                let at = |node: usize| members.iter().position(|&at| self.nodes[at] == node);
                Some((at(said.a)?, at(said.b)?)).filter(|_| said.answer == Answer::Same)
            };
            let inside: Vec<(usize, usize)> = heard.iter().filter_map(inside).collect();
            for part in held_by_one_answer(&inside, members.len()) {
                weigh(&part.iter().map(|&at| members[at]).collect::<Vec<_>>(), false);
            }
            if let Some(half) = self.half(&members) {
                weigh(&half, false);
            }
        }
        blocks
    }

    fn half(&self, members: &[usize]) -> Option<Vec<usize>> {
        let n = members.len();
        if n < 4 {
            return None;
        }
        let tie = |a: usize, b: usize| f64::from(self.columns[members[a]][self.nodes[members[b]]]);
        let alike = |a: usize, b: usize| tie(a, b) / (tie(a, a) * tie(b, b)).sqrt();
        let pairs = (0..n).flat_map(|one| (0..one).map(move |other| (one, other)));
        let (one, other) = pairs.min_by(|&(a, b), &(c, d)| alike(a, b).total_cmp(&alike(c, d)))?;
        let mut with_one: Vec<bool> = (0..n).map(|at| alike(at, one) > alike(at, other)).collect();
        (with_one[one], with_one[other]) = (true, false);
        for _ in 0..4 {
            let count = with_one.iter().filter(|&&with| with).count();
            if count == 0 || count == n {
                return None;
            }
            let mean = |at: usize, side: bool| {
                let others = (0..n).filter(|&other| other != at && with_one[other] == side);
                let size = if side { count } else { n - count };
                others.map(|other| alike(at, other)).sum::<f64>() / size as f64
            };
            with_one = (0..n).map(|at| mean(at, true) > mean(at, false)).collect();
        }
        let side = 2 * with_one.iter().filter(|&&with| with).count() <= n;
        let part: Vec<usize> =
            (0..n).filter(|&at| with_one[at] == side).map(|at| members[at]).collect();
        (!part.is_empty() && part.len() < n).then_some(part)
    }
}

/// For each pair without which the nodes fall apart, the smaller part: it is left out, and who is
/// still reached is looked for.
fn held_by_one_answer(inside: &[(usize, usize)], n: usize) -> Vec<Vec<usize>> {
    let part = |(left_out, &(start, end)): (usize, &(usize, usize))| {
        let mut is_reached = vec![false; n];
        is_reached[start] = true;
        for _ in 0..n {
            for (_, &(a, b)) in inside.iter().enumerate().filter(|(at, _)| *at != left_out) {
                let either = is_reached[a] || is_reached[b];
                (is_reached[a], is_reached[b]) = (either, either);
            }
        }
        let wanted = 2 * is_reached.iter().filter(|&&is_reached| is_reached).count() <= n;
        (!is_reached[end]).then(|| (0..n).filter(|&at| is_reached[at] == wanted).collect())
    };
    inside.iter().enumerate().filter_map(part).collect()
}

fn evidence(state: &State, heard: &[Said], nodes: &[usize], k: usize) -> Vec<f64> {
    let mut evidence = vec![0.0; k];
    for said in heard.iter().filter(|said| nodes.contains(&said.a) != nodes.contains(&said.b)) {
        let other = if nodes.contains(&said.a) { said.b } else { said.a };
        let Some(group) = state.places.get(other) else { continue };
        evidence[group] += match said.answer {
            Answer::Same => state.weight(said),
            Answer::Different => -state.weight(said),
            Answer::Unsure => 0.0,
        };
    }
    evidence
}

fn best(chances: &[f64]) -> usize {
    (0..chances.len()).rev().max_by(|&a, &b| chances[a].total_cmp(&chances[b])).unwrap()
}

fn settle(frame: &Frame<f64>, points: &Points<'_, f64>, state: &mut State, heard: &[Said]) {
    let linked: Vec<&Said> = heard.iter().filter(|said| said.answer != Answer::Unsure).collect();
    let mut nodes: Vec<usize> = linked.iter().flat_map(|said| [said.a, said.b]).collect();
    nodes.sort_unstable();
    nodes.dedup();
    for _ in 0..2 {
        if state.places.is_empty() && !linked.is_empty() {
            state.places.set(linked[0].b, Some(0));
        }
        let (mut tries, mut n_moves) = (BTreeMap::<usize, usize>::new(), 0);
        let known = loop {
            state.places.renumber();
            let known = Known::new(frame, state);
            // The groups alone are asked for there.
            let near = super::known::Known::at(frame, &state.places);
            let free = nodes.iter().filter(|&&node| {
                state.places.get(node).is_none() && tries.get(&node).is_none_or(|&n| n < 3)
            });
            let place = |&node: &usize| {
                let said = evidence(state, heard, &[node], known.k);
                let shares = shares(frame, points, &near, node);
                let column = frame.column(node);
                let walks = known.chances_of(|at| column[known.nodes[at]]);
                let chances = posterior(&walks, &said, &shares);
                let best = best(&chances);
                let joins = best < known.k && said[best] > 0.0 && chances[best] > 0.5;
                let is_apart = |group: usize| {
                    heard.iter().any(|said| {
                        let is_about = said.a == node || said.b == node;
                        is_about
                            && said.answer == Answer::Different
                            && state.places.get(said.other(node)) == Some(group)
                    })
                };
                let founds = chances[known.k] > 0.8 || (0..known.k).all(is_apart);
                (joins || best == known.k && founds).then_some((node, best))
            };
            if let Some((node, group)) = free.copied().find_map(|node| place(&node)) {
                state.places.set(node, Some(group));
                *tries.entry(node).or_default() += 1;
                continue;
            }
            let urge = |block: &(Vec<usize>, usize, Vec<f64>)| {
                (block.2[best(&block.2)] / block.2[block.1].max(f64::MIN_POSITIVE)).ln()
            };
            let blocks = known.blocks(state, heard).into_iter();
            let wants = |block: &(Vec<usize>, usize, Vec<f64>)| {
                best(&block.2) != block.1 && block.2[best(&block.2)] > 0.5
            };
            let first = blocks.filter(wants).max_by(|a, b| urge(a).total_cmp(&urge(b)));
            let Some((nodes, _, chances)) = first.filter(|_| n_moves < 20) else { break known };
            let is_lost = best(&chances) == known.k && nodes.len() == 1;
            for node in nodes {
                state.places.set(node, (!is_lost).then_some(best(&chances)));
            }
            n_moves += 1;
        };
        let alike = vec![1.0 / known.k.max(1) as f64; known.k];
        let together = |node: usize, other: usize| {
            let at = known.nodes.binary_search(&node).ok()?;
            let said = evidence(state, heard, &[node], known.k);
            let by_itself = posterior(&known.chances_without(&[at]), &said, &alike);
            state.places.get(other).map(|group| by_itself[group])
        };
        let wrong = |said: &&Said| {
            let chances = [together(said.a, said.b)?, together(said.b, said.a)?];
            let is_same = said.answer == Answer::Same;
            Some(chances.map(|p| if is_same { 1.0 - p } else { p }).into_iter().fold(0.0, f64::max))
        };
        let plain = linked.iter().copied().filter(|said| !said.certain);
        let n_wrong: f64 = plain.filter_map(|said| wrong(&said)).sum();
        let rate = (PRIOR_WRONG + n_wrong) / (PRIOR_WRONG + PRIOR_RIGHT + linked.len() as f64);
        let before = std::mem::replace(&mut state.error_rate, rate.clamp(RATES.0, RATES.1));
        if (state.error_rate - before).abs() <= 0.2 * before {
            break;
        }
    }
}

/// Rows drawn by chance, some of them equal, in three crowds that overlap.
fn crowds(n: usize) -> (Points<'static, f64>, Vec<i64>) {
    let blobs = datasets::blobs(n, 2, 3, 1.0, 2.0, 5).unwrap();
    let rounded = |value: &f64| (value * 4.0).round() / 4.0;
    let values: Vec<f64> = blobs.points.values().iter().map(rounded).collect();
    (Points::new(values, 2).unwrap(), blobs.labels)
}

/// Answers about random pairs: a tenth of them wrong, some certain, some unsure.
fn random_replies(labels: &[i64], n: usize, seed: u64) -> Vec<Reply> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut replies = Vec::new();
    while replies.len() < n {
        let (a, b) = (rng.random_range(0..labels.len()), rng.random_range(0..labels.len()));
        let is_right = rng.random_bool(0.9);
        let answer =
            if (labels[a] == labels[b]) == is_right { Answer::Same } else { Answer::Different };
        let reply = match rng.random_range(0..20) {
            0 => Reply::pair(a, b, Answer::Unsure),
            1 if is_right => Reply::pair(a, b, answer).certain(),
            _ => Reply::pair(a, b, answer),
        };
        if a != b {
            replies.push(reply);
        }
    }
    replies
}

#[test]
fn what_is_kept_up_to_date_is_what_all_answers_say_anew() {
    let (points, labels) = crowds(60);
    for seed in 0..3 {
        let frame = Frame::new(&points, 0);
        let mut belief = Belief::begin(60);
        let mut state = State::begin(60);
        for (at, reply) in random_replies(&labels, 150, seed).iter().enumerate() {
            belief.hear(&frame, &points, reply);
            settle(&frame, &points, &mut state, belief.heard.all());
            assert_eq!(belief.state.places, state.places, "seed {seed}, answer {at}");
            let close = |one: f64, other: f64| assert!((one - other).abs() < 1e-9, "{one} {other}");
            close(belief.state.error_rate, state.error_rate);
            belief.weigh();
            let known = Known::new(&frame, &state);
            known.nodes.iter().zip(&known.mass).for_each(|(&node, mass)| {
                close(belief.known.mass_of(node), mass.max(0.0));
            });
            let k = known.k;
            for node in (0..60).filter(|&node| state.places.get(node).is_none()) {
                let walks = known.chances_of(|at| known.columns[at][node]);
                belief.chances()[node * k..][..k].iter().zip(walks).for_each(|(&a, b)| close(a, b));
            }
            let blocks = known.blocks(&state, belief.heard.all());
            assert_eq!(belief.blocks.len(), blocks.len());
            for (block, (nodes, place, chances)) in belief.blocks.iter().zip(blocks) {
                assert_eq!((&block.nodes, block.place), (&nodes, place));
                block.chances.iter().zip(chances).for_each(|(&a, b)| close(a, b));
            }
        }
    }
}

#[test]
fn the_way_to_the_answers_plays_no_part() {
    let (points, labels) = crowds(80);
    let replies = random_replies(&labels, 120, 9);
    let mut asker = Asker::new(points.clone(), Chooser::Border, 0).unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut told = Vec::new();
    for reply in replies {
        told.push(reply.clone());
        asker.reply(reply).unwrap();
        match rng.random_range(0..6) {
            0 => drop(asker.outlook()),
            1 => (0..rng.random_range(0..40)).for_each(|_| {
                asker.undo_last();
                told.pop();
                asker.chances();
            }),
            2 => {
                let at = rng.random_range(0..told.len());
                told[at] = Reply::pair(0, 1, Answer::Unsure);
                asker.replace(at, told[at].clone()).unwrap();
            }
            _ => {}
        }
        let resumed = Asker::new(points.clone(), Chooser::Border, 0).unwrap();
        let resumed = resumed.resume(told.clone()).unwrap();
        // To the last bit.
        assert_eq!(asker.chances(), resumed.chances());
        assert_eq!(asker.error_rate(), resumed.error_rate());
        assert_eq!(asker.question(&Kind::ASKED), resumed.question(&Kind::ASKED));
    }
}
