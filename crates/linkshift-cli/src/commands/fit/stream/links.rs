//! Links between rows of tables that are nowhere whole: only the rows that they name are known.

use crate::failure::{Failure, Result};
use crate::input::{Contradictions, LinksFile};
use linkshift::drawn::Draw;
use linkshift::error::LinkError;
use linkshift::{Error, Link, Links};
use linkshift_io::{Survey, link_ends, read_links};
use std::collections::{BTreeSet, HashSet};
use std::path::Path;

/// Links between the rows that they name, which are few.
pub(super) struct FarLinks<'a> {
    /// The rows, ascending.
    rows: Vec<usize>,
    /// Their ids, where links name these.
    ids: Option<Vec<String>>,
    path: Option<&'a Path>,
    /// Between positions among the rows.
    near: Links,
    dropped: Vec<Link>,
}

impl<'a> FarLinks<'a> {
    /// The ids that the file names; none if it names rows.
    pub(super) fn named(path: Option<&Path>, by_id: bool) -> Result<HashSet<String>> {
        match path {
            Some(path) if by_id => Ok(link_ends(path)?.into_iter().collect()),
            _ => Ok(HashSet::new()),
        }
    }

    pub(super) fn read(path: Option<&'a Path>, survey: &Survey, by_id: bool) -> Result<Self> {
        let mut links =
            Self { rows: Vec::new(), ids: None, path, near: Links::new(), dropped: Vec::new() };
        let Some(path) = path else { return Ok(links) };
        if by_id {
            let mut found: Vec<(usize, &String)> =
                survey.row_of.iter().map(|(id, &row)| (row, id)).collect();
            found.sort_unstable();
            let ids: Vec<String> = found.iter().map(|&(_, id)| id.clone()).collect();
            links.rows = found.into_iter().map(|(row, _)| row).collect();
            links.near = read_links(path, ids.len(), Some(&ids))?.into_iter().collect();
            links.ids = Some(ids);
            return Ok(links);
        }
        let far = read_links(path, survey.n_rows, None)?;
        let rows: BTreeSet<usize> = far.iter().flat_map(|link| [link.a, link.b]).collect();
        links.rows = rows.into_iter().collect();
        let near = |link: &Link| links.near_link(link);
        links.near = far.iter().map(near).collect();
        Ok(links)
    }

    fn near_link(&self, link: &Link) -> Link {
        let near = |row: usize| self.rows.partition_point(|&known| known < row);
        Link { a: near(link.a), b: near(link.b), ..*link }
    }

    fn far_link(&self, link: &Link) -> Link {
        Link { a: self.rows[link.a], b: self.rows[link.b], ..*link }
    }

    /// The links between rows.
    pub(super) fn far(&self) -> Links {
        self.near.iter().map(|link| self.far_link(link)).collect()
    }

    /// The same without contradictions, if that is wanted.
    pub(super) fn settled(self, contradictions: Contradictions) -> Result<Self> {
        let file = self.file(self.near.clone());
        let LinksFile { links, dropped, .. } = file.settled(contradictions, self.rows.len())?;
        Ok(Self { near: links, dropped, ..self })
    }

    /// The same with those that were left out, so that their ends are known, too.
    pub(super) fn told(&self) -> Links {
        self.near.iter().chain(&self.dropped).map(|link| self.far_link(link)).collect()
    }

    /// What was left out, between positions in a draw of all that were told.
    pub(super) fn dropped(&self, draw: &Draw) -> Vec<Link> {
        let far: Links = self.dropped.iter().map(|link| self.far_link(link)).collect();
        draw.positions(&far).as_slice().to_vec()
    }

    /// An error about links between rows, in terms of the file.
    pub(super) fn explained(&self, error: Error) -> Failure {
        let error = match error {
            Error::Links(LinkError::Contradiction { cannot, chain }) if self.ids.is_some() => {
                let chain = chain.iter().map(|link| self.near_link(link)).collect();
                LinkError::Contradiction { cannot: self.near_link(&cannot), chain }.into()
            }
            other => other,
        };
        self.file(Links::new()).explained(error)
    }

    fn file(&self, links: Links) -> LinksFile<'_> {
        LinksFile::new(self.path, self.ids.as_deref(), links)
    }
}
