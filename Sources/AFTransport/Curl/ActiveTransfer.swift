internal import AFHTTP
internal import CCurl
internal import FoundationEssentials

/// One transfer while it runs: its libcurl handle, and what must be known between two of libcurl's calls.
final class ActiveTransfer {
    let id: TransferID
    let transfer: Transfer
    let sink: any TransferSink
    let group: ConnectionGroup
    let easy: UnsafeMutableRawPointer
    /// The name that has to be looked up, `nil` when there is none.
    let lookupHost: String?
    /// Whether a place at the look-up gate has come free.
    var isAdmitted = false
    /// Whether libcurl has been told to start.
    var hasBegun = false

    var assembler: HeadAssembler
    var body: BodyReader?
    let bodyLength: Int64?
    /// A head that turns out final or intermediate only by what comes next.
    var undecidedHead: HTTPURLResponse?
    var hasSentFinalHead = false
    /// Whether the way to the server stands: heads before that are a proxy's.
    var hasReachedServer = false
    var trailers = HTTPHeaders()
    /// What went wrong on this side of libcurl; wins over libcurl's own code.
    var failure: TransferFailure?
    var metrics: TransactionMetrics
    var sentBytes: Int64 = 0

    private let startedAt: UInt64
    private var lastActivity: UInt64
    private var isSuspended = false
    private var isSinkFull = false
    private var isBodyWaiting = false
    private var lists: EasyLists
    private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    /// - Throws: ``TransferFailure`` where the transfer cannot even begin; nothing is left behind then.
    init(
        _ id: TransferID,
        _ transfer: Transfer,
        _ sink: any TransferSink,
        in group: ConnectionGroup,
        cookies: UnsafeMutableRawPointer,
        now: UInt64
    ) throws(TransferFailure) {
        try transfer.validate()
        bodyLength = if let body = transfer.body { try BodyReader.length(of: body) } else { nil }
        guard let easy = group.takeHandle() else { throw TransferFailure(.other, "libcurl gave no handle") }
        self.easy = easy
        self.id = id
        self.transfer = transfer
        self.sink = sink
        self.group = group
        lookupHost = transfer.lookupHost
        body = transfer.body.map(BodyReader.init)
        assembler = HeadAssembler(url: URL(string: transfer.url.text), limits: transfer.options.limits)
        metrics = TransactionMetrics(start: .now, url: transfer.url.text)
        startedAt = now
        lastActivity = now
        lists = EasyLists()
        errorText.pointee = 0
        do throws(TransferFailure) {
            var handle = EasyHandle(easy)
            try handle.configure(for: transfer, bodyLength: bodyLength, lists: &lists)
            if transfer.options.handlesCookies { try handle.set(CURLOPT_SHARE, pointer: cookies) }
            try handle.set(CURLOPT_ERRORBUFFER, pointer: errorText)
            installCallbacks()
        } catch {
            close()
            throw error
        }
    }

    deinit { errorText.deallocate() }

    /// The transfer behind a handle.
    static func of(_ easy: UnsafeMutableRawPointer) -> ActiveTransfer? {
        var box: UnsafeMutableRawPointer?
        _ = af_easy_get_pointer(easy, CURLINFO_PRIVATE, &box)
        return box.map { Unmanaged<ActiveTransfer>.fromOpaque($0).takeUnretainedValue() }
    }

    // Deadlines.

    /// When the next of the transfer's own time-outs may pass; connecting is libcurl's to watch.
    var deadline: UInt64? {
        let timeouts = transfer.options.timeouts
        let idle = isPausedByCaller ? nil : timeouts.idle.map { lastActivity + nanoseconds($0) }
        let total = timeouts.total.map { startedAt + nanoseconds($0) }
        return [idle, total].compactMap(\.self).min()
    }

    func overdue(_ now: UInt64) -> TransferFailure? {
        let timeouts = transfer.options.timeouts
        if let total = timeouts.total, startedAt + nanoseconds(total) <= now {
            return TransferFailure(.totalTimedOut, "the transfer took longer than \(seconds(total))")
        }
        if let idle = timeouts.idle, !isPausedByCaller, lastActivity + nanoseconds(idle) <= now {
            return TransferFailure(.idleTimedOut, "there was no progress for \(seconds(idle))")
        }
        return nil
    }

    func noteActivity() { lastActivity = group.loop.now }

    // Pausing, from the mailbox.

    private var isPausedByCaller: Bool { isSuspended || isSinkFull }

    func suspend() {
        isSuspended = true
        applyPauses()
    }

    func resume(_ now: UInt64) {
        guard isSuspended else { return }
        isSuspended = false
        lastActivity = now
        applyPauses()
    }

    func drain(_ now: UInt64) {
        guard isSinkFull else { return }
        isSinkFull = false
        lastActivity = now
        applyPauses()
    }

    func bodyIsReady(_ now: UInt64) {
        guard isBodyWaiting else { return }
        isBodyWaiting = false
        lastActivity = now
        applyPauses()
    }

    private func applyPauses() {
        guard hasBegun else { return }
        var mask = CURLPAUSE_CONT
        if isSuspended || isSinkFull { mask |= CURLPAUSE_RECV }
        if isSuspended || isBodyWaiting { mask |= CURLPAUSE_SEND }
        curl_easy_pause(easy, mask)
    }

