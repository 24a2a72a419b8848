internal import AFHTTP

/// Assembles libcurl's header lines into headers, within limits.
struct HeadAssembler {
    enum Line {
        /// A status line; more lines follow.
        case headBegins
        /// More lines follow.
        case incomplete
        /// A complete header; the caller decides whether it is final.
        case head(HTTPURLResponse)
        case trailer(HTTPHeader)
    }

    private let url: String
    private let limits: TransferLimits
    private var raw: [UInt8] = []
    private var statusLine: (version: String, code: Int, reason: String)?
    private var fields: [HTTPHeader] = []
    private var interimCount = 0
    /// The number of lines and bytes of the current header or trailers.
    private var size = (lines: 0, bytes: 0)

    init(url: String, limits: TransferLimits) {
        self.url = url
        self.limits = limits
    }

    mutating func add(_ line: UnsafeRawBufferPointer) throws(TransferFailure) -> Line {
        if statusLine != nil { return try addToHead(line) }
        if line.starts(with: "HTTP/".utf8) {
            statusLine = try Self.statusLine(line)
            size = (0, line.count)
            raw.reserveCapacity(512)
            fields.reserveCapacity(16)
            raw.append(contentsOf: line)
            return .headBegins
        }
        // libcurl ends trailers with an empty line, like headers.
        try count(line)
        return Self.field(line).map(Line.trailer) ?? .incomplete
    }

    private mutating func addToHead(_ line: UnsafeRawBufferPointer) throws(TransferFailure) -> Line {
        raw.append(contentsOf: line)
        if line.first == 0x0D || line.first == 0x0A { return .head(try complete()) }
        try count(line)
        if let field = Self.field(line) { fields.append(field) } else { unfold(line) }
        return .incomplete
    }

    private mutating func count(_ line: UnsafeRawBufferPointer) throws(TransferFailure) {
        size = (size.lines + 1, size.bytes + line.count)
        if let limit = limits.headBytes, size.bytes > limit {
            throw TransferFailure(
                .headTooLarge, "the response head is larger than \(limit) bytes", reason: .headBytes)
        }
        if let limit = limits.headLines, size.lines > limit {
            throw TransferFailure(
                .headTooLarge, "the response head has more than \(limit) lines", reason: .headLines)
        }
    }

    /// Rejects a Content-Length that is not a number, too large or repeated: the end of the body would be unknown (RFC
    /// 9110 §8.6), and libcurl would read until the connection closes.
    private func checkLength() throws(TransferFailure) {
        var length: String?
        for field in fields where field.name.isSameFieldName(as: "Content-Length") {
            if length == nil, field.value.isLength {
                length = field.value
                continue
            }
            for part in Array(field.value.utf8).split(separator: UInt8(ascii: ",")) {
                let digits = String(decoding: part.trimmed, as: UTF8.self)
                guard digits.isLength, digits == length ?? digits else {
                    throw TransferFailure(.malformedResponse, "the response has an invalid Content-Length")
                }
                length = digits
            }
        }
    }

    private mutating func complete() throws(TransferFailure) -> HTTPURLResponse {
        let (version, code, reason) = statusLine ?? ("", 0, "")
        if (100..<200).contains(code), code != 101 {
            interimCount += 1
            if let limit = limits.interimResponses, interimCount > limit {
                throw TransferFailure(
                    .tooManyInterimResponses,
                    "the server sent more than \(limit) interim responses"
                )
            }
        }
        try checkLength()
        defer {
            statusLine = nil
            raw = []
            fields = []
            size = (0, 0)
        }
        return HTTPURLResponse(
            urlText: url,
            statusCode: code,
            httpVersion: version,
            reasonPhrase: reason,
            headers: HTTPHeaders(repeating: fields),
            rawHead: raw
        )
    }

    /// Appends a line that begins with a blank to the previous field (RFC 9112 §5.2).
    private mutating func unfold(_ line: UnsafeRawBufferPointer) {
        guard line.first == 0x20 || line.first == 0x09, let last = fields.popLast() else { return }
        let more = String(decoding: line.trimmedLine, as: UTF8.self)
        fields.append(HTTPHeader(name: last.name, value: "\(last.value) \(more)"))
    }

    /// Parses `HTTP/1.1 200 OK`; the reason phrase may be missing (RFC 9112 §4).
    private static func statusLine(
        _ line: UnsafeRawBufferPointer
    ) throws(TransferFailure) -> (version: String, code: Int, reason: String) {
        var rest = line.trimmedLine
        let (version, digits) = (rest.popWord(), rest.popWord())
        guard version.count > 5, version.dropFirst(5).allSatisfy({ $0.isASCIIDigit || $0 == UInt8(ascii: ".") }),
            digits.count == 3, digits.allSatisfy(\.isASCIIDigit),
            let code = Int(String(decoding: digits, as: UTF8.self)), code >= 100
        else { throw TransferFailure(.malformedResponse, "the status line of the response is malformed") }
        return (String(decoding: version, as: UTF8.self), code, String(decoding: rest, as: UTF8.self))
    }

    private static func field(_ line: UnsafeRawBufferPointer) -> HTTPHeader? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0, line[0] > 0x20 else { return nil }
        let name = UnsafeRawBufferPointer(rebasing: line[..<colon])
        let value = UnsafeRawBufferPointer(rebasing: line[(colon + 1)...])
        return HTTPHeader(
            name: String(decoding: name.trimmedLine, as: UTF8.self),
            value: String(decoding: value.trimmedLine, as: UTF8.self)
        )
    }
}

extension String {
    /// Whether the text is a number that fits `Int64`.
    fileprivate var isLength: Bool { utf8.allSatisfy(\.isASCIIDigit) && Int64(self) != nil }
}

extension Slice<UnsafeRawBufferPointer> {
    /// Removes and returns the text before the first space.
    fileprivate mutating func popWord() -> Self {
        let end = firstIndex(of: 0x20) ?? endIndex
        defer { self = self[Swift.min(end + 1, endIndex)...] }
        return self[..<end]
    }
}

extension UnsafeRawBufferPointer {
    /// The line without surrounding blanks and line ending.
    fileprivate var trimmedLine: Slice<UnsafeRawBufferPointer> {
        var start = startIndex
        var end = endIndex
        while start < end, self[start] == 0x20 || self[start] == 0x09 { start += 1 }
        while end > start, self[end - 1] <= 0x20 { end -= 1 }
        return self[start..<end]
    }
}
