internal import AFFormatting
internal import AFHTTP
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
        let name = "etag:".utf8
        guard line.count > name.count, line.prefix(name.count).map(\.asciiLowercased).elementsEqual(name) else {
            return nil
        }
        // The bytes may not be UTF-8.
        let tag = line[name.count...].trimmed.filter { $0 != 0x0D && $0 != 0x0A }
        return tag.isEmpty ? nil : tag + [0x0A]
    }
}
