//! A directory whose files a server may hand out, and nothing outside it.
//!
//! Every step starts at a handle of the directory, never at a path from the outside, and follows
//! no symbolic link. On Linux the kernel sees to that in one call, elsewhere (and where `openat2`
//! is missing) each directory on the way is opened by itself.

use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags};
use rustix::io::Errno;

/// Longer paths are refused; it is the longest that most systems take.
const MAX_PATH_BYTES: usize = 4096;

/// A directory to read from by the relative paths that clients send
/// ([Resources, Security Considerations](https://modelcontextprotocol.io/specification/2026-07-28/server/resources#security-considerations)).
///
/// A path is taken as it is: whoever has it from a URI decodes it once, as
/// [`UriTemplate::matches`](crate::uri::UriTemplate::matches) does.
/// Refused are absolute paths, `.` and `..`, empty segments, backslashes, NUL and colons (drives
/// and streams of Windows), symbolic links anywhere below the root, and whatever is not a regular
/// file: a pipe cannot make a reader wait.
/// What is refused, forbidden or missing is the same [`FileError`], so nobody learns what exists.
///
/// A hard link inside the root is a file inside the root, and so is what is mounted there.
///
/// ```
/// use aqueduct::resource::FileRoot;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let directory = std::env::temp_dir().join(format!("manuals-{}", std::process::id()));
/// # std::fs::create_dir_all(directory.join("pumps"))?;
/// # std::fs::write(directory.join("pumps/p4.md"), "# P4")?;
/// let manuals = FileRoot::open(&directory)?;
/// assert_eq!(manuals.read("pumps/p4.md", 1 << 20)?.bytes, b"# P4");
/// assert!(manuals.read("../passwords", 1 << 20).is_err_and(|error| error.is_not_found()));
/// # std::fs::remove_dir_all(directory)?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct FileRoot {
    directory: Arc<OwnedFd>,
    resolution: Resolution,
}

/// Who keeps a path below the root.
#[derive(Clone, Copy)]
enum Resolution {
    /// `openat2`.
    #[cfg(target_os = "linux")]
    Kernel,
    Components,
}

/// What a file held when it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileContents {
    /// The content.
    pub bytes: Vec<u8>,
    /// When it was last changed, where the file system says so.
    pub modified: Option<SystemTime>,
}

/// A file or directory in a [`FileRoot`].
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct FileEntry {
    /// The last segment of its path.
    pub name: String,
    /// The size of a file in bytes; `None` for a directory.
    pub size: Option<u64>,
}

