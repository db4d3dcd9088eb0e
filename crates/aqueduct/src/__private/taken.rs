//! The parameters of a marked function that do not come from the caller.

use crate::context::Context;
use crate::extract::{Extract, Needs, Rejection};

/// One such parameter.
pub trait Takes {
    /// Its type.
    type Value: Extract;
}

/// Its value.
pub struct Taken<T: Takes>(pub T::Value);

impl<T: Takes> std::fmt::Debug for Taken<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Taken")
    }
}

impl<T: Takes> Extract for Taken<T> {
    fn describe(needs: &mut Needs) {
        T::Value::describe(needs);
    }

    fn extract(ctx: &Context) -> Result<Self, Rejection> {
        T::Value::extract(ctx).map(Self)
    }
}

/// Two at once; the second may be two again, so that there is no limit to how many.
#[derive(Debug)]
pub struct Both<A, B>(pub A, pub B);

impl<A: Extract, B: Extract> Extract for Both<A, B> {
    fn describe(needs: &mut Needs) {
        A::describe(needs);
        B::describe(needs);
    }

    fn extract(ctx: &Context) -> Result<Self, Rejection> {
        Ok(Self(A::extract(ctx)?, B::extract(ctx)?))
    }
}

/// The end of a row of [`Both`].
#[derive(Debug)]
pub struct Nothing;

impl Extract for Nothing {
    fn extract(_: &Context) -> Result<Self, Rejection> {
        Ok(Self)
    }
}
