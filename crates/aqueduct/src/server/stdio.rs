//! A built server over standard input and output.

use std::io;

use super::Service;
use crate::transport::stdio;

impl Service {
    /// Serves the process that started this one, over standard input and output, until the input
    /// ends.
    ///
    /// # Errors
    /// When the descriptors cannot be taken or written to.
    pub async fn serve_stdio(self) -> io::Result<()> {
        let stamp = self.stamp().clone();
        let notifier = self.notifier();
        stdio::serve(self, stamp, move || notifier.end()).await
    }
}
