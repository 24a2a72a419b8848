internal import AFHTTP
internal import CCurl
internal import FoundationEssentials
internal import Glibc

/// One transfer while it runs: its libcurl handle, and what must be known between two of libcurl's calls.
final class ActiveTransfer {
    let id: TransferID
    let transfer: Transfer
    let sink: any TransferSink
    let group: ConnectionGroup
    let handle: PooledHandle
    /// The name that has to be looked up, `nil` when there is none.
    let lookupName: LookupGate.Name?

    private var assembler: HeadAssembler
    private(set) var body: BodyReader?
    /// A head that turns out final or intermediate only by what comes next.
    private(set) var undecidedHead: HTTPURLResponse?
    /// The request that the undecided head, or a proxy's, answers; empty unless somebody hears of requests.
    private var answeredRequestHead: [UInt8] = []
    private var latestRequestHead: [UInt8] = []
    private(set) var finalHead: HTTPURLResponse?
    /// What takes the body's codings off, where it has any; made for its first byte, as a head alone promises nothing.
    private(set) var decoder: ContentDecoder?
    private var hasBody = false
    /// Whether the request could begin at least once.
    private(set) var hasReachedServer = false
    /// Whether the way to the server stands: heads before that are a proxy's.
    private var isInTouchWithServer = false
    /// Of the connection to the server, where that speaks TLS and OpenSSL drives it.
    private(set) var tlsEnding: TLSEnding?
    /// Whether the server has reset the stream of HTTP/2 before END_STREAM.
    private(set) var isStreamReset = false
    /// Whether the server refused `Expect: 100-continue` with 417, and the body can be sent again.
    private var isExpectRefused = false
    private var hasRepeatedWithoutExpect = false
    private(set) var trailers = HTTPHeaders()
    /// What went wrong on this side of libcurl; wins over libcurl's own code.
    private(set) var failure: TransferFailure?
    var metrics: TransactionMetrics
    private var sentBytes: Int64 = 0
    /// Bytes of the body, before decoding, that were taken.
    private(set) var takenBytes: Int64 = 0

    private(set) var clock: TransferClock
    var hasBegun: Bool { clock.begunAt != nil }
    private var receiveLimit: RateLimit?
    /// Bytes that the rate shared with others was told of.
    private var sharedBytes: Int64 = 0
    /// For connections to the server or a proxy, one of which may have come to stand.
    private(set) var openedSockets: [Int32] = []
    /// Why the last socket could not be opened; libcurl reports only that it could not connect.
    private(set) var socketError: Int32?
    private var isSuspended = false
    private var isSinkFull = false
    /// When more of the body may be taken, in nanoseconds, be it for its rate or for other transfers; `nil` while it may.
    private var throttledUntil: UInt64?
    private var isBodyWaiting = false

    var easy: UnsafeMutableRawPointer { handle.easy }

    /// A transfer that is ready to begin.
    ///
    /// - Throws: ``TransferFailure`` where it cannot even begin; nothing is left behind then.
    static func ready(
        _ id: TransferID,
        _ transfer: Transfer,
        _ sink: any TransferSink,
        in group: ConnectionGroup,
        cookies: UnsafeMutableRawPointer
    ) throws(TransferFailure) -> ActiveTransfer {
        let body: BodyReader? = if let source = transfer.framedBody { try BodyReader(source) } else { nil }
        guard let handle = group.takeHandle() else { throw .outOfResources(ENOMEM) }
        do throws(TransferFailure) {
            try handle.prepare(for: transfer, bodyLength: body?.length, in: group, cookies: cookies)
        } catch {
            group.giveBack(handle)
            throw error
        }
        let active = ActiveTransfer(id, transfer, sink, body, handle, in: group)
        handle.transfer = active
        return active
    }

    private init(
        _ id: TransferID,
        _ transfer: Transfer,
        _ sink: any TransferSink,
        _ body: BodyReader?,
        _ handle: PooledHandle,
        in group: ConnectionGroup
    ) {
        self.id = id
        self.transfer = transfer
        self.sink = sink
        self.body = body
        self.handle = handle
        self.group = group
        lookupName = transfer.lookupName(group: group.number)
        let url = transfer.url.text
        metrics = TransactionMetrics(transfer)
        assembler = HeadAssembler(url: url, limits: transfer.options.limits)
        receiveLimit = transfer.options.network.maximumReceiveRate.flatMap(RateLimit.init(bytesPerSecond:))
        clock = TransferClock(
            transfer.options.timeouts, startedAt: group.loop.now, elapsed: transfer.elapsedTime)
    }

