//! Any function of extractors, as something that can be called with a [`Context`].

use std::future::Future;

use super::{Extract, Needs, Rejection};
use crate::context::Context;

/// An async function or closure whose arguments are all [`Extract`].
///
/// Implemented for functions of up to eight arguments; `Marker` only tells those apart.
#[diagnostic::on_unimplemented(
    message = "this cannot handle a call",
    label = "not an async function of extractors",
    note = "a handler is `async fn` or `|args| async move {{ body }}`; it is Send, Sync and 'static, and \
            so is its future: hold no lock guard across an await",
    note = "each argument is `Args<T>`, `State<T>`, `Context`, `Headers`, `Extension<T>`, \
            `Principal` or a type of yours that implements `Extract`"
)]
pub trait Handler<Marker>: Send + Sync + 'static {
    /// What it answers with.
    type Output;
    /// The work.
    type Future: Future<Output = Self::Output> + Send + 'static;

    /// Says what the arguments need.
    fn describe(needs: &mut Needs);

    /// Takes the arguments from the call and starts.
    ///
    /// # Errors
    /// The first argument that the call does not hold.
    fn invoke(&self, ctx: &Context) -> Result<Self::Future, Rejection>;
}

macro_rules! handlers {
    ($($arg:ident)*) => {
        #[diagnostic::do_not_recommend]
        impl<F, Fut, $($arg,)*> Handler<($($arg,)*)> for F
        where
            F: Fn($($arg),*) -> Fut + Send + Sync + 'static,
            Fut: Future + Send + 'static,
            $($arg: Extract,)*
        {
            type Output = Fut::Output;
            type Future = Fut;

            fn describe(needs: &mut Needs) {
                let _ = &needs;
                $($arg::describe(needs);)*
            }

            fn invoke(&self, ctx: &Context) -> Result<Self::Future, Rejection> {
                let _ = ctx;
                Ok(self($($arg::extract(ctx)?),*))
            }
        }
    };
}

handlers!();
handlers!(A);
handlers!(A B);
handlers!(A B C);
handlers!(A B C D);
handlers!(A B C D E);
handlers!(A B C D E G);
handlers!(A B C D E G H);
handlers!(A B C D E G H I);