    // What libcurl's callbacks do; their C side is in ``installCallbacks()``.

    func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        noteActivity()
        decideHead(as: .final)
        guard !isSuspended else { return Int(CURL_WRITEFUNC_PAUSE) }
        if let limit = transfer.options.limits.bodyBytes, metrics.decodedBodyBytes + Int64(bytes.count) > limit {
            return abort(TransferFailure(.bodyTooLarge, "the body is larger than \(limit) bytes"))
        }
        switch sink.receive(bytes) {
        case .proceed:
            metrics.decodedBodyBytes += Int64(bytes.count)
            return bytes.count
        case .pause:
            isSinkFull = true
            return Int(CURL_WRITEFUNC_PAUSE)
        case .stop: return abort(TransferFailure(.stopped, "the receiver wanted no more"))
        }
    }

    func takeHeadLine(_ bytes: UnsafeRawBufferPointer) -> Int {
        noteActivity()
        do throws(TransferFailure) {
            switch try assembler.add(bytes) {
            case .incomplete: break
            case .trailer(let field): trailers.append(field)
            case .head(let response): take(response)
            }
            return bytes.count
        } catch {
            return abort(error)
        }
    }

    private func take(_ response: HTTPURLResponse) {
        decideHead(as: .intermediate)
        if !hasReachedServer {
            sink.receive(TransferHead(kind: .tunnel, response: response))
        } else if (100..<200).contains(response.statusCode), response.statusCode != 101 {
            sink.receive(TransferHead(kind: .informational, response: response))
        } else {
            undecidedHead = response
            if !transfer.mayGoOn(after: response) { decideHead(as: .final) }
        }
    }

    private func decideHead(as kind: TransferHead.Kind) {
        guard let response = undecidedHead else { return }
        undecidedHead = nil
        if kind == .final { hasSentFinalHead = true }
        sink.receive(TransferHead(kind: kind, response: response))
    }

    func giveBody(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard !isSuspended else { return Int(CURL_READFUNC_PAUSE) }
        do {
            let count = try body?.read(into: buffer, whenReady: group.loop.bodyIsReady(id)) ?? .end
            switch count {
            case .bytes(let count):
                noteActivity()
                return count
            case .notYet:
                isBodyWaiting = true
                return Int(CURL_READFUNC_PAUSE)
            case .end: return 0
            }
        } catch {
            failure = error as? TransferFailure ?? TransferFailure(.bodyUnreadable, "\(error)")
            return Int(CURL_READFUNC_ABORT)
        }
    }

    func rewindBody() -> Bool {
        if body?.rewind() ?? true { return true }
        failure = TransferFailure(.bodyNotRewindable, "the body has to be sent again, and it can be read only once")
        return false
    }

    func noteSent(_ bytes: Int64) {
        guard bytes != sentBytes else { return }
        sentBytes = bytes
        noteActivity()
        sink.didSend(bytes, of: bodyLength)
    }

    /// The connection stands and the request is about to go: the last chance to refuse the server.
    func reachServer(remote: (String, Int), local: (String, Int)) -> Bool {
        noteActivity()
        hasReachedServer = true
        group.loop.lookupEnded(id, succeeded: true)
        (metrics.remoteAddress, metrics.remotePort) = remote
        (metrics.localAddress, metrics.localPort) = local
        readTLS()
        guard let evaluation = transfer.options.tls.evaluation, transfer.url.scheme == .https else { return true }
        do {
            guard !metrics.certificates.isEmpty else {
                throw TransferFailure(.trustRefused, "the server's certificates are not known")
            }
            try evaluation.evaluate(ServerTrust(host: transfer.url.host, certificates: metrics.certificates))
            return true
        } catch {
            failure = TransferFailure(.trustRefused, "the server was refused: \(error)")
            return false
        }
    }

    private func abort(_ failure: TransferFailure) -> Int {
        self.failure = failure
        return 0
    }

    // The end.

    func outcome(_ code: CURLcode) -> TransferOutcome {
        guard code == CURLE_OK || failure == nil else { return outcome(failure) }
        if code == CURLE_OK { return outcome(nil as TransferFailure?) }
        let text = errorText.pointee == 0 ? curl_easy_strerror(code) : UnsafePointer(errorText)
        let detail = text.map { String(cString: $0) } ?? "libcurl reports code \(code.rawValue)"
        return outcome(
            TransferFailure(code, detail: detail, hasReachedServer: hasReachedServer, hasHead: hasSentFinalHead)
        )
    }

    func outcome(_ failure: TransferFailure?) -> TransferOutcome {
        decideHead(as: .final)
        if hasBegun { readMetrics() }
        return TransferOutcome(failure: failure, metrics: metrics, trailers: trailers)
    }

    /// Gives the handle back; the transfer is over.
    func close() {
        if hasBegun { curl_multi_remove_handle(group.multi, easy) }
        group.giveBack(easy)
        lists.free()
    }
}

private func nanoseconds(_ seconds: Double) -> UInt64 { UInt64(min(max(0, seconds), 1e9) * 1e9) }

private func seconds(_ value: Double) -> String {
    value == value.rounded() ? "\(Int(value)) s" : "\(value) s"
}