    /// Tells libcurl to start.
    func begin() -> CURLMcode {
        if let left = clock.begin(group.loop.now) { _ = af_easy_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, left) }
        return curl_multi_add_handle(group.multi, easy)
    }

    /// Prepares to send the request again without `Expect`, if the server refused that with 417 (RFC 9110 §10.1.1).
    ///
    /// libcurl's own repetition is never used: it sends a field that it was given once more, and so asks without end.
    ///
    /// - Returns: Whether the transfer has to begin again.
    func repeatsWithoutExpect() -> Bool {
        guard isExpectRefused else { return false }
        (isExpectRefused, hasRepeatedWithoutExpect) = (false, true)
        decideHead(as: .intermediate)
        curl_multi_remove_handle(group.multi, easy)
        var silent = transfer
        silent.options.expectContinue = .never
        silent.headers.remove(name: "Expect")
        let lines = HeaderLines(silent, bodyLength: body?.length)
        return handle.setHeaders(lines.forServer) == CURLE_OK
    }

    // Deadlines.

    /// When the next of the transfer's own time-outs may pass, or its rate allows more; connecting is libcurl's to watch.
    var deadline: UInt64? {
        let deadline = clock.deadline(isPaused: isPaused, isAnswerWhole: isAnswerWhole)
        return throttledUntil.map { min(deadline ?? .max, $0) } ?? deadline
    }

    func overdue() -> TransferFailure? { clock.overdue(group.loop.now, isPaused: isPaused) }

    /// Whether the server has answered in full and takes nothing more of the body.
    var isLeftWithoutReader: Bool { isAnswerWhole && !isPaused && clock.isLeftWithoutReader(group.loop.now) }

    private func noteActivity() { clock.noteActivity(group.loop.now) }

    // Pausing, from the mailbox. What libcurl had kept back is handed on at once, so all of these may fail.

    var isPaused: Bool { isSuspended || isSinkFull || throttledUntil != nil }

    func suspend() -> CURLcode {
        isSuspended = true
        return applyPauses()
    }

    func resume() -> CURLcode {
        guard isSuspended else { return CURLE_OK }
        isSuspended = false
        return applyPauses()
    }

    func drain() -> CURLcode {
        guard isSinkFull else { return CURLE_OK }
        isSinkFull = false
        return applyPauses()
    }

    func bodyIsReady() -> CURLcode {
        guard isBodyWaiting else { return CURLE_OK }
        isBodyWaiting = false
        return applyPauses()
    }

    /// Goes on where more of the body may be taken by now.
    func continueWhenDue() -> CURLcode {
        guard let end = throttledUntil, end <= group.loop.now else { return CURLE_OK }
        throttledUntil = nil
        return applyPauses()
    }

    private func applyPauses() -> CURLcode {
        // Earlier, libcurl would forget it again; the callbacks answer for a transfer that is suspended so early.
        guard isInTouchWithServer else { return CURLE_OK }
        noteActivity()
        var mask = CURLPAUSE_CONT
        if isPaused { mask |= CURLPAUSE_RECV }
        if isSuspended || isBodyWaiting { mask |= CURLPAUSE_SEND }
        return curl_easy_pause(easy, mask)
    }

    // What libcurl's callbacks do; their C side is in ``installCallbacks()``.

    func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        noteActivity()
        guard failure == nil else { return 0 }
        decideHead(as: .final)
        guard !isSuspended, mayTakeMore() else { return Int(CURL_WRITEFUNC_PAUSE) }
        do throws(TransferFailure) {
            if !hasBody { try beginBody() }
            let isTaken = if let decoder { try decode(bytes, with: decoder) } else { try deliver(bytes) }
            guard isTaken else { return Int(CURL_WRITEFUNC_PAUSE) }
            takenBytes += Int64(bytes.count)
            if isAnswerWhole { group.loop.expect(self) }
            return bytes.count
        } catch {
            return abort(error)
        }
    }

    private func beginBody() throws(TransferFailure) {
        hasBody = true
        if transfer.options.decodesContent, let finalHead { decoder = try ContentDecoder(finalHead.headers) }
        // What a body decodes to, its length does not tell.
        guard decoder == nil, let limit = transfer.options.limits.bodyBytes, let finalHead,
            finalHead.announcedLength ?? 0 > limit
        else { return }
        throw TransferFailure(.bodyTooLarge, "the body is larger than \(limit) bytes")
    }

    /// Hands on what the bytes decode to, by and by: a few may make more than one turn of the loop should deal with.
    private func decode(_ bytes: UnsafeRawBufferPointer, with decoder: ContentDecoder) throws(TransferFailure) -> Bool {
        var left = 4 << 20
        return try decoder.decode(bytes) { piece throws(TransferFailure) in
            guard left > 0 else {
                wait(until: group.loop.now)
                return false
            }
            left -= piece.count
            return try deliver(piece)
        }
    }

    /// Hands bytes of the body to the sink.
    ///
    /// - Returns: Whether it took them.
    private func deliver(_ bytes: UnsafeRawBufferPointer) throws(TransferFailure) -> Bool {
        if let limit = transfer.options.limits.bodyBytes, metrics.decodedBodyBytes + Int64(bytes.count) > limit {
            throw TransferFailure(.bodyTooLarge, "the body is larger than \(limit) bytes")
        }
        if let ratio = transfer.options.limits.decodingRatio, decodes(bytes.count, beyond: ratio) {
            let detail = "the body decodes to more than \(ratio) times what came"
            throw TransferFailure(.decodingOverflow, detail, reason: .decodingRatio)
        }
        switch sink.receive(bytes) {
        case .proceed:
            metrics.decodedBodyBytes += Int64(bytes.count)
            return true
        case .pause:
            isSinkFull = true
            return false
        case .stop: throw TransferFailure(.stopped, "the receiver wanted no more")
        }
    }

    /// Whether the rate allows what has come; otherwise the loop is told when it will.
    private func mayTakeMore() -> Bool {
        guard let end = dueTime() else { return true }
        wait(until: end)
        return false
    }

    /// When the bytes so far are due; `nil` where that is over.
    private func dueTime() -> UInt64? {
        let received = receivedBytes
        guard let rate = transfer.options.network.sharedReceiveRate else {
            return receiveLimit?.note(received, now: group.loop.now)
        }
        defer { sharedBytes = received }
        return rate.note(received - sharedBytes, now: group.loop.now)
    }

    /// Takes no more until then.
    private func wait(until time: UInt64) {
        throttledUntil = time
        group.loop.expect(self)
    }

    /// One line, or several: those that came while the transfer was suspended are handed over together.
    func takeHeadLines(_ bytes: UnsafeRawBufferPointer) -> Int {
        noteActivity()
        guard failure == nil else { return 0 }
        var rest = bytes[...]
        while !rest.isEmpty {
            let end = rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? rest.endIndex
            do throws(TransferFailure) {
                switch try assembler.add(UnsafeRawBufferPointer(rebasing: rest[..<end])) {
                case .headBegins: clock.headStartedAt = group.loop.now
                case .incomplete: break
                case .trailer(let field): trailers.append(field)
                case .head(let response): try take(response)
                }
            } catch {
                return abort(error)
            }
            // Ends this attempt, for ``repeatsWithoutExpect()``.
            if isExpectRefused { return 0 }
            rest = rest[end...]
        }
        return bytes.count
    }

    private func take(_ response: HTTPURLResponse) throws(TransferFailure) {
        // libcurl repeats the request of its own accord, with what is left of the body.
        if finalHead?.statusCode == 417 { throw bodyNotRewindable }
        decideHead(as: .intermediate)
        answeredRequestHead = latestRequestHead
        if !isInTouchWithServer {
            tell(response, as: .tunnel)
        } else if (100..<200).contains(response.statusCode), response.statusCode != 101 || transfer.upgradesToHTTP2 {
            tell(response, as: .informational)
        } else {
            undecidedHead = response
            if response.statusCode == 417, sentExpect(accordingTo: response) {
                isExpectRefused = body?.rewind() == true
                // libcurl would neither resume reading nor end the transfer.
                if !isExpectRefused, body?.isAtEnd == false { throw bodyNotRewindable }
            }
            if !isExpectRefused, !transfer.mayGoOn(after: response) { decideHead(as: .final) }
        }
    }

    private func sentExpect(accordingTo response: HTTPURLResponse) -> Bool {
        !hasRepeatedWithoutExpect && transfer.sendsExpect(bodyLength: body?.length, over: response.httpVersion)
    }

    func decideHead(as kind: TransferHead.Kind) {
        guard let response = undecidedHead else { return }
        undecidedHead = nil
        if kind == .final { finalHead = response } else { trailers = HTTPHeaders() }
        tell(response, as: kind)
    }

    private func tell(_ response: HTTPURLResponse, as kind: TransferHead.Kind) {
        if kind != .final, metrics.earlierHeads.count < TransactionMetrics.maximumEarlierHeads {
            let head = EarlierHead(kind: kind, response: response, requestHead: answeredRequestHead)
            metrics.earlierHeads.append(head)
        }
        sink.receive(TransferHead(kind: kind, response: response))
    }

    func giveBody(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard !isSuspended else { return Int(CURL_READFUNC_PAUSE) }
        do {
            let (mailbox, id) = (group.loop.mailbox, id)
            let whenReady: @Sendable () -> Void = { mailbox.post(.bodyReady(id)) }
            switch try body?.read(into: buffer, whenReady: whenReady) ?? .end {
            case .bytes(let count):
                noteActivity()
                return count
            case .notYet:
                isBodyWaiting = true
                return Int(CURL_READFUNC_PAUSE)
            case .end: return 0
            }
        } catch {
            failure = error as? TransferFailure ?? TransferFailure(.bodyUnreadable, "\(error)", underlyingError: error)
            return Int(CURL_READFUNC_ABORT)
        }
    }

    func rewindBody() -> Bool {
        if body?.rewind() ?? true { return true }
        failure = bodyNotRewindable
        return false
    }

    private var bodyNotRewindable: TransferFailure {
        TransferFailure(.bodyNotRewindable, "the body has to be sent again, and it can be read only once")
    }

    func note(_ event: TransferEvent) {
        guard event.kind == .requestHead else { return }
        latestRequestHead = event.bytes
        // What goes to a proxy before the tunnel stands is none of the server's business.
        if isInTouchWithServer { metrics.requestHead = event.bytes }
    }

    func noteSent(_ bytes: Int64) {
        guard bytes != sentBytes else { return }
        sentBytes = bytes
        noteActivity()
        sink.didSend(bytes, of: body?.length)
    }

    /// Opens the socket of a new connection: the name is known, and a proxy may have to be asked again.
    func openSocket(_ address: curl_sockaddr) -> curl_socket_t {
        // Without SOCK_CLOEXEC, child processes would inherit the socket and keep the connection open.
        let type = address.socktype | Int32(SOCK_CLOEXEC.rawValue)
        let opened = socket(address.family, type, address.protocol)
        socketError = opened < 0 ? errno : nil
        guard opened >= 0 else { return -1 }
        isInTouchWithServer = false
        openedSockets.append(opened)
        group.loop.noteConnection(opened, of: id)
        return opened
    }

    /// The connection stands and the request is about to go: the last chance to refuse the server.
    func reachServer(remote: (String, Int), local: (String, Int)) -> Bool {
        clock.reachServer(group.loop.now)
        hasReachedServer = true
        isInTouchWithServer = true
        isStreamReset = false
        group.loop.expect(self)
        group.loop.nameWasFound(id)
        (metrics.remoteAddress, metrics.remotePort) = remote
        (metrics.localAddress, metrics.localPort) = local
        readTLS()
        guardUnreadAnswer(localPort: local.1)
        tlsEnding = transfer.url.scheme == .https ? af_easy_tls(easy).map(TLSEnding.of) : nil
        do {
            try judgeServer()
            return true
        } catch {
            failure = TransferFailure(.trustRefused, "the server was refused: \(error)", underlyingError: error)
            return false
        }
    }

    func noteStreamReset() { isStreamReset = true }

    private func abort(_ failure: TransferFailure) -> Int {
        self.failure = failure
        return 0
    }
}
