//! Which question is worth most: the chooser that needs no number of groups.

use super::answers::Answer;
use super::belief::{Belief, posterior, shares};
use super::blocks::Block;
use super::frame::Frame;
use super::question::{Group, Pair, Place, Question};
use super::reply::Kind;
use crate::points::Points;
use crate::real::Real;

/// What a wrong place costs, by what a row without one costs: more asks again sooner. It is shared out among
/// the groups, as hearing that a row is not where it was leaves all others to ask about. The same for any
/// number of groups, 1.5 spent two of three answers on asking again where there were ten and a tenth was wrong, and 0.25
/// too few where there were three.
const AGAIN: f64 = 4.5;

/// Whoever expects fewer wrong rows than this asks no more.
const NEGLIGIBLE: f64 = 0.01;

/// A row that was asked about so many times more often than there are groups is left alone.
const PATIENCE: usize = 6;

/// A group is shown where so many rows may be odd, beside as many others: three pairs take as long as
/// one look at it.
const LEAST_OF_EACH: usize = 3;

/// All that one question is chosen by.
pub(super) struct Border<'f, 'p, T: Real> {
    pub(super) frame: &'f Frame<T>,
    pub(super) points: &'f Points<'p, T>,
    pub(super) belief: &'f Belief,
}

impl<'f, 'p, T: Real> Border<'f, 'p, T> {
    pub(super) fn new(frame: &'f Frame<T>, points: &'f Points<'p, T>, belief: &'f Belief) -> Self {
        Border { frame, points, belief }
    }

    pub(super) fn n_groups(&self) -> usize {
        self.belief.known.groups.len()
    }

    pub(super) fn chances_of(&self, node: usize) -> &[f64] {
        let k = self.n_groups();
        &self.belief.chances()[node * k..][..k]
    }

    /// The question worth most per second, of these kinds; none if there is nothing left to ask.
    pub(super) fn question(&self, kinds: &[Kind]) -> Option<Question> {
        if self.n_groups() == 0 {
            return self.first().map(Question::Pair);
        }
        let is_free = self.free();
        let doubts = self.doubts(&is_free);
        let stakes = self.frame.walk.spread_doubts(&doubts, &is_free);
        let row = first_largest(&stakes, |node| is_free[node] && !self.is_given_up(node));
        let k = self.n_groups();
        let to_place = row.map(|node| {
            let column = self.frame.column(node);
            let reached: f64 =
                column.iter().zip(&doubts).map(|(&tie, doubt)| f64::from(tie) * doubt).sum();
            let gain = reached / f64::from(column[node]);
            let chances = self.placing(node);
            let mut sorted = chances[..k].to_vec();
            sorted.sort_by(|a, b| b.total_cmp(a));
            let asked: f64 = sorted.iter().zip(1..).map(|(p, rank)| p * f64::from(rank)).sum();
            let n_questions = (asked + chances[k] * k as f64).max(1.0);
            (node, gain, n_questions, chances)
        });
        let worth = to_place.as_ref().map_or(0.0, |(_, gain, n_questions, _)| gain / n_questions);
        let again = self.again(worth.max(NEGLIGIBLE), kinds);
        if let Some(again) = again {
            return Some(again);
        }
        let (node, gain, n_questions, chances) = to_place?;
        let open = self.open_groups(node, &chances);
        if kinds.contains(&Kind::Place) && open.len() > 1 {
            // Whoever finds the row among the groups shown, or finds it in none of all there are,
            // has placed it.
            let new = if open.len() < Place::MOST_GROUPS { chances[k] } else { 0.0 };
            let placed: f64 = open.iter().map(|&group| chances[group]).sum::<f64>() + new;
            let per_second = |kind: Kind, gain: f64| gain / kind.seconds();
            let pair = per_second(Kind::Pair, gain / n_questions);
            if per_second(Kind::Place, gain * placed) > pair || !kinds.contains(&Kind::Pair) {
                return Some(Question::Place(self.place(node, &open, &chances)));
            }
        }
        self.pair(node, &chances).map(Question::Pair)
    }