impl FileRoot {
    /// Opens the directory; symbolic links on the way to it are followed.
    ///
    /// # Errors
    ///
    /// When it is not a directory, or cannot be opened.
    pub fn open(directory: impl AsRef<Path>) -> io::Result<Self> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let directory = rustix::fs::open(directory.as_ref(), flags, Mode::empty())?;
        let resolution = Resolution::best(directory.as_fd());
        Ok(Self { directory: Arc::new(directory), resolution })
    }

    /// The content of the file at `path`, if it is not longer than `limit` bytes.
    ///
    /// It waits for the disk; in async code, use [`read_async`](Self::read_async).
    ///
    /// # Errors
    ///
    /// When there is no such file to hand out, when it is too long, or when reading fails.
    pub fn read(&self, path: &str, limit: u64) -> Result<FileContents, FileError> {
        check(path)?;
        // Without O_NONBLOCK, opening a pipe would wait for a writer.
        let file = File::from(self.open_below(path, OFlags::NONBLOCK | OFlags::NOCTTY)?);
        let metadata = file.metadata().map_err(FileError::failed)?;
        if !metadata.is_file() {
            return Err(FileError(Kind::NotFound("not a regular file")));
        }
        if metadata.len() > limit {
            return Err(FileError(Kind::TooLarge(limit)));
        }
        let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or_default());
        // It may grow meanwhile, and the files of /proc say that they are empty.
        let mut file = file.take(limit.saturating_add(1));
        file.read_to_end(&mut bytes).map_err(FileError::failed)?;
        if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > limit {
            return Err(FileError(Kind::TooLarge(limit)));
        }
        Ok(FileContents { bytes, modified: metadata.modified().ok() })
    }

    /// As [`read`](Self::read), on a thread where waiting does no harm.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read).
    ///
    /// # Cancel safety
    ///
    /// Dropping the future drops the content; the thread reads to the end.
    pub async fn read_async(&self, path: &str, limit: u64) -> Result<FileContents, FileError> {
        let (root, path) = (self.clone(), path.to_owned());
        tokio::task::spawn_blocking(move || root.read(&path, limit))
            .await
            .unwrap_or_else(|error| Err(FileError::failed(io::Error::other(error))))
    }

    /// The regular files and the directories in the directory at `path`, by name; the root is `""`.
    ///
    /// Left out is what could not be read by its name: links, pipes and devices, and names that are
    /// not UTF-8 or that [`read`](Self::read) refuses.
    ///
    /// # Errors
    ///
    /// When there is no such directory, when it has more than `limit` entries of any kind, or when
    /// reading fails.
    pub fn list(&self, path: &str, limit: usize) -> Result<Vec<FileEntry>, FileError> {
        let directory = if path.is_empty() {
            self.open_below(".", OFlags::DIRECTORY)?
        } else {
            check(path)?;
            self.open_below(path, OFlags::DIRECTORY)?
        };
        let mut entries = Vec::new();
        let mut seen = 0_usize;
        for entry in Dir::read_from(&directory).map_err(FileError::of)? {
            let entry = entry.map_err(FileError::of)?;
            let Ok(name) = entry.file_name().to_str() else { continue };
            if matches!(name, "." | "..") {
                continue;
            }
            seen += 1;
            if seen > limit {
                return Err(FileError(Kind::TooMany(limit)));
            }
            if check(name).is_ok() {
                entries.extend(entry_of(directory.as_fd(), name)?);
            }
        }
        entries.sort_unstable();
        Ok(entries)
    }

    /// As [`list`](Self::list), on a thread where waiting does no harm.
    ///
    /// # Errors
    ///
    /// As [`list`](Self::list).
    ///
    /// # Cancel safety
    ///
    /// Dropping the future drops the list; the thread reads to the end.
    pub async fn list_async(&self, path: &str, limit: usize) -> Result<Vec<FileEntry>, FileError> {
        let (root, path) = (self.clone(), path.to_owned());
        tokio::task::spawn_blocking(move || root.list(&path, limit))
            .await
            .unwrap_or_else(|error| Err(FileError::failed(io::Error::other(error))))
    }

    /// `path` has passed [`check`], or is `.`.
    fn open_below(&self, path: &str, flags: OFlags) -> Result<OwnedFd, FileError> {
        let flags = flags | OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let root = self.directory.as_fd();
        let opened = match self.resolution {
            #[cfg(target_os = "linux")]
            Resolution::Kernel => kernel::open(root, path, flags),
            Resolution::Components => open_by_components(root, path, flags),
        };
        opened.map_err(FileError::of)
    }
}

impl fmt::Debug for FileRoot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileRoot").finish_non_exhaustive()
    }
}

impl Resolution {
    #[cfg(target_os = "linux")]
    fn best(directory: BorrowedFd<'_>) -> Self {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        // Kernels before 5.6 do not know it, and some sandboxes forbid it.
        if kernel::open(directory, ".", flags).is_ok() { Self::Kernel } else { Self::Components }
    }

    #[cfg(not(target_os = "linux"))]
    const fn best(_directory: BorrowedFd<'_>) -> Self {
        Self::Components
    }
}

#[cfg(target_os = "linux")]
mod kernel {
    //! The way that Linux has had since 5.6.

    use std::os::fd::{BorrowedFd, OwnedFd};

    use rustix::fs::{Mode, OFlags, ResolveFlags, openat2};
    use rustix::io::Errno;

    /// How often to try again when something is renamed during the walk.
    const ATTEMPTS: usize = 8;

    pub(super) fn open(
        root: BorrowedFd<'_>,
        path: &str,
        flags: OFlags,
    ) -> rustix::io::Result<OwnedFd> {
        let resolve =
            ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
        for _ in 1..ATTEMPTS {
            match openat2(root, path, flags, Mode::empty(), resolve) {
                Err(Errno::AGAIN | Errno::INTR) => {}
                done => return done,
            }
        }
        openat2(root, path, flags, Mode::empty(), resolve)
    }
}

