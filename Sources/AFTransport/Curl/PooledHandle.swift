internal import AFHTTP
internal import CCurl

/// A libcurl handle that serves one transfer after the other.
///
/// It keeps its settings for as long as transfers want the same ones: making them anew takes longer than libcurl needs for
/// a small request.
final class PooledHandle {
    let easy: UnsafeMutableRawPointer
    /// The transfer that is being served; libcurl's callbacks find it here.
    var transfer: ActiveTransfer?

    private var lists = EasyLists()
    /// What the handle is set up for, where another transfer may want the same.
    private var settings: Transfer?
    private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    /// `nil` when libcurl has no memory for it.
    init?() {
        guard let easy = curl_easy_init() else { return nil }
        self.easy = easy
        // The cookie engine is to be awake, which a share alone does not do, and to have no cookies of its own. The state
        // outlasts a reset. An empty `CURLOPT_COOKIEFILE` wakes it too, and leaks with every reset (7.88).
        _ = af_easy_set_string(easy, CURLOPT_COOKIELIST, "")
        _ = af_easy_set_string(easy, CURLOPT_COOKIEFILE, nil)
    }

    deinit { errorText.deallocate() }

    /// The transfer behind one of libcurl's handles.
    static func transfer(of easy: UnsafeMutableRawPointer) -> ActiveTransfer? {
        var box: UnsafeMutableRawPointer?
        _ = af_easy_get_pointer(easy, CURLINFO_PRIVATE, &box)
        return box.flatMap { Unmanaged<PooledHandle>.fromOpaque($0).takeUnretainedValue().transfer }
    }

    /// What libcurl wrote about the last failure, empty when it had nothing to say.
    var explanation: String { String(cString: errorText) }

    /// Sets the handle up for a transfer.
    ///
    /// - Throws: ``TransferFailure`` where the transfer is invalid or libcurl does not support what it asks for.
    func prepare(
        for transfer: Transfer,
        bodyLength: Int64?,
        in group: ConnectionGroup,
        cookies: UnsafeMutableRawPointer
    ) throws(TransferFailure) {
        errorText.pointee = 0
        let handle = EasyHandle(easy)
        if let settings, settings.wantsSameSettings(as: transfer) {
            try handle.set(CURLOPT_URL, transfer.url.text)
            // What the last transfer waited for a name was taken off its connect time-out.
            return try handle.setTimeouts(transfer.options.timeouts)
        }
        forgetSettings()
        try transfer.validate(bodyLength: bodyLength)
        try handle.configure(for: transfer, bodyLength: bodyLength, lists: &lists)
        try handle.set(CURLOPT_SHARE, pointer: transfer.options.handlesCookies ? cookies : nil)
        try handle.set(CURLOPT_ERRORBUFFER, pointer: errorText)
        installCallbacks(for: transfer, in: group)
        if transfer.hasLastingSettings { settings = transfer }
    }

    /// Sends these fields instead of the ones that were set.
    func setHeaders(_ lines: [String]) -> CURLcode {
        af_easy_set_list(easy, CURLOPT_HTTPHEADER, lists.make(lines))
    }

    /// The transfer is over, and libcurl at work for it no more.
    ///
    /// - Returns: Whether the handle may serve another one. libcurl 7.88 does not free the read buffer of a transfer whose
    ///   connection still serves others: then the size of the buffer cannot be set any more, and with another size in its
    ///   settings the handle would read beyond it.
    func release() -> Bool {
        transfer = nil
        let size = settings.map(EasyHandle.readSize) ?? EasyHandle.defaultReadSize
        let hasNoBuffer = af_easy_set_long(easy, CURLOPT_BUFFERSIZE, size) == CURLE_OK
        if settings == nil { forgetSettings() }
        return hasNoBuffer
    }

    /// Ends the handle.
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

extension Transfer {
    /// Whether a handle may keep what it was set up with: no secret, nothing that belongs to this transfer alone.
    fileprivate var hasLastingSettings: Bool {
        body == nil && options.authentication == nil && options.proxy == nil && options.eventHandler == nil
            && options.tls.evaluation == nil && options.tls.clientCertificate == nil
    }

    /// Whether nothing but the URL need be set, where the other one's settings are in place.
    fileprivate func wantsSameSettings(as other: Transfer) -> Bool {
        method == other.method && url.scheme == other.url.scheme && headers == other.headers && body == nil
            && options == other.options
    }
}
