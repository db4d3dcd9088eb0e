//! Stands in for the store redb in a program that was built without it.

use std::future::ready;

use super::error::StoreError;
use super::open::Backend;

pub(super) fn open(_path: &str) -> impl Future<Output = Result<Backend, StoreError>> {
    ready(Err(StoreError::invalid(
        "the store redb is not in this program; build aqueduct with the feature \"redb\"",
    )))
}
