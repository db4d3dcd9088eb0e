//! A value of the server's own, shared by all calls.

use std::any::type_name;
use std::ops::Deref;
use std::sync::Arc;

use super::{Extract, Needs, Rejection};
use crate::context::Context;
use crate::error::Error;

/// A value that the server was given with `.state(…)`.
///
/// A server whose handlers ask for a type that it does not hold is refused when it is built.
pub struct State<T>(pub Arc<T>);

impl<T> Deref for State<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> Clone for State<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> std::fmt::Debug for State<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "State<{}>", type_name::<T>())
    }
}

impl<T: Send + Sync + 'static> Extract for State<T> {
    fn describe(needs: &mut Needs) {
        needs.state::<T>();
    }

    fn extract(ctx: &Context) -> Result<Self, Rejection> {
        ctx.state().map(Self).ok_or_else(|| {
            Error::internal(format!("the server holds no state of type {}", type_name::<T>()))
                .into()
        })
    }
}
