//! A built server over standard input and output.

use std::io;
use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncWrite};

use super::{Handshake, Service};
use crate::legacy::Conversation;
use crate::transport::stdio;

impl Service {
    fn conversation(&self) -> Option<Conversation> {
        let is_on = self.terms.handshake != Handshake::Off;
        let tasks = Arc::clone(&self.terms.background.tools);
        is_on.then(|| Conversation::new(self.terms.answer_time, tasks))
    }

    /// Serves the process that started this one, over standard input and output, until the input
    /// ends.
    ///
    /// # Errors
    /// When the descriptors cannot be taken or written to.
    pub async fn serve_stdio(self) -> io::Result<()> {
        self.start();
        let stamp = self.stamp().clone();
        let notifier = self.notifier();
        let conversation = self.conversation();
        stdio::serve(self, stamp, conversation, move || notifier.end()).await
    }

    /// Serves any pair of byte streams as standard input and output are served, one message a
    /// line: a Unix socket, the ends of a pipe, a pair in memory for a test.
    ///
    /// The specification asks custom transports to keep this framing (Transports › stdio).
    /// Each connection is served by a clone; when one ends, so do all listeners of the server,
    /// so give each connection a server of its own where they listen.
    ///
    /// # Errors
    /// When the streams cannot be read or written.
    pub async fn serve_lines(
        self,
        input: impl AsyncRead + Unpin,
        output: impl AsyncWrite + Unpin,
    ) -> io::Result<()> {
        self.start();
        let stamp = self.stamp().clone();
        let notifier = self.notifier();
        let conversation = self.conversation();
        let ends = stdio::Ends { input, output };
        stdio::serve_on(self, stamp, conversation, ends, move || notifier.end()).await
    }
}