fn open_by_components(
    root: BorrowedFd<'_>,
    path: &str,
    flags: OFlags,
) -> rustix::io::Result<OwnedFd> {
    let step = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let (directories, name) = path.rsplit_once('/').unwrap_or(("", path));
    let mut parent: Option<OwnedFd> = None;
    for directory in directories.split('/').filter(|segment| !segment.is_empty()) {
        let at = parent.as_ref().map_or(root, AsFd::as_fd);
        let next = rustix::fs::openat(at, directory, step, Mode::empty())?;
        parent = Some(next);
    }
    let at = parent.as_ref().map_or(root, AsFd::as_fd);
    rustix::fs::openat(at, name, flags, Mode::empty())
}

/// Whether a path has only segments that name something below where it starts.
fn check(path: &str) -> Result<(), FileError> {
    let refused = |reason| Err(FileError(Kind::NotFound(reason)));
    if path.len() > MAX_PATH_BYTES {
        return refused("the path is too long");
    }
    if path.contains('\0') {
        return refused("the path has a NUL");
    }
    if path.contains('\\') {
        return refused("the path has a backslash");
    }
    if path.contains(':') {
        return refused("the path has a colon, as drives and streams of Windows have");
    }
    if path.starts_with('/') {
        return refused("the path is absolute");
    }
    for segment in path.split('/') {
        match segment {
            "" => return refused("the path has an empty segment"),
            "." | ".." => return refused("the path has a `.` or `..` segment"),
            _ => {}
        }
    }
    Ok(())
}

/// `None` for what is neither a regular file nor a directory, or is gone by now.
fn entry_of(directory: BorrowedFd<'_>, name: &str) -> Result<Option<FileEntry>, FileError> {
    let stat = match rustix::fs::statat(directory, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => stat,
        Err(Errno::NOENT) => return Ok(None),
        Err(errno) => return Err(FileError::of(errno)),
    };
    let size = match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => Some(u64::try_from(stat.st_size).unwrap_or_default()),
        FileType::Directory => None,
        _ => return Ok(None),
    };
    Ok(Some(FileEntry { name: name.to_owned(), size }))
}

/// Why a file was not handed out.
///
/// What a peer may see of it, its [`Display`](fmt::Display), tells neither the root nor whether
/// something exists that is not for everyone; [`reason`](Self::reason) and
/// [`source`](std::error::Error::source) are for the log.
#[derive(Debug)]
pub struct FileError(Kind);

#[derive(Debug)]
enum Kind {
    NotFound(&'static str),
    TooLarge(u64),
    TooMany(usize),
    Failed(io::Error),
}

impl FileError {
    const fn failed(error: io::Error) -> Self {
        Self(Kind::Failed(error))
    }

    fn of(errno: Errno) -> Self {
        let reason = match errno {
            Errno::NOENT => "there is none",
            Errno::NOTDIR => "a segment is not a directory",
            Errno::LOOP | Errno::MLINK => "a segment is a symbolic link",
            Errno::XDEV => "the path leads out of the root",
            Errno::ACCESS | Errno::PERM => "the server may not read it",
            Errno::NAMETOOLONG => "a segment is too long",
            Errno::NXIO | Errno::NODEV => "not a regular file",
            _ => return Self::failed(errno.into()),
        };
        Self(Kind::NotFound(reason))
    }

    /// Whether there is nothing of that name, or nothing for a client.
    #[must_use]
    pub const fn is_not_found(&self) -> bool {
        matches!(self.0, Kind::NotFound(_))
    }

    /// Whether a file is longer, or a directory fuller, than the caller's limit.
    #[must_use]
    pub const fn is_too_large(&self) -> bool {
        matches!(self.0, Kind::TooLarge(_) | Kind::TooMany(_))
    }

    /// What was wrong. Not for the peer, who could find out with it what exists.
    #[must_use]
    pub const fn reason(&self) -> &'static str {
        match &self.0 {
            Kind::NotFound(reason) => reason,
            Kind::TooLarge(_) => "longer than the limit",
            Kind::TooMany(_) => "more entries than the limit",
            Kind::Failed(_) => "reading failed",
        }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::NotFound(_) => f.write_str("no such file"),
            Kind::TooLarge(limit) => write!(f, "the file has more than {limit} bytes"),
            Kind::TooMany(limit) => write!(f, "the directory has more than {limit} entries"),
            Kind::Failed(_) => f.write_str("the file could not be read"),
        }
    }
}

