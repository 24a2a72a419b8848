internal import AFFormatting
internal import Synchronization

/// The response headers of curl commands, as received, for `--dump-header` and `--etag-save`.
final class CurlHeads: Sendable {
    /// The device or descriptor that receives the lines as they arrive; `nil` for a file, which is written at the end.
    let device: (any ByteOutput)?
    private let lines = Mutex<[[UInt8]]>([])

    init(device: (any ByteOutput)? = nil) { self.device = device }

    func add(_ line: [UInt8]) {
        lines.withLock { $0.append(line) }
        // The response is more important than a closed pipe.
        try? line.withUnsafeBytes { try device?.write($0) }
    }

    /// Adds the lines of a transfer, which its device has.
    func add(_ other: CurlHeads) {
        let new = other.lines.withLock(\.self)
        lines.withLock { $0 += new }
    }

    /// All lines, with their line breaks.
    var bytes: [UInt8] { lines.withLock { Array($0.joined()) } }

    /// The entity tags of the responses, each on a line; `nil` if the stored ones are still valid: the last response
    /// has status 304 and no tag.
    var tags: [UInt8]? {
        let lines = lines.withLock(\.self)
        let tags = lines.compactMap(Self.tag(in:))
        let last = lines.last { $0.starts(with: "HTTP/".utf8) }.map { String(decoding: $0, as: UTF8.self) }
        if tags.isEmpty, last?.split(separator: " ").dropFirst().first == "304" { return nil }
        return Array(tags.joined())
    }

    /// Returns the entity tag in a line, with a line end; `nil` if the line is another field.
    static func tag(in line: [UInt8]) -> [UInt8]? {
        guard let (name, value) = String(decoding: line, as: UTF8.self).halves(around: ":"),
            name.lowercased() == "etag"
        else { return nil }
        let tag = value.drop(while: \.isWhitespace)
        return tag.lastIndex { !$0.isWhitespace }.map { Array("\(tag[...$0])\n".utf8) }
    }
}
