//! How a server is given skills.

use super::Server;
use crate::skill::Skills;

impl Server {
    /// Serves skills, and says that it does (SEP-2640); given twice, those of both.
    #[must_use]
    pub fn skills(mut self, skills: Skills) -> Self {
        self.skills = Some(match self.skills.take() {
            Some(known) => known.join(&skills, &mut self.problems),
            None => skills,
        });
        self
    }
}