impl std::error::Error for FileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.0 {
            Kind::Failed(error) => Some(error),
            Kind::NotFound(_) | Kind::TooLarge(_) | Kind::TooMany(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    use std::path::PathBuf;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    use super::*;

    const LIMIT: u64 = 1 << 20;
    const SECRET: &[u8] = b"from outside";

    /// `root` with things in it that a client must not reach, and `secret.txt` beside it.
    struct Fixture {
        base: PathBuf,
    }

    impl Fixture {
        fn new() -> Self {
            static NUMBER: AtomicUsize = AtomicUsize::new(0);
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let name = format!("aqueduct-file-root-{}-{number}", std::process::id());
            let base = std::env::temp_dir().join(name);
            let root = base.join("root");
            fs::create_dir_all(root.join("sub/deep")).unwrap();
            fs::create_dir_all(base.join("outside")).unwrap();
            fs::create_dir_all(base.join("root_sensitive")).unwrap();
            fs::write(base.join("secret.txt"), SECRET).unwrap();
            fs::write(base.join("outside/doc.txt"), SECRET).unwrap();
            fs::write(base.join("root_sensitive/doc.txt"), SECRET).unwrap();
            fs::write(root.join("a.md"), b"alpha").unwrap();
            fs::write(root.join("sub/b c.md"), b"beta").unwrap();
            fs::write(root.join("sub/deep/café.md"), b"gamma").unwrap();
            fs::write(root.join("....md"), b"dots").unwrap();
            fs::write(root.join("back\\slash"), b"x").unwrap();
            symlink(base.join("secret.txt"), root.join("absolute_link")).unwrap();
            symlink("../secret.txt", root.join("relative_link")).unwrap();
            symlink("../outside", root.join("directory_link")).unwrap();
            symlink("a.md", root.join("inner_link")).unwrap();
            Self { base }
        }

        /// The root in both ways of keeping below it.
        fn roots(&self) -> [FileRoot; 2] {
            let root = FileRoot::open(self.base.join("root")).unwrap();
            if matches!(root.resolution, Resolution::Components) {
                eprintln!("no openat2 here: only the way by components is tested");
                let must = cfg!(target_os = "linux") && std::env::var_os("CI").is_some();
                assert!(!must, "openat2 must be tested");
            }
            [root.clone(), FileRoot { resolution: Resolution::Components, ..root }]
        }
    }

    impl Drop for Fixture {
        fn drop(&mut self) {
            drop(fs::remove_dir_all(&self.base));
        }
    }

    #[track_caller]
    fn refuses(root: &FileRoot, path: &str) -> &'static str {
        let error = root.read(path, LIMIT).unwrap_err();
        assert!(error.is_not_found(), "{path:?}: {error:?}");
        assert_eq!(error.to_string(), "no such file");
        error.reason()
    }

    #[test]
    fn files_below_the_root_are_read() {
        let fixture = Fixture::new();
        for root in fixture.roots() {
            let contents = root.read("a.md", LIMIT).unwrap();
            assert_eq!(contents.bytes, b"alpha");
            let written = fs::metadata(fixture.base.join("root/a.md")).unwrap().modified().unwrap();
            assert_eq!(contents.modified, Some(written));
            assert_eq!(root.read("sub/b c.md", LIMIT).unwrap().bytes, b"beta");
            assert_eq!(root.read("sub/deep/café.md", LIMIT).unwrap().bytes, b"gamma");
            assert_eq!(root.read("....md", LIMIT).unwrap().bytes, b"dots");
        }
    }

    #[test]
    fn no_path_leads_out_of_the_root() {
        let fixture = Fixture::new();
        let absolute = fixture.base.join("secret.txt");
        for root in fixture.roots() {
            for path in [
                "",
                ".",
                "..",
                "./a.md",
                "../secret.txt",
                "sub/../../secret.txt",
                "sub/../a.md",
                "sub/./b c.md",
                "../root_sensitive/doc.txt",
                "_sensitive/doc.txt",
                "/etc/passwd",
                "//etc/passwd",
                "sub//b c.md",
                "sub/",
                "a.md/",
                "a.md/..",
                "..\\secret.txt",
                "back\\slash",
                "a.md\0",
                "a.md\0.png",
                "C:/Windows/win.ini",
                "C:a.md",
                "a.md::$DATA",
                "....//....//secret.txt",
                "%2e%2e/secret.txt",
                "..%2fsecret.txt",
                absolute.to_str().unwrap(),
            ] {
                refuses(&root, path);
                let listed = root.list(path, 100);
                assert!(listed.is_err() || path.is_empty(), "{path:?} lists {listed:?}");
            }
            refuses(&root, &"a/".repeat(4_000));
            refuses(&root, &"a".repeat(1_000));
        }
    }

