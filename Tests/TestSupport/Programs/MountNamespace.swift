internal import Glibc

/// Mounts that only a test and the programs that it starts can see.
public enum MountNamespace {
    /// Whether the kernel allows them: to the superuser, if the root is a mount point and no container forbids it.
    public static let isAllowed = succeeds("unshare --mount true")
}

/// Whether a command ends with success; what it writes is discarded.
func succeeds(_ command: String) -> Bool { system("\(command) >/dev/null 2>&1 </dev/null") == 0 }
