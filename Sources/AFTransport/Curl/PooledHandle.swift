internal import AFHTTP
internal import CCurl

/// A libcurl handle that serves transfers in sequence.
///
/// It keeps its options if the next transfer needs the same ones: setting them takes 30,000 instructions, and all of a
/// small request 220,000.
final class PooledHandle {
    let easy: UnsafeMutableRawPointer
    /// The current transfer, for libcurl's callbacks.
    var transfer: ActiveTransfer?

    private var lists = EasyLists()
    /// The transfer that the options were set for, if another may reuse them. One reference: a transfer is copied when it
    /// is unwrapped, 600 instructions each time.
    private var settings: Settings?
    /// Whether a transfer requested a transfer coding: libcurl 7.88 sends its `TE` field with all later requests, too.
    private var sendsTransferCodings = false
    private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    /// Returns `nil` if libcurl has no memory.
    init?() {
        guard let easy = curl_easy_init() else { return nil }
        self.easy = easy
    }

    deinit { errorText.deallocate() }

    /// Returns the transfer of a libcurl handle.
    static func transfer(of easy: UnsafeMutableRawPointer) -> ActiveTransfer? {
        var box: UnsafeMutableRawPointer?
        _ = af_easy_get_pointer(easy, CURLINFO_PRIVATE, &box)
        return box.flatMap { Unmanaged<PooledHandle>.fromOpaque($0).takeUnretainedValue().transfer }
    }

    /// libcurl's message about the last failure; empty if there is none.
    var explanation: String { String(cString: errorText) }

    /// Sets the options for a transfer.
    ///
    /// - Parameter isRound: Whether the transfer follows a challenge that the previous one received.
    /// - Throws: ``TransferFailure`` if the transfer is invalid or needs a feature that libcurl lacks.
    func prepare(
        for transfer: Transfer,
        bodyLength: Int64?,
        in group: ConnectionGroup,
        isRound: Bool = false
    ) throws(TransferFailure) {
        errorText.pointee = 0
        let handle = EasyHandle(easy)
        if let settings, hasSettings(for: transfer) {
            if settings.url != transfer.url.text {
                try handle.setURL(of: transfer)
                settings.url = transfer.url.text
            }
            // The last transfer's connect timeout was reduced by its wait for a lookup.
            try handle.setTimeouts(transfer.options.timeouts)
            guard case .bytes(let bytes) = transfer.body else { return }
            try transfer.validateFraming(bodyLength: bodyLength)
            return try handle.setSmallBody(bytes)
        }
        if isRound, transfer.hasChallengeOfProxy {
            // A reset handle would forget the challenge, and the body may not be sent again after another 407.
            if transfer.body != nil, !transfer.hasSmallBody { try handle.removeSmallBody() }
        } else {
            forgetSettings()
        }
        try transfer.validate(bodyLength: bodyLength)
        try handle.configure(for: transfer, bodyLength: bodyLength, lists: &lists)
        try handle.set(CURLOPT_ERRORBUFFER, pointer: errorText)
        installCallbacks(for: transfer, in: group)
        if transfer.options.messages.requestsTransferCoding { sendsTransferCodings = true }
        guard transfer.hasLastingSettings else { return }
        settings = Settings(transfer)
    }

    /// Whether the handle has the options for a transfer, apart from URL and body.
    func hasSettings(for transfer: Transfer) -> Bool { settings?.transfer.hasSameSettings(as: transfer) == true }

    /// Replaces the header fields, for this transfer only.
    func setHeaders(_ lines: [String]) -> CURLcode {
        settings = nil
        return af_easy_set_list(easy, CURLOPT_HTTPHEADER, lists.make(lines))
    }

    /// Releases the transfer, after libcurl has stopped working for it.
    ///
    /// - Returns: Whether the handle can be reused. libcurl 7.88 does not free the read buffer of a transfer whose
    ///   connection still serves others: the buffer size could not be changed any more, and with another size in its
    ///   options the handle would read beyond it.
    func release() -> Bool {
        transfer = nil
        if settings?.transfer.body != nil { try? EasyHandle(easy).setSmallBody([]) }
        let size = settings?.readSize ?? EasyHandle.defaultReadSize
        let hasNoBuffer = af_easy_set_long(easy, CURLOPT_BUFFERSIZE, size) == CURLE_OK
        if settings == nil { forgetSettings() }
        return hasNoBuffer && !sendsTransferCodings
    }

    /// Frees the handle.
    func close() {
        transfer = nil
        curl_easy_cleanup(easy)
        lists.free()
    }

    private func forgetSettings() {
        settings = nil
        curl_easy_reset(easy)
        lists.free()
    }
}

extension PooledHandle {
    private final class Settings {
        /// The transfer without the bytes of its body.
        let transfer: Transfer
        let readSize: Int
        /// The URL of the latest transfer.
        var url: String

        init(_ transfer: Transfer) {
            var settings = transfer
            if transfer.body != nil { settings.body = .bytes([]) }
            self.transfer = settings
            readSize = EasyHandle.readSize(for: transfer)
            url = transfer.url.text
        }
    }
}

extension Transfer {
    /// Whether libcurl answers the challenge of a proxy, and no other: with a credential for the server, it would use what
    /// it knows of that of the previous transfer.
    fileprivate var hasChallengeOfProxy: Bool {
        guard options.authentication == nil, let proxy = options.proxy else { return false }
        return proxy.credential != nil && proxy.credentialKinds != .basic
    }

    /// Whether the options can be kept: they contain no secret and nothing specific to this transfer.
    fileprivate var hasLastingSettings: Bool {
        (body == nil || hasSmallBody) && upgradeStream == nil && options.authentication == nil && options.proxy == nil
            && options.eventHandler == nil && options.tls.evaluation == nil && options.tls.clientCertificate == nil
    }

    /// Whether only the URL and the bytes of a small body differ, so that the other transfer's options can be reused.
    fileprivate func hasSameSettings(as other: Transfer) -> Bool {
        upgradeStream == nil && sharedOptions.isEqual(to: other.sharedOptions) && method == other.method
            && url.scheme == other.url.scheme && headers == other.headers
            && (other.body == nil ? body == nil : body != nil && other.hasSmallBody)
    }
}