    #[test]
    fn no_symbolic_link_is_followed() {
        let fixture = Fixture::new();
        for root in fixture.roots() {
            for path in ["absolute_link", "relative_link", "inner_link"] {
                assert_eq!(refuses(&root, path), "a segment is a symbolic link");
            }
            refuses(&root, "directory_link/doc.txt");
            refuses(&root, "directory_link");
            assert!(root.list("directory_link", 100).unwrap_err().is_not_found());
        }
    }

    #[test]
    fn a_root_may_itself_be_behind_a_link_and_stays_when_renamed() {
        let fixture = Fixture::new();
        let link = fixture.base.join("link");
        symlink("root", &link).unwrap();
        let root = FileRoot::open(&link).unwrap();
        fs::rename(fixture.base.join("root"), fixture.base.join("moved")).unwrap();
        assert_eq!(root.read("a.md", LIMIT).unwrap().bytes, b"alpha");
        assert!(FileRoot::open(&link).is_err());
        assert!(FileRoot::open(fixture.base.join("secret.txt")).is_err());
    }

    #[test]
    fn only_regular_files_are_read() {
        let fixture = Fixture::new();
        let _socket =
            std::os::unix::net::UnixListener::bind(fixture.base.join("root/socket")).unwrap();
        for root in fixture.roots() {
            assert_eq!(refuses(&root, "sub"), "not a regular file");
            assert_eq!(refuses(&root, "socket"), "not a regular file");
            assert_eq!(refuses(&root, "a.md/b"), "a segment is not a directory");
            assert_eq!(refuses(&root, "missing"), "there is none");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn pipes_devices_and_magic_links_give_nothing_and_make_nobody_wait() {
        let fixture = Fixture::new();
        let directory = fixture.roots()[0].directory.clone();
        let mode = Mode::from_raw_mode(0o600);
        rustix::fs::mknodat(&directory, "pipe", FileType::Fifo, mode, 0).unwrap();
        for root in fixture.roots() {
            assert_eq!(refuses(&root, "pipe"), "not a regular file");
        }
        let resolutions = fixture.roots().map(|root| root.resolution);
        for resolution in resolutions {
            let devices = FileRoot { resolution, ..FileRoot::open("/dev").unwrap() };
            assert_eq!(refuses(&devices, "null"), "not a regular file");
            assert_eq!(refuses(&devices, "zero"), "not a regular file");
            let process = FileRoot { resolution, ..FileRoot::open("/proc/self").unwrap() };
            for path in ["root/etc/passwd", "cwd/Cargo.toml", "exe", "fd/0"] {
                refuses(&process, path);
            }
            // It says that it has no bytes.
            assert!(!process.read("status", LIMIT).unwrap().bytes.is_empty());
            assert!(process.read("status", 16).unwrap_err().is_too_large());
        }
    }

    #[test]
    fn a_file_above_the_limit_is_refused() {
        let fixture = Fixture::new();
        for root in fixture.roots() {
            assert_eq!(root.read("a.md", 5).unwrap().bytes, b"alpha");
            let error = root.read("a.md", 4).unwrap_err();
            assert!(error.is_too_large());
            assert_eq!(error.to_string(), "the file has more than 4 bytes");
            assert!(root.read("a.md", 0).unwrap_err().is_too_large());
            assert!(root.read("a.md", u64::MAX).is_ok());
        }
    }

    #[test]
    fn a_list_has_what_can_be_read_by_name() {
        let fixture = Fixture::new();
        fs::write(fixture.base.join("root/12:30"), b"").unwrap();
        for root in fixture.roots() {
            let shown = |path| {
                let entries = root.list(path, 100).unwrap();
                entries.into_iter().map(|entry| (entry.name, entry.size)).collect::<Vec<_>>()
            };
            let [dots, alpha, sub] = ["....md", "a.md", "sub"].map(str::to_owned);
            assert_eq!(shown(""), [(dots, Some(4)), (alpha, Some(5)), (sub, None)]);
            assert_eq!(shown("sub"), [("b c.md".to_owned(), Some(4)), ("deep".to_owned(), None)]);
            assert!(root.list("sub", 1).unwrap_err().is_too_large());
            assert!(root.list("sub", 2).is_ok());
            assert!(root.list("a.md", 100).unwrap_err().is_not_found());
            assert!(root.list("missing", 100).unwrap_err().is_not_found());
        }
    }

    #[test]
    fn forbidden_and_missing_read_alike_and_name_no_root() {
        let fixture = Fixture::new();
        let forbidden = fixture.base.join("root/forbidden");
        fs::write(&forbidden, b"x").unwrap();
        fs::set_permissions(&forbidden, fs::Permissions::from_mode(0o000)).unwrap();
        for root in fixture.roots() {
            // Root may read everything.
            if let Err(error) = root.read("forbidden", LIMIT) {
                assert_eq!(error.to_string(), root.read("x", LIMIT).unwrap_err().to_string());
            }
            let error = root.read("../x", LIMIT).unwrap_err();
            assert!(!format!("{error} {error:?} {root:?}").contains("aqueduct-file-root"));
        }
    }

    #[tokio::test]
    async fn the_async_ways_do_the_same() {
        let fixture = Fixture::new();
        let [root, _] = fixture.roots();
        assert_eq!(root.read_async("a.md", LIMIT).await.unwrap().bytes, b"alpha");
        assert!(root.read_async("../secret.txt", LIMIT).await.unwrap_err().is_not_found());
        assert_eq!(root.list_async("sub", 10).await.unwrap().len(), 2);
    }

    /// Swaps a file and a directory for links to the outside, as fast as it can.
    fn race(base: &Path, stop: &AtomicBool) {
        let root = base.join("root");
        while !stop.load(Ordering::Relaxed) {
            symlink(base.join("secret.txt"), base.join("next")).unwrap();
            fs::rename(base.join("next"), root.join("doc.txt")).unwrap();
            fs::rename(root.join("swapped"), base.join("parked")).unwrap();
            symlink(base.join("outside"), root.join("swapped")).unwrap();
            fs::write(base.join("next"), b"inside").unwrap();
            fs::rename(base.join("next"), root.join("doc.txt")).unwrap();
            fs::remove_file(root.join("swapped")).unwrap();
            fs::rename(base.join("parked"), root.join("swapped")).unwrap();
        }
    }

    /// Ends the race also when an assertion ends the reading.
    struct Stop<'a>(&'a AtomicBool);

    impl Drop for Stop<'_> {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Relaxed);
        }
    }

    #[test]
    fn a_link_swapped_in_during_2000_reads_never_shows_the_outside() {
        let fixture = Fixture::new();
        for root in fixture.roots() {
            fs::create_dir(fixture.base.join("root/swapped")).unwrap();
            fs::write(fixture.base.join("root/swapped/doc.txt"), b"inside").unwrap();
            let stop = AtomicBool::new(false);
            let (mut inside, mut refused) = (0, 0);
            std::thread::scope(|scope| {
                scope.spawn(|| race(&fixture.base, &stop));
                let _stop = Stop(&stop);
                let mut reads = 0;
                // At least 2,000, and as many more as it takes to have seen both sides.
                while (reads < 2_000 || inside == 0 || refused == 0) && reads < 1_000_000 {
                    reads += 1;
                    for path in ["doc.txt", "swapped/doc.txt"] {
                        match root.read(path, LIMIT) {
                            Ok(contents) => {
                                assert_ne!(contents.bytes, SECRET, "{path}");
                                assert_eq!(contents.bytes, b"inside", "{path}");
                                inside += 1;
                            }
                            Err(error) => {
                                assert!(error.is_not_found(), "{path}: {error:?}");
                                refused += 1;
                            }
                        }
                    }
                }
            });
            assert!(inside > 0 && refused > 0, "{inside} inside, {refused} refused: no race");
            fs::remove_dir_all(fixture.base.join("root/swapped")).unwrap();
        }
    }
}
