internal import AFCore
internal import AFHTTP
internal import FoundationEssentials

/// The request of a command line, with all defaults and embedded files.
struct RequestPlan: Equatable, Sendable {
    let method: HTTPMethod
    /// The URL to send, without user info and fragment.
    var url: HTTPURL
    /// The host and port as typed, for messages.
    let host: String
    /// The header fields in order, including credentials for the first request.
    var headers: HTTPHeaders
    /// The names that must not be sent, not even as the transport's defaults: `Host`, `User-Agent`, …
    let removedHeaders: [String]
    var body: BodyPlan
    /// The user name in the typed URL; `nil` if it has none.
    var user: String?

    /// Whether the request may be sent twice.
    var isIdempotent: Bool { method.isIdempotent || headers.hasIdempotencyKey }
}

extension RequestPlan {
    /// Checks that a typed `Content-Length` or `Transfer-Encoding` describes the body, as the transport does before it
    /// sends.
    ///
    /// - Throws: ``UsageError`` if it does not.
    func checkFraming() throws {
        // Determining the length of a body opens its files.
        let isFramed = ["Content-Length", "Transfer-Encoding"].contains { headers.value(for: $0) != nil }
        guard isFramed || headers.value(for: "Connection") != "keep-alive" else { return }
        let transfer = Transfer(method: method, url: url, headers: headers, body: try body.source())
        do throws(TransferFailure) {
            try transfer.validate()
        } catch {
            // An unreadable file is reported by the transfer.
            guard error.kind == .invalidRequest else { return }
            throw UsageError("\(known: error.detail)", hint: "omit the field: afcli sends the right one")
        }
    }
}

extension RequestPlan {
    /// The maximum length of a body that is compressed twice: to determine its length, and to send it.
    private static var longestMeasured: Int64 { 64 << 20 }

    /// Returns the request with its body compressed (`Content-Encoding: deflate`).
    ///
    /// - Parameter level: 0 never compresses, 1 if the result is known to be shorter or the length is unknown, higher
    ///   values always.
    /// - Throws: ``UsageError`` if the request has a Content-Encoding; errors of reading a file.
    func compressed(_ level: Int) throws -> RequestPlan {
        guard level > 0, body != .none else { return self }
        guard headers.value(for: "Content-Encoding") == nil else {
            throw UsageError("the body has a Content-Encoding already", argument: "--compress")
        }
        var request = self
        request.headers.append(.contentEncoding(ContentCoding.deflate.rawValue))
        if let bytes = body.bytes {
            let size = try ContentCoding.deflate.compress(Data(bytes)).count
            guard level > 1 || size < bytes.count else { return self }
            request.body = .compressed(body, size: Int64(size))
            return request
        }
        request.body = .compressed(body, size: nil)
        guard !body.isStreamed, let length = try body.source()?.length(), length <= Self.longestMeasured else {
            return request
        }
        var size: Int64 = 0
        try request.body.source()?.forEachChunk { size += Int64($0.count) }
        guard level > 1 || size < length else { return self }
        request.body = .compressed(body, size: size)
        return request
    }
}
