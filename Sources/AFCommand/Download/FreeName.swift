internal import AFCore
internal import FoundationEssentials
internal import Glibc
internal import Synchronization

/// Names for files that must not take an existing one's place.
enum FreeName {
    /// The path itself, else `PATH-1`, `PATH-2`, …; neither that of a file nor that of another resource's partial one.
    ///
    /// - Parameters:
    ///   - claims: Of all downloads of the run.
    ///   - isOwn: Whether the path itself is claimed for this one already.
    static func next(to path: String, for url: String, _ claims: NameClaims? = nil, isOwn: Bool = false) -> String {
        var candidate = path
        var number = 0
        while isTaken(candidate, for: url) || !(isOwn && number == 0) && claims?.claim(candidate) == false {
            number += 1
            candidate = "\(path)-\(number)"
        }
        return candidate
    }

    /// Where a download of this URL to the path was going: to the path itself, or to one that an earlier run made of it.
    static func begun(at path: String, for url: String) -> String? {
        var status = stat()
        return sequence(first: (path, 1)) { ("\(path)-\($0.1)", $0.1 + 1) }.lazy.map(\.0)
            .prefix { lstat($0, &status) == 0 || DownloadRecord.left(at: URL(literalPath: $0)) != nil }
            .first { DownloadRecord.left(at: URL(literalPath: $0))?.url == url }
    }

    private static func isTaken(_ path: String, for url: String) -> Bool {
        var status = stat()
        if lstat(path, &status) == 0 { return true }
        return DownloadRecord.left(at: URL(literalPath: path)).map { $0.url != url } ?? false
    }
}

/// The paths that the downloads of one run are going to write to, so that no two choose the same.
final class NameClaims: Sendable {
    private let paths: Mutex<Set<String>>

    init(_ paths: Set<String> = []) { self.paths = Mutex(paths) }

    /// - Returns: Whether the path was not claimed before.
    func claim(_ path: String) -> Bool { paths.withLock { $0.insert(path).inserted } }
}