    /// Where there is no answer yet: the two rows that most hangs on.
    fn first(&self) -> Option<Pair> {
        let weights = &self.frame.weights;
        let all = vec![true; weights.len()];
        let stakes = self.frame.walk.spread_doubts(weights, &all);
        let told = |a: usize, b: usize| self.belief.heard.is_told(a, b);
        let begin = first_largest(&stakes, |_| true)?;
        let column = self.frame.column(begin);
        let own = f64::from(column[begin]);
        let mut is_free = all;
        is_free[begin] = false;
        let doubt = |node: usize| match is_free[node] {
            true => (1.0 - f64::from(column[node]) / own) * weights[node],
            false => 0.0,
        };
        let doubts: Vec<f64> = (0..weights.len()).map(doubt).collect();
        let stakes = self.frame.walk.spread_doubts(&doubts, &is_free);
        let other = first_largest(&stakes, |node| is_free[node] && !told(node, begin))?;
        let chance = f64::from(column[other]) / own;
        Some(self.asked(other, begin, chance.clamp(0.0, 1.0), false))
    }

    /// Nodes that have no place, and of which a person could say something so far.
    fn free(&self) -> Vec<bool> {
        let mut is_free = vec![true; self.frame.n_nodes()];
        let known = &self.belief.known;
        known.nodes.iter().for_each(|&node| is_free[node] = false);
        let unsure = self.belief.heard.all().iter().filter(|said| said.answer == Answer::Unsure);
        for said in unsure {
            for (node, other) in [(said.a, said.b), (said.b, said.a)] {
                is_free[node] &= !known.is_placed(other);
            }
        }
        is_free
    }

    /// u: 1 − (largest − second largest chance), by weight.
    fn doubts(&self, is_free: &[bool]) -> Vec<f64> {
        let doubt = |node: usize| match is_free[node] {
            true => {
                let largest = self.chances_of(node).iter().fold([0.0, 0.0], |[one, two], &p| {
                    if p > one { [p, one] } else { [one, p.max(two)] }
                });
                (1.0 - (largest[0] - largest[1])) * self.frame.weights[node]
            }
            false => 0.0,
        };
        (0..self.frame.n_nodes()).map(doubt).collect()
    }

    /// The chance of each group for a node without a place, and of a new one.
    pub(super) fn placing(&self, node: usize) -> Vec<f64> {
        let Belief { state, heard, known, .. } = self.belief;
        let evidence = state.evidence(heard, &[node], self.n_groups());
        let shares = shares(self.frame, self.points, known, node);
        posterior(self.chances_of(node), &evidence, &shares)
    }

    /// Whether nobody is left to compare a row with, or too many have been.
    fn is_given_up(&self, node: usize) -> bool {
        let n_told = self.belief.heard.about(node).len();
        let nodes = &self.belief.known.nodes;
        n_told >= self.n_groups() + PATIENCE
            || (n_told >= nodes.len()
                && nodes.iter().all(|&other| self.belief.heard.is_told(node, other)))
    }

    /// The likeliest groups that a node was not compared with yet, as many as can be shown.
    fn open_groups(&self, node: usize, chances: &[f64]) -> Vec<usize> {
        let untold = |group: &usize| {
            let members = self.belief.known.groups[*group].iter();
            members.into_iter().all(|&member| !self.belief.heard.is_told(node, member))
        };
        let order = by_falling(&chances[..self.n_groups()]);
        order.into_iter().filter(untold).take(Place::MOST_GROUPS).collect()
    }

    fn place(&self, node: usize, groups: &[usize], chances: &[f64]) -> Place {
        let row = |node: &usize| self.frame.row(*node);
        let shown = |&group: &usize| {
            let typical = self.belief.known.typical(group);
            typical.iter().take(Place::MOST_SHOWN).map(row).collect()
        };
        Place {
            row: self.frame.row(node),
            groups: groups.iter().map(shown).collect(),
            chances: groups.iter().map(|&group| chances[group]).collect(),
        }
    }

    /// The node against its likeliest group, by the nearest member it was not compared with.
    fn pair(&self, node: usize, chances: &[f64]) -> Option<Pair> {
        for group in by_falling(&chances[..self.n_groups()]) {
            let members = self.belief.known.groups[group].iter().copied();
            let untold = members.filter(|&member| !self.belief.heard.is_told(node, member));
            let apart = |member: usize| self.frame.distance_sq(self.points, node, member);
            let nearest = untold.min_by(|&a, &b| apart(a).total_cmp(&apart(b)));
            if let Some(nearest) = nearest {
                return Some(self.asked(node, nearest, chances[group], false));
            }
        }
        None
    }

