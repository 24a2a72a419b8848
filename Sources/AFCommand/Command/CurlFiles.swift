internal import AFFormatting
internal import AFHTTP
internal import Synchronization

/// The file of the body of a transfer.
final class SavedBody: Sendable {
    private let path = Mutex<String?>(nil)

    func record(_ path: String) { self.path.withLock { $0 = path } }

    /// `nil` if the body was not saved.
    var file: DirectoryEntry? { path.withLock { $0.flatMap { DirectoryEntry($0.followingLinks) } } }
}

/// The files that the transfers of a curl command write one after another.
struct CurlFiles {
    /// The contents of the cookie files that were written, by path.
    private var jars: [String: [UInt8]] = [:]
    /// The files of the bodies that were saved.
    private var bodies: Set<DirectoryEntry> = []

    /// Writes the response headers of a group, with those of a transfer that has ended.
    ///
    /// - Parameter body: The file of the body, which replaces the headers; `nil` if it was not saved.
    mutating func write(
        _ own: CurlHeads,
        _ heads: CurlHeads,
        of group: CurlArguments,
        besides body: DirectoryEntry?,
        _ environment: Environment
    ) throws {
        heads.add(own)
        if let body { bodies.insert(body) }
        if let path = group.headFile, heads.device == nil, !isBody(path) {
            try environment.write(heads.bytes, to: path, option: "--dump-header")
        }
        if let path = group.savedTagFile, let tags = own.tags, !isBody(path) {
            try environment.write(tags, to: path, option: "--etag-save")
        }
    }

    /// Whether the path is standard output, or the file of a body that was saved.
    private func isBody(_ path: String) -> Bool {
        path == "-" || DirectoryEntry(path.followingLinks).map(bodies.contains) == true
    }

    /// Writes a cookie file. As in curl, one that cannot be written is no failure.
    mutating func write(_ jar: [UInt8], to path: String, _ environment: Environment, isSilent: Bool) {
        do {
            if path == "-" { return try environment.show(jar) }
            guard !path.isEmpty, jars[path] != jar else { return }
            try environment.write(jar, to: path, isPrivate: true, option: "--cookie-jar")
            jars[path] = jar
        } catch {
            Messages(environment, level: isSilent ? .errors : .notes)
                .warning("the cookies were not saved: \(Diagnosis(error).message)")
        }
    }
}

extension Environment {
    /// Writes received bytes to standard output; on a terminal, control characters are escaped.
    func show(_ bytes: [UInt8]) throws {
        let shown = outputTerminal == nil ? bytes : Array(Sanitizer.text(String(octets: bytes)).utf8)
        try shown.withUnsafeBytes { try output.write($0) }
    }
}
