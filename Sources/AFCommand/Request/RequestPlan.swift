internal import AFCore
internal import AFHTTP
internal import FoundationEssentials

/// The request that a command line asks for, with every default filled in and every embedded file read.
struct RequestPlan: Equatable, Sendable {
    let method: HTTPMethod
    /// Complete but for the host, which is as it was typed; without user info and fragment.
    let url: String
    /// In wire order, the login that goes with the first request among them.
    var headers: HTTPHeaders
    /// Names that must not be sent, not even where the transport has a default of its own: `Host`, `User-Agent`, …
    let removedHeaders: [String]
    var body: BodyPlan
}

extension RequestPlan {
    /// Checks that a typed `Content-Length` or `Transfer-Encoding` describes the body, as the transport does before it sends.
    ///
    /// - Throws: ``UsageError`` if it does not.
    func checkFraming(_ url: HTTPURL) throws {
        // To know the length of a body, its files are opened.
        let isFramed = ["Content-Length", "Transfer-Encoding"].contains { headers.value(for: $0) != nil }
        guard isFramed || headers.value(for: "Connection") != "keep-alive" else { return }
        let transfer = Transfer(method: method, url: url, headers: headers, body: try body.source())
        do throws(TransferFailure) {
            try transfer.validate()
        } catch {
            // A file that cannot be read is the transfer's error.
            guard error.kind == .invalidRequest else { return }
            throw UsageError("\(known: error.detail)", hint: "leave the field out: afcli sends the right one")
        }
    }
}

extension RequestPlan {
    /// The longest body that is compressed twice: once to know its length, once to send it.
    private static var longestMeasured: Int64 { 64 << 20 }

    /// The same request with its body compressed (`Content-Encoding: deflate`).
    ///
    /// - Parameter level: Zero for never, one for where it is known to be shorter then or its length is not known, more
    ///   for always.
    /// - Throws: ``UsageError`` where the body is said to be encoded already; what reading a file throws.
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
