internal import Synchronization

/// The paths that the downloads of one run are going to write to, so that no two choose the same.
final class NameClaims: Sendable {
    private let paths: Mutex<Set<String>>

    init(_ paths: Set<String> = []) { self.paths = Mutex(paths) }

    /// - Returns: Whether nobody had it before.
    func claim(_ path: String) -> Bool { paths.withLock { $0.insert(path).inserted } }
}
