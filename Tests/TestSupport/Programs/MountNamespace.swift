internal import Glibc

/// Mounts that are visible only to a test and its programs.
public enum MountNamespace {
    /// Whether the kernel permits them: for root, if `/` is a mount point and no container prevents it.
    public static let isAllowed = succeeds("unshare --mount true")
}

/// Whether a shell command succeeds; its output is discarded.
func succeeds(_ command: String) -> Bool { system("\(command) >/dev/null 2>&1 </dev/null") == 0 }
