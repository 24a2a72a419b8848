internal import AFHTTP

/// The response body and its end.
extension TransferPhase {
    enum BodyAction: Equatable {
        /// Report this header as the final one, and then offer the bytes again.
        case report(HTTPURLResponse)
        /// Pass the bytes to the sink.
        case deliver
        /// Accept the bytes, and drop them.
        case discard
        case pause
        /// End the transfer.
        case abort
    }

    /// The number of bytes of a challenge's body that are read so that the connection can be reused.
    static let discardLimit = 64 * 1024

    mutating func receiveBody(_ bytes: UnsafeRawBufferPointer) -> BodyAction {
        guard failure == nil else { return .abort }
        switch response {
        case .final: return pauses.isSuspended ? .pause : .deliver
        case .undecided, .refused: return decideFinal().map(BodyAction.report) ?? .abort
        case .challenged: return discard(bytes.count) ? .discard : .abort
        case .awaited where transfer.options.messages.acceptsHTTP09:
            return .report(acceptWithoutHead())
        case .awaited:
            fail(.notHTTP(bytes))
            return .abort
        }
    }

    /// The header of a body of which no byte was delivered; `nil` if the body has started.
    var headOfUnreadBody: HTTPURLResponse? {
        if case .final(let final) = response, case .unread = final.body { final.head } else { nil }
    }

    /// Whether the sink decides if the body is decoded.
    func mayDecode(_ head: HTTPURLResponse) -> Bool {
        head.bodyFields.hasContentEncoding && transfer.options.decodesContent && !isSwitched
    }

    /// The decoder of the body's codings; `nil` if the body is not coded.
    var decoder: ContentDecoder? {
        if case .final(let final) = response, case .coded(let decoder) = final.body { decoder } else { nil }
    }

    /// The number of accepted body bytes, before decoding.
    var takenBytes: Int64 { if case .final(let final) = response { final.takenBytes } else { 0 } }

    /// The maximum number of bytes of the body.
    private var bodyLimit: Int64? { isSwitched ? nil : transfer.options.limits.bodyBytes }

    /// Starts the body.
    ///
    /// - Parameter isDecoded: Whether the body's codings are decoded.
    mutating func startBody(isDecoded: Bool) throws(TransferFailure) {
        guard let head = headOfUnreadBody else { return }
        if isDecoded, let decoder = try ContentDecoder(head.headers) {
            // The decoded length of an encoded body is unknown.
            return updateFinal { $0.body = .coded(decoder) }
        }
        updateFinal { $0.body = .plain }
        if let limit = bodyLimit, head.announcedLength ?? 0 > limit { throw Self.bodyTooLarge(limit) }
    }

    /// Whether the number of delivered bytes is limited.
    var hasDeliveryLimit: Bool { bodyLimit != nil || transfer.options.limits.decodingRatio != nil }

    /// Checks the limits before bytes are delivered.
    ///
    /// - Parameters:
    ///   - count: The number of bytes, after decoding.
    ///   - received: The number of body bytes received so far, before decoding.
    func checkDelivery(of count: Int, received: @autoclosure () -> Int64) throws(TransferFailure) {
        let limits = transfer.options.limits
        guard case .final(let final) = response else { return }
        let total = final.deliveredBytes + Int64(count)
        if let limit = bodyLimit, total > limit { throw Self.bodyTooLarge(limit) }
        guard let ratio = limits.decodingRatio else { return }
        // libcurl counts the bytes of a chunked body only after decoding them.
        let uncounted: Int64 = 128 * 1024
        let (most, isOverflow) = (received() + uncounted).multipliedReportingOverflow(by: Int64(ratio))
        guard Safety.refuses("06-ratio", !isOverflow && total > most) else { return }
        let detail = "the body decodes to more than \(ratio) times its received size"
        throw TransferFailure(.decodingOverflow, detail, reason: .decodingRatio)
    }

    private static func bodyTooLarge(_ limit: Int64) -> TransferFailure {
        TransferFailure(.bodyTooLarge, "the body is larger than \(limit) bytes")
    }

    /// Records bytes that the sink accepted.
    mutating func deliver(_ count: Int) { updateFinal { $0.deliveredBytes += Int64(count) } }

    /// Records that all bytes of a received chunk were accepted.
    mutating func take(_ count: Int) { updateFinal { $0.takenBytes += Int64(count) } }

    /// Records that a received chunk ends the transfer.
    mutating func reject(_ count: Int, because failure: TransferFailure) {
        updateFinal { $0.rejectedBytes = Int64(count) }
        fail(failure)
    }

    /// Whether the response cannot have more body than was received, as its head or END_STREAM indicates.
    var isResponseComplete: Bool {
        guard case .final(let final) = response else { return false }
        return transfer.omitsBody || final.head.hasNoBody || announcedLength(of: final.head) == final.takenBytes
            || stream?.hasEnded == true && stream?.bodyBytes == final.takenBytes
    }

    /// The length that the header announces; `nil` if it is ignored, or announces none.
    fileprivate func announcedLength(of head: HTTPURLResponse) -> Int64? {
        transfer.options.messages.ignoresContentLength ? nil : head.announcedLength
    }

    /// Whether the complete response was received, as far as its header indicates, possibly before the request body was
    /// sent.
    var hasEarlyResponse: Bool { upload != .nothing && isResponseComplete }
}

/// The bytes that libcurl left unread.
extension TransferPhase {
    /// The use of bytes that libcurl left in the socket when it failed to send.
    enum UnreadAction: Equatable {
        /// Report this header as the final one, and then ask again.
        case report(HTTPURLResponse)
        case ignore
        /// Search the bytes for headers.
        case parse
        /// Take this many bytes, the rest of the body.
        case take(Int)
    }

    /// - Parameter count: The number of bytes.
    mutating func receiveUnread(_ count: Int) -> UnreadAction {
        switch response {
        case .challenged: return .ignore
        case .undecided, .refused: return decideFinal().map(UnreadAction.report) ?? .ignore
        case .awaited: return .parse
        case .final(let final):
            // After a complete response, a server may send another one, for the unread part of the request.
            guard !isResponseComplete, !isPaused, !mayReadRecords, let length = announcedLength(of: final.head) else {
                return .ignore
            }
            let missing = length - final.takenBytes
            return (0...Int64(count)).contains(missing) ? .take(Int(missing)) : .ignore
        }
    }

    /// Whether the bytes of the connection need not be those of the body: libcurl may hold back some.
    private var mayReadRecords: Bool {
        stream != nil || transfer.url.scheme == .https
            || transfer.options.proxy?.url.lowercased().hasPrefix("https") == true
    }
}

extension HTTPURLResponse {
    /// Whether the status has no body (RFC 9110 §6.4.1).
    fileprivate var hasNoBody: Bool { statusCode == 204 || statusCode == 304 }

    /// The length that the header announces; `nil` if the end of the connection marks the end of the body.
    var announcedLength: Int64? {
        bodyFields.hasTransferEncoding ? nil : bodyFields.length
    }
}
