//! What was said of nodes, and which of it is about each.

use super::answers::{Answer, Told};

/// What was said of two nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) a: usize,
    pub(super) b: usize,
    pub(super) answer: Answer,
    pub(super) certain: bool,
}

impl Said {
    pub(super) fn other(&self, node: usize) -> usize {
        if self.a == node { self.b } else { self.a }
    }
}

/// All that was said, in order. A question looks at the rows it is about, not at every answer.
#[derive(Debug, Clone)]
pub(super) struct Heard {
    all: Vec<Said>,
    /// For each node the positions of what was said of it, ascending.
    about: Vec<Vec<u32>>,
}

impl Heard {
    pub(super) fn nothing(n_nodes: usize) -> Self {
        Heard { all: Vec::new(), about: vec![Vec::new(); n_nodes] }
    }

    /// Two rows of one node say nothing that the walk could use.
    pub(super) fn hear(&mut self, told: &Told, node: impl Fn(usize) -> usize) {
        let (a, b) = (node(told.a), node(told.b));
        if a != b {
            let at = self.all.len() as u32;
            self.about[a].push(at);
            self.about[b].push(at);
            self.all.push(Said { a, b, answer: told.answer, certain: told.certain });
        }
    }

    pub(super) fn n_nodes(&self) -> usize {
        self.about.len()
    }

    pub(super) fn all(&self) -> &[Said] {
        &self.all
    }

    /// Everything but what nobody could say.
    pub(super) fn links(&self) -> impl Iterator<Item = &Said> {
        self.all.iter().filter(|said| said.answer != Answer::Unsure)
    }

    /// What was said of a node, in order.
    pub(super) fn about(&self, node: usize) -> impl ExactSizeIterator<Item = &Said> {
        self.about[node].iter().map(|&at| self.said(at))
    }

    /// Whether something was said of two nodes.
    pub(super) fn is_told(&self, a: usize, b: usize) -> bool {
        let (one, other) = if self.about[a].len() < self.about[b].len() { (a, b) } else { (b, a) };
        self.about(one).any(|said| said.other(one) == other)
    }

    /// What was said between some nodes, ascending, and others, in order: with the other end.
    pub(super) fn between(&self, nodes: &[usize]) -> Vec<(&Said, usize)> {
        let outward = |&at: &u32| {
            let said = self.said(at);
            match (has(nodes, said.a), has(nodes, said.b)) {
                (true, false) => Some((said, said.b)),
                (false, true) => Some((said, said.a)),
                _ => None,
            }
        };
        self.positions(nodes).iter().filter_map(outward).collect()
    }

    /// What was said among some nodes, ascending, in order.
    pub(super) fn among(&self, nodes: &[usize]) -> Vec<&Said> {
        let inward = |&at: &u32| {
            let said = self.said(at);
            (has(nodes, said.a) && has(nodes, said.b)).then_some(said)
        };
        let mut positions = self.positions(nodes);
        positions.dedup();
        positions.iter().filter_map(inward).collect()
    }

    fn said(&self, at: u32) -> &Said {
        &self.all[at as usize]
    }

    /// The positions of what was said of some nodes, ascending; twice where both ends are among them.
    fn positions(&self, nodes: &[usize]) -> Vec<u32> {
        let about = nodes.iter().flat_map(|&node| self.about[node].iter().copied());
        let mut positions: Vec<u32> = about.collect();
        if nodes.len() > 1 {
            positions.sort_unstable();
        }
        positions
    }
}

fn has(nodes: &[usize], node: usize) -> bool {
    match nodes {
        [one] => *one == node,
        _ => nodes.binary_search(&node).is_ok(),
    }
}
