/// A frame of HTTP/2 (RFC 9113 §4.1).
public struct HTTP2Frame: Sendable {
    public enum Kind: UInt8, Sendable {
        case data = 0
        case headers = 1
        case priority = 2
        case reset = 3
        case settings = 4
        case pushPromise = 5
        case ping = 6
        case goAway = 7
        case windowUpdate = 8
        case continuation = 9
    }

    /// The reason for the reset of a stream (RFC 9113 §7).
    public enum ErrorCode: UInt8, Sendable, CaseIterable {
        case noError = 0
        case internalError = 2
        case refusedStream = 7
        case cancel = 8

        public var name: String {
            switch self {
            case .noError: "NO_ERROR"
            case .internalError: "INTERNAL_ERROR"
            case .refusedStream: "REFUSED_STREAM"
            case .cancel: "CANCEL"
            }
        }
    }

    static let acknowledges: UInt8 = 1
    static let endsStream: UInt8 = 1
    static let endsHeaders: UInt8 = 4

    public let kind: Kind
    let flags: UInt8
    let stream: UInt8
    let payload: [UInt8]

    init(_ kind: Kind, flags: UInt8 = 0, stream: UInt8 = 0, _ payload: [UInt8] = []) {
        self.kind = kind
        self.flags = flags
        self.stream = stream
        self.payload = payload
    }

    /// Returns the header of a response.
    ///
    /// - Parameter isLast: Whether it ends the stream.
    public static func head(
        _ status: Int,
        _ fields: [(name: String, value: String)] = [],
        isLast: Bool = false,
        stream: UInt8 = 1
    ) -> HTTP2Frame {
        // RFC 7541 §6.2.2, with entry 8 of the static table as name: `:status`.
        let block = [UInt8(8)] + lengthAndBytes("\(status)") + fieldLines(fields)
        return HTTP2Frame(.headers, flags: endsHeaders | (isLast ? endsStream : 0), stream: stream, block)
    }

    /// Returns the frames of a header with long fields (RFC 9113 §6.10).
    ///
    /// - Parameters:
    ///   - count: The number of fields.
    ///   - length: The length of the value of each.
    public static func longHead(_ status: Int, count: Int, length: Int) -> [HTTP2Frame] {
        var block = [UInt8(8)] + lengthAndBytes("\(status)")
        for number in 0..<count {
            // RFC 7541 §5.1: seven bits at a time, the lowest first.
            let rest = length - 127
            let digits = [UInt8(rest & 127) | 128, UInt8(rest >> 7 & 127) | 128, UInt8(rest >> 14)]
            block += [UInt8(0)] + lengthAndBytes("x-\(number)") + [127] + digits
            block += [UInt8](repeating: UInt8(ascii: "a"), count: length)
        }
        var frames: [HTTP2Frame] = []
        while !block.isEmpty {
            let part = Array(block.prefix(16_384))
            block.removeFirst(part.count)
            let flags = block.isEmpty ? endsHeaders : 0
            frames.append(HTTP2Frame(frames.isEmpty ? .headers : .continuation, flags: flags, stream: 1, part))
        }
        return frames
    }

    /// Returns trailers, which end the stream.
    public static func trailers(_ fields: [(name: String, value: String)], stream: UInt8 = 1) -> HTTP2Frame {
        HTTP2Frame(.headers, flags: endsHeaders | endsStream, stream: stream, fieldLines(fields))
    }

    public static func body(_ text: String, isLast: Bool = false, stream: UInt8 = 1) -> HTTP2Frame {
        HTTP2Frame(.data, flags: isLast ? endsStream : 0, stream: stream, Array(text.utf8))
    }

    /// Returns a reset of the stream.
    public static func reset(_ code: ErrorCode, stream: UInt8 = 1) -> HTTP2Frame {
        HTTP2Frame(.reset, stream: stream, [0, 0, 0, code.rawValue])
    }

    /// Returns the announcement that the connection ends normally after a stream.
    public static func goAway(after stream: UInt8 = 1) -> HTTP2Frame {
        HTTP2Frame(.goAway, [0, 0, 0, stream, 0, 0, 0, ErrorCode.noError.rawValue])
    }

    /// Frames that oblige the receiver to end the connection (RFC 9113 §5.4.1).
    public static let connectionErrors: [HTTP2Frame] = [
        HTTP2Frame(.settings, [1, 2, 3]), HTTP2Frame(.settings, flags: acknowledges, [0]),
        HTTP2Frame(.windowUpdate, [0, 0, 0, 0]), HTTP2Frame(.windowUpdate, [0x7F, 0xFF, 0xFF, 0xFF]),
        HTTP2Frame(.ping, [1, 2]), HTTP2Frame(.pushPromise, flags: endsHeaders, stream: 1, [0, 0, 0, 2, 0x88]),
        HTTP2Frame(.data, stream: 7, [1]), HTTP2Frame(.headers, flags: endsHeaders, stream: 9, [0x88]),
        HTTP2Frame(.headers, flags: endsHeaders | endsStream, stream: 1, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F]),
        HTTP2Frame(.goAway, [0]), HTTP2Frame(.data, stream: 0, [1]),
    ]

    /// A reset that asks for the request over HTTP/1.1 (RFC 9113 §7).
    public static let requiresHTTP1 = HTTP2Frame(.reset, stream: 1, [0, 0, 0, 13])

    /// A ping, which the peer acknowledges after processing everything before it.
    static let ping = HTTP2Frame(.ping, [UInt8](repeating: 7, count: 8))

    var bytes: [UInt8] {
        let length = [16, 8, 0].map { UInt8(truncatingIfNeeded: payload.count >> $0) }
        return length + [kind.rawValue, flags, 0, 0, 0, stream] + payload
    }

    /// Returns literals without indexing and with literal names (RFC 7541 §6.2.2), each shorter than 127 bytes.
    private static func fieldLines(_ fields: [(name: String, value: String)]) -> [UInt8] {
        fields.flatMap { [UInt8(0)] + lengthAndBytes($0.name) + lengthAndBytes($0.value) }
    }

    private static func lengthAndBytes(_ text: String) -> [UInt8] { [UInt8(text.utf8.count)] + Array(text.utf8) }
}
