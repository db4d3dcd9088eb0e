//! A marked function as a handler.

use std::fmt;
use std::future::Future;
use std::marker::PhantomData;

use crate::context::Context;
use crate::extract::{Extract, Handler, Needs, Rejection};

/// A closure that calls the function.
///
/// It could be a handler by itself. But then the compiler would only say that it is none, where
/// here it says what holds the future back: the value that is kept across an await.
pub struct Handled<F, A>(F, PhantomData<fn(A)>);

/// A closure that takes what `A` takes from the call.
pub fn handled<A, F, Fut>(call: F) -> Handled<F, A>
where
    F: Fn(A) -> Fut,
{
    Handled(call, PhantomData)
}

impl<F, A, Fut> Handler<Handled<(), A>> for Handled<F, A>
where
    F: Fn(A) -> Fut + Send + Sync + 'static,
    Fut: Future + Send + 'static,
    A: Extract + 'static,
{
    type Output = Fut::Output;
    type Future = Fut;

    fn describe(needs: &mut Needs) {
        A::describe(needs);
    }

    fn invoke(&self, ctx: &Context) -> Result<Fut, Rejection> {
        Ok((self.0)(A::extract(ctx)?))
    }
}

impl<F, A> fmt::Debug for Handled<F, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Handled")
    }
}
