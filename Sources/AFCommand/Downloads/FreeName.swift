internal import AFCore
internal import FoundationEssentials
internal import Glibc

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

    private static func isTaken(_ path: String, for url: String) -> Bool {
        var status = stat()
        if lstat(path, &status) == 0 { return true }
        return DownloadRecord.left(at: URL(filePath: path)).map { $0.url != url } ?? false
    }
}
