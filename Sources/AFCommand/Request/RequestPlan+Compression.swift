internal import AFCore
internal import AFHTTP
internal import FoundationEssentials

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
