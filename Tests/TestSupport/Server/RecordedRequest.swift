/// A received request.
public struct RecordedRequest: Sendable {
    /// A field line of a header or of trailers, without the white space around the value.
    public struct Field: Sendable, Hashable, CustomStringConvertible {
        public let name: String
        public let value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }

        public var description: String { "\(name): \(value)" }
    }

    /// The number of the connection, starting with 1: requests on the same connection have equal numbers.
    public let connection: Int
    /// The bytes of the request line and the header, including the empty line.
    public let head: [UInt8]
    public let method: String
    /// The request target, exactly as sent.
    public let target: String
    /// The version: `HTTP/1.1`.
    public let version: String
    /// The header fields in the received order, including repeated ones.
    public let headers: [Field]

    /// The body without its framing; empty if the server does not store bodies.
    public internal(set) var body: [UInt8] = []
    /// The body with its framing, including chunk sizes and trailers.
    public internal(set) var bodyOnWire: [UInt8] = []
    /// The number of body bytes without framing, even if they are not stored.
    public internal(set) var bodyLength = 0
    /// The field lines after the last chunk.
    public internal(set) var trailers: [Field] = []
    /// Whether the complete request was received; the body of an incomplete one may still grow.
    public internal(set) var isComplete = false

    init(head: [UInt8], connection: Int) {
        self.connection = connection
        self.head = head
        let lines = head.lines
        let words = (lines.first ?? "").split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        method = words.first.map(String.init) ?? ""
        target = words.count > 1 ? String(words[1]) : ""
        version = words.count > 2 ? String(words[2]) : ""
        headers = lines.dropFirst().map(Field.init(line:))
    }

    /// The received bytes.
    public var wire: [UInt8] { head + bodyOnWire }

    /// The request line and the header as text, including `\r\n`.
    public var headText: String { String(decoding: head, as: UTF8.self) }

    /// The body as text.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The target up to the question mark.
    public var path: String { String(target.prefix { $0 != "?" }) }

    /// The target after the question mark; `nil` if there is none.
    public var query: String? {
        target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) }
    }

    /// The value of the first field with this name, in upper or lower case.
    public subscript(_ name: String) -> String? { values(for: name).first }

    /// Returns the values of all fields with this name, in upper or lower case, in order.
    public func values(for name: String) -> [String] {
        headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    /// How the end of the body is determined (RFC 9112 §6.3).
    var framing: Framing {
        if values(for: "Transfer-Encoding").contains(where: { $0.lowercased().hasSuffix("chunked") }) {
            return .chunked
        }
        return .length(self["Content-Length"].flatMap { Int($0) } ?? 0)
    }

    enum Framing {
        case length(Int)
        case chunked
    }
}

extension RecordedRequest.Field {
    init(line: String) {
        let name = line.prefix { $0 != ":" }
        self.init(String(name), String(line.dropFirst(name.count + 1).trimmingSpace))
    }
}

extension Substring {
    fileprivate var trimmingSpace: Substring {
        var trimmed = drop { $0 == " " || $0 == "\t" }
        while let last = trimmed.last, last == " " || last == "\t" { trimmed.removeLast() }
        return trimmed
    }
}

extension [UInt8] {
    /// The lines up to the first empty one, without their newlines.
    var lines: [String] {
        split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0 }
            .prefix { !$0.isEmpty }
            .map { String(decoding: $0, as: UTF8.self) }
    }
}
