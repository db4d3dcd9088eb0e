//! A framework for Model Context Protocol servers.
