internal import AFHTTP
internal import Synchronization

/// The response headers of curl commands, as received, for `--dump-header` and `--etag-save`.
final class CurlHeads: Sendable {
    private let lines = Mutex<[[UInt8]]>([])

    func add(_ line: [UInt8]) { lines.withLock { $0.append(line) } }

    /// Adds the lines of a transfer.
    func add(_ other: CurlHeads) {
        let new = other.lines.withLock(\.self)
        lines.withLock { $0 += new }
    }

    /// All lines, with their line breaks.
    var bytes: [UInt8] { lines.withLock { Array($0.joined()) } }

    /// The entity tags of the responses, each on a line; `nil` if the stored ones are still valid: the last response has
    /// status 304 and no tag.
    var tags: [UInt8]? {
        let texts = lines.withLock { $0.map { String(decoding: $0, as: UTF8.self) } }
        let tags = texts.compactMap { text -> String? in
            guard let (name, value) = text.halves(around: ":"), name.lowercased() == "etag" else { return nil }
            let tag = value.drop(while: \.isWhitespace)
            return tag.lastIndex { !$0.isWhitespace }.map { String(tag[...$0]) }
        }
        let status = texts.last { $0.hasPrefix("HTTP/") }?.split(separator: " ").dropFirst().first
        if tags.isEmpty, status == "304" { return nil }
        return tags.flatMap { Array("\($0)\n".utf8) }
    }
}
