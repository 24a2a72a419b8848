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

    /// The maximum number of lines of all headers and trailers of a request: libcurl 8.14 rejects more, and earlier
    /// versions accept them.
    static let maximumLines = 5000

    private let url: String
    private let limits: TransferLimits
    /// Whether the transfer coding of a body is decoded.
    private let decodesBody: Bool
    /// Whether the request asks for a compressed transfer coding.
    private let requestsTransferCoding: Bool
    /// Whether the body ends with the connection, and lengths need not be valid.
    private let ignoresLength: Bool
    private var raw: [UInt8] = []
    private var statusLine: (version: String, code: Int, reason: String)?
    private var bodyFields = BodyFields()
    /// The length that all `Content-Length` fields so far agree on.
    private var length: Int64?
    /// Whether the latest line was a `Content-Length` or a `Transfer-Encoding`.
    private var isInFraming = false
    /// Whether the body is chunked, so that no further coding may follow.
    private var isChunked = false
    private var interimCount = 0
    /// The number of lines and bytes of the current header or trailers.
    private var size = (lines: 0, bytes: 0)
    /// The number of lines of all headers and trailers; like libcurl, without status lines and continued lines.
    private var totalLines = 0

    init(
        url: String, limits: TransferLimits, decodesBody: Bool = true, requestsTransferCoding: Bool = false,
        ignoresLength: Bool = false
    ) {
        self.url = url
        self.limits = limits
        self.decodesBody = decodesBody
        self.requestsTransferCoding = requestsTransferCoding
        self.ignoresLength = ignoresLength
    }

    init(of transfer: Transfer) {
        self.init(
            url: transfer.url.text, limits: transfer.options.limits,
            decodesBody: !transfer.omitsBody && transfer.options.messages.decodesTransferCoding,
            requestsTransferCoding: transfer.options.messages.requestsTransferCoding,
            ignoresLength: transfer.options.messages.ignoresContentLength)
    }

    /// Starts counting again: libcurl has no header lines of an earlier request.
    mutating func startRequest() { totalLines = 0 }

    mutating func add(_ line: UnsafeRawBufferPointer) throws(TransferFailure) -> Line {
        if statusLine != nil { return try addToHead(line) }
        if line.starts(with: "HTTP/".utf8) {
            statusLine = try Self.statusLine(line)
            size = (0, line.count)
            raw.reserveCapacity(512)
            raw.append(contentsOf: line)
            return .headBegins
        }
        // libcurl ends trailers with an empty line, like headers.
        try count(line)
        return HTTPHeader(line: line).map(Line.trailer) ?? .incomplete
    }

    private mutating func addToHead(_ line: UnsafeRawBufferPointer) throws(TransferFailure) -> Line {
        if line.isBlankLine {
            raw.append(contentsOf: line)
            return .head(try complete())
        }
        try count(line)
        try readField(line)
        raw.append(contentsOf: line)
        return .incomplete
    }

    /// The accepted lines of a header that is not complete; `nil` if there are none.
    var incompleteHead: HTTPURLResponse? { statusLine.map { response($0) } }

    private mutating func count(_ line: UnsafeRawBufferPointer) throws(TransferFailure) {
        size = (size.lines + 1, size.bytes + line.count)
        if let limit = limits.headBytes, Safety.refuses("07-head-bytes", size.bytes > limit) {
            throw TransferFailure(
                .headTooLarge, "the response header is larger than \(limit) bytes", reason: .headBytes)
        }
        if let limit = limits.headLines, Safety.refuses("07-head-lines", size.lines > limit) {
            throw TransferFailure(
                .headTooLarge, "the response header has more than \(limit) \(limit == 1 ? "line" : "lines")",
                reason: .headLines)
        }
        if !line.continuesField, !line.isBlankLine { totalLines += 1 }
        if Safety.refuses("07-total-lines", totalLines > Self.maximumLines) { throw .tooManyHeaderLines }
    }

    /// Finds the fields that describe the body; the others are parsed only if they are used.
    private mutating func readField(_ line: UnsafeRawBufferPointer) throws(TransferFailure) {
        if line.continuesField {
            // libcurl ends these fields at the line.
            if isInFraming, !line.trimmedLine.isEmpty { throw Self.ambiguousFraming }
            return
        }
        isInFraming = false
        switch line.first.map({ $0 | 0x20 }) {
        case UInt8(ascii: "c"):
            if line.hasFieldName("content-length") {
                try checkFraming(line)
                try readLength(line)
            } else if line.hasFieldName("content-encoding") {
                bodyFields.hasContentEncoding = true
            }
        case UInt8(ascii: "s"):
            if line.hasFieldName("set-cookie") { bodyFields.setsCookies = true }
        case UInt8(ascii: "t"):
            if line.hasFieldName("transfer-encoding") {
                try checkFraming(line)
                try readTransferCoding(line)
            }
        default: break
        }
    }

    /// Rejects a blank before the colon of a field on which the end of the body depends: libcurl ignores such a field,
    /// and other programs do not (RFC 9112 §5.1).
    private mutating func checkFraming(_ line: UnsafeRawBufferPointer) throws(TransferFailure) {
        isInFraming = true
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), line[colon - 1] > 0x20 else {
            throw Self.ambiguousFraming
        }
    }

    /// Rejects transfer codings besides `chunked` that the request does not ask for, and any coding after it (RFC 9112 §7).
    private mutating func readTransferCoding(_ line: UnsafeRawBufferPointer) throws(TransferFailure) {
        let value = UnsafeRawBufferPointer(rebasing: line.drop { $0 != UInt8(ascii: ":") }.dropFirst())
        for part in Array(value.trimmedLine)[...].elements(separatedBy: UInt8(ascii: ",")) {
            let name = part.map(\.asciiLowercased)
            let isChunked = name.elementsEqual("chunked".utf8)
            // libcurl 8.14 rejects `identity` after `chunked` in one field, and 7.88 ignores it.
            let isKnown = isChunked || name.elementsEqual("identity".utf8)
            // libcurl decodes it, and knows no other one that it asks for.
            let isRequested = requestsTransferCoding && name.elementsEqual("gzip".utf8)
            guard (isKnown || isRequested) && !self.isChunked || !decodesBody else {
                throw TransferFailure(
                    .malformedResponse, "the response has a transfer coding that was not requested",
                    reason: .transferCoding)
            }
            self.isChunked = isChunked
            bodyFields.hasTransferEncoding = isChunked || isRequested || bodyFields.hasTransferEncoding
        }
    }

    /// Rejects a Content-Length that is not a number, too large or repeated: the end of the body would be unknown (RFC
    /// 9110 §8.6), and libcurl would read until the connection closes.
    private mutating func readLength(_ line: UnsafeRawBufferPointer) throws(TransferFailure) {
        let value = UnsafeRawBufferPointer(rebasing: line.drop { $0 != UInt8(ascii: ":") }.dropFirst())
        if length == nil, let number = value.trimmedLine.decimalValue {
            (length, bodyFields.length) = (number, number)
            return
        }
        // Unlike in other lists, an empty element is invalid: libcurl stops reading there.
        for part in value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            let number = UnsafeRawBufferPointer(rebasing: part).trimmedLine.decimalValue
            guard let number, number == length ?? number else {
                if ignoresLength { return }
                throw Self.invalidLength
            }
            length = number
        }
    }

    private static var ambiguousFraming: TransferFailure {
        TransferFailure(.malformedResponse, "the length of the response's body is ambiguous")
    }

    private static var invalidLength: TransferFailure {
        TransferFailure(.malformedResponse, "the response has an invalid Content-Length")
    }

    private mutating func complete() throws(TransferFailure) -> HTTPURLResponse {
        let (version, code, reason) = statusLine ?? ("", 0, "")
        if (100..<200).contains(code), code != 101 {
            interimCount += 1
            if let limit = limits.interimResponses, Safety.refuses("07-interim", interimCount > limit) {
                throw TransferFailure(
                    .tooManyInterimResponses,
                    "the server sent more than \(limit) interim responses"
                )
            }
        }
        defer {
            statusLine = nil
            raw = []
            bodyFields = BodyFields()
            (length, isInFraming, isChunked) = (nil, false, false)
            size = (0, 0)
        }
        return response((version, code, reason))
    }

    private func response(_ statusLine: (version: String, code: Int, reason: String)) -> HTTPURLResponse {
        HTTPURLResponse(
            urlText: url,
            statusCode: statusLine.code,
            httpVersion: statusLine.version,
            reasonPhrase: statusLine.reason,
            rawHead: raw,
            bodyFields: bodyFields
        )
    }

    /// Parses `HTTP/1.1 200 OK`; the reason phrase may be missing (RFC 9112 §4).
    private static func statusLine(
        _ line: UnsafeRawBufferPointer
    ) throws(TransferFailure) -> (version: String, code: Int, reason: String) {
        var rest = line.trimmedLine
        let (version, digits) = (rest.popWord(), rest.popWord())
        guard version.count > 5, version.dropFirst(5).allSatisfy({ $0.isASCIIDigit || $0 == UInt8(ascii: ".") }),
            digits.count == 3, let code = digits.decimalValue, code >= 100
        else { throw TransferFailure(.malformedResponse, "the status line of the response is malformed") }
        return (String(decoding: version, as: UTF8.self), Int(code), String(octets: rest))
    }
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
    /// Whether the line is a field of this name, which is in lower case.
    fileprivate func hasFieldName(_ name: StaticString) -> Bool {
        let length = name.utf8CodeUnitCount
        guard count > length else { return false }
        for index in 0..<length where self[index].asciiLowercased != name.utf8Start[index] { return false }
        // Blanks may precede the colon.
        for byte in self[length...] where byte != 0x20 && byte != 0x09 { return byte == UInt8(ascii: ":") }
        return false
    }
}