    /// A block that is worth more than `worth`, asked about in another form than before.
    fn again(&self, worth: f64, kinds: &[Kind]) -> Option<Question> {
        let known = &self.belief.known;
        let mut best: Option<(f64, Question)> = None;
        for (number, block) in self.belief.blocks.iter().enumerate() {
            let mass: f64 = block.nodes.iter().map(|&node| known.mass_of(node)).sum();
            let value = AGAIN / self.n_groups() as f64 * 2.0 * block.wrong() * mass;
            if value <= best.as_ref().map_or(worth, |(value, _)| *value) {
                continue;
            }
            if let Some(question) = self.about(block, number, kinds) {
                best = Some((value, question));
            }
        }
        best.map(|(_, question)| question)
    }

    /// The question about a block: its most typical row against the most typical row of where it is,
    /// or of where it may be instead.
    fn about(&self, block: &Block, number: usize, kinds: &[Kind]) -> Option<Question> {
        let (known, k) = (&self.belief.known, self.n_groups());
        let own = self.belief.state.places.get(block.nodes[0]);
        let others: Vec<usize> =
            by_falling(&block.chances[..k]).into_iter().filter(|&g| Some(g) != own).collect();
        let likeliest = others.first().copied();
        let target = match likeliest {
            _ if block.place == k => likeliest?,
            // Both places tell: they take turns.
            Some(other)
                if block.chances[other] > block.chances[k].max(0.5 * block.wrong())
                    && (number + self.belief.heard.all().len()) % 2 == 1 =>
            {
                other
            }
            _ => block.place,
        };
        let mut rows = block.nodes.clone();
        rows.sort_by(|&a, &b| known.mass_of(b).total_cmp(&known.mass_of(a)).then(a.cmp(&b)));
        let is_told = |a: usize, b: usize| self.belief.heard.is_told(a, b);
        let partners = known.typical(target);
        let partners = partners.iter().filter(|node| !block.nodes.contains(node));
        let pairs = rows.iter().flat_map(|&row| partners.clone().map(move |&other| (row, other)));
        let (row, other) = pairs.into_iter().find(|&(row, other)| !is_told(row, other))?;
        if kinds.contains(&Kind::Place) && block.place == k {
            let is_open = |group: &usize| {
                let members = &known.groups[*group];
                !members.iter().any(|&member| rows.iter().any(|&row| is_told(row, member)))
            };
            let open: Vec<usize> =
                others.into_iter().filter(is_open).take(Place::MOST_GROUPS).collect();
            if open.len() > 1 {
                return Some(Question::Place(self.place(row, &open, &block.chances)));
            }
        }
        if kinds.contains(&Kind::Group)
            && target == block.place
            && let Some(group) = self.group(block, &rows)
        {
            return Some(Question::Group(group));
        }
        Some(Question::Pair(self.asked(row, other, block.chances[target], true)))
    }

    /// A group that may be two: rows of the block beside rows of the rest, as many of each. One look
    /// at a dozen tells more than a pair, where there are enough of them to look at.
    fn group(&self, block: &Block, rows: &[usize]) -> Option<Group> {
        let rest = self.belief.known.typical(block.place);
        let rest: Vec<usize> =
            rest.into_iter().filter(|node| !block.nodes.contains(node)).collect();
        let n_each = rows.len().min(rest.len()).min(Group::MOST_SHOWN / 2);
        // Whoever could not say, or said it already, is not shown the same again.
        let is_told =
            |&node: &usize| rest.iter().any(|&other| self.belief.heard.is_told(node, other));
        if n_each < LEAST_OF_EACH || rows[..n_each].iter().filter(|node| is_told(node)).count() > 1
        {
            return None;
        }
        let chance = block.chances[block.place];
        let of_rest = rest[..n_each].iter().map(|&node| (node, 1.0));
        let of_block = rows[..n_each].iter().map(|&node| (node, chance));
        let shown = of_rest.chain(of_block);
        let (rows, chances) = shown.map(|(node, chance)| (self.frame.row(node), chance)).unzip();
        Some(Group { rows, chances })
    }

    fn asked(&self, a: usize, b: usize, chance: f64, again: bool) -> Pair {
        let guess = if chance > 0.5 { Answer::Same } else { Answer::Different };
        Pair { a: self.frame.row(a), b: self.frame.row(b), guess, chance, again }
    }
}

/// Positions by falling value; the first of equal ones first.
pub(super) fn by_falling(values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[b].total_cmp(&values[a]));
    order
}

/// The position of the largest value that may be taken, the first of equal ones.
fn first_largest(values: &[f64], may: impl Fn(usize) -> bool) -> Option<usize> {
    (0..values.len()).rev().filter(|&at| may(at)).max_by(|&a, &b| values[a].total_cmp(&values[b]))
}
