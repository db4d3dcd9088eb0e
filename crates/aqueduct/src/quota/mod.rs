//! How much one caller may ask for: how often, and how much at once.
//!
//! What holds for everybody together are the limits of the transport; these keep one caller from
//! taking all of it. A caller is a [`Principal`](crate::Principal): where callers are not told
//! apart, as over standard input and output, only the rates of single tools hold, and all who call
//! share them.

mod bucket;
mod flight;
mod limits;
mod meter;
mod rate;

use std::sync::Arc;

use self::flight::Flight;
pub(crate) use self::flight::Seat;
pub use self::limits::Limits;
use self::meter::Meter;
pub use self::rate::Rate;
use crate::context::{Context, Principal};
use crate::error::Error;
use crate::store::Store;

/// What all callers of a server have taken.
pub(crate) struct Quota {
    limits: Limits,
    flight: Flight,
    meter: Meter,
}

impl Quota {
    /// Counts in the store when other processes see it too, and in this process otherwise.
    pub(crate) fn new(limits: Limits, store: &Arc<dyn Store>) -> Self {
        let shared = store.promise().is_shared.then(|| Arc::clone(store));
        Self { limits, flight: Flight::default(), meter: Meter::new(shared) }
    }

    /// A place among the calls of this caller, and one call less that it may make now.
    ///
    /// # Errors
    /// When the caller has too much open, or has asked too often.
    pub(crate) async fn enter(&self, ctx: &Context) -> Result<Option<Seat>, Error> {
        let Some(caller) = ctx.principal() else { return Ok(None) };
        // On the heap, so that a call of nobody in particular moves a small future.
        Box::pin(self.enter_as(caller)).await.map(Some)
    }

    async fn enter_as(&self, caller: &Principal) -> Result<Seat, Error> {
        let most = self.limits.calls_per_principal;
        let Some(seat) = self.flight.sit(caller, most) else {
            let message = format!("this caller has {most} calls open; wait until one has ended");
            return Err(Error::rate_limited(message, flight::SOON));
        };
        self.take(Some(caller), None, self.limits.rate_per_principal).await?;
        Ok(seat)
    }

    /// One call less that the caller may make of this tool now.
    ///
    /// # Errors
    /// When the tool was called too often.
    pub(crate) async fn call(&self, ctx: &Context, tool: &str, rate: Rate) -> Result<(), Error> {
        self.take(ctx.principal(), Some(tool), rate).await
    }

    async fn take(
        &self,
        caller: Option<&Principal>,
        tool: Option<&str>,
        rate: Rate,
    ) -> Result<(), Error> {
        let taken = self.meter.take(&meter::Key { caller, tool }, rate).await;
        taken.map_err(|wait| {
            let what = tool.map_or_else(String::new, |tool| format!("tool {tool:?}: "));
            let message = format!("{what}{rate} are allowed; wait {} s", rate::seconds(wait));
            Error::rate_limited(message, wait)
        })
    }
}
