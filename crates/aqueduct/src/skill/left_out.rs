//! Stands in for skills in a program that was built without them: there never are any.

use std::sync::Arc;

use aqueduct_protocol::cache::CacheHint;
use aqueduct_protocol::skills::Skill;

use crate::resource::{ErasedRepo, ResourceItem};

/// Skills of which there are none.
#[derive(Clone, Debug)]
pub(crate) enum Skills {}

impl Skills {
    pub(crate) fn entries(&self) -> &[Skill] {
        match *self {}
    }

    pub(crate) fn cache_hint(&self) -> CacheHint {
        match *self {}
    }

    pub(crate) fn get(&self, _: &str) -> Option<&Skill> {
        match *self {}
    }

    pub(crate) fn children(&self, _: &str) -> Option<&[ResourceItem]> {
        match *self {}
    }

    pub(crate) fn is_file(&self, _: &str) -> bool {
        match *self {}
    }

    pub(crate) fn repo(&self) -> Arc<dyn ErasedRepo> {
        match *self {}
    }

    pub(crate) fn join(self, _: &Self, _: &mut Vec<String>) -> Self {
        match self {}
    }
}
