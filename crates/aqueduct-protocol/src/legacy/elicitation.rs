//! Sending the user to an address, as 2025-11-25 has it: with an id, and with word of its end.
//!
//! [Elicitation](https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation).

use crate::jsonrpc::notification;
use crate::meta::Meta;
use crate::method;
use crate::record::record;

record! {
    /// An address for the user.
    #[derive(Eq)]
    #[serde(tag = "mode", rename = "url")]
    ElicitUrlParams {
        /// What it is for, for the user.
        message: String,
        /// Tells this elicitation from every other.
        elicitation_id: String,
        /// The address.
        url: String,
    }
}

record! {
    /// The parameters of [`ElicitationCompleteNotification`].
    #[derive(Eq)]
    ElicitationCompleteNotificationParams {
        /// The elicitation.
        elicitation_id: String,
        /// What rides along.
        #[serde(rename = "_meta")]
        meta: Option<Meta>,
    }
}

notification! {
    /// What the user was sent to the address for is done.
    ElicitationCompleteNotification = method::NOTIFICATIONS_ELICITATION_COMPLETE,
    ElicitationCompleteNotificationParams
}

#[cfg(test)]
mod tests {
    use super::ElicitUrlParams;

    #[test]
    fn an_address_names_its_mode_and_its_id() {
        let params = ElicitUrlParams::new("Sign in", "e1", "https://a.example/");
        assert_eq!(
            serde_json::to_string(&params).unwrap(),
            r#"{"mode":"url","message":"Sign in","elicitationId":"e1","url":"https://a.example/"}"#
        );
    }
}
