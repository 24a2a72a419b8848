internal import AFHTTP
internal import CCurl
internal import FoundationEssentials
internal import Glibc

/// A running transfer: its libcurl handle and the state between libcurl's callbacks.
final class ActiveTransfer {
    private let queued: QueuedTransfer
    let group: ConnectionGroup
    let handle: PooledHandle
    /// The name to be resolved; `nil` for addresses.
    let lookupName: ResolverThrottle.Name?

    private(set) var phase: TransferPhase
    private var assembler: HeadAssembler
    private(set) var body: BodyReader?
    /// A header of which the next bytes show whether it is final or interim.
    private(set) var undecidedHead: HTTPURLResponse?
    /// The request header that the undecided header, or a proxy's, responds to; empty unless events are observed.
    private var answeredRequestHead: [UInt8] = []
    private var latestRequestHead: [UInt8] = []
    private(set) var finalHead: HTTPURLResponse?
    /// The decoder of the body's codings; `nil` if there are none. Created at the first body byte.
    private(set) var decoder: ContentDecoder?
    private var hasBody = false
    /// The end of the TLS connection to the server, if OpenSSL implements it.
    private(set) var tlsEnding: TLSEnding?
    /// The HTTP/2 stream of the latest response; `nil` if none of its frames was observed.
    private(set) var stream: ReceivedStream?
    /// The bytes of the headers that were sent before the server was reached: those of CONNECT.
    private(set) var sentToProxy = 0
    /// The number of streams that the server refused for the current request.
    private var streamRefusals = 0
    /// Whether the server rejected `Expect: 100-continue` with 417, and the body can be sent again.
    private var isExpectRefused = false
    private var hasRepeatedWithoutExpect = false
    private(set) var trailers = HTTPHeaders()
    /// A failure outside libcurl; takes precedence over libcurl's result code.
    private(set) var failure: TransferFailure?
    var metrics: TransactionMetrics
    private var sentBytes: Int64 = 0
    /// The number of accepted body bytes, before decoding.
    private(set) var takenBytes: Int64 = 0
    /// The number of body bytes that ended the transfer.
    private(set) var rejectedBytes: Int64 = 0

    var clock: TransferClock
    var hasBegun: Bool { clock.begunAt != nil }
    private var receiveLimit: RateLimit?
    /// The number of bytes reported to the shared rate limit.
    private var sharedBytes: Int64 = 0
    /// The open sockets of connections to the server or a proxy; at most one is connected.
    private(set) var openedSockets: [Int32] = []
    /// The error number of the last failed attempt to open a socket; libcurl reports only that it could not connect.
    private(set) var socketError: Int32?
    /// The number of received bytes that the rate limit has noted.
    private var notedBytes: Int64 = 0
    /// The number of received bytes that the rate limit permits.
    private var permittedBytes: Int64 = 0
    /// The state of an upgrade of the connection; `nil` for an ordinary request.
    var upgrade: Upgrade?

    var id: TransferID { queued.id }
    /// The transfer as the current request sends it.
    private(set) var transfer: Transfer
    /// The authentication of further requests; `nil` if there are none.
    private var rounds: AuthenticationRounds?
    /// The request that follows the current one, of whose response nothing is delivered.
    private var nextRound: Transfer?
    var expectsAnotherRound: Bool { nextRound != nil }
    /// The number of discarded bytes of the current response.
    private var discarded = 0
    /// The metrics of the first request, if there are others.
    private(set) var firstRound: TransactionMetrics?
    /// Whether the body was not due, as the current request only obtains a challenge.
    var withholdsBody: Bool {
        rounds?.withholdsBody == true || finalHead.map(transfer.mayStartAuthenticationRound) == true
    }
    var sink: any TransferSink { queued.sink }
    var easy: UnsafeMutableRawPointer { handle.easy }

    /// Creates a transfer that is ready to begin.
    ///
    /// - Throws: ``TransferFailure`` if it cannot begin; all resources are released.
    static func ready(
        _ queued: QueuedTransfer,
        in group: ConnectionGroup
    ) throws(TransferFailure) -> ActiveTransfer {
        let planned = queued.transfer
        let rounds = AuthenticationRounds(planned)
        let transfer = rounds?.first ?? planned
        let source = planned.upgradeStream.map { BodySource.stream($0) } ?? planned.framedBody
        let body: BodyReader? = if let source { try BodyReader(source) } else { nil }
        guard let handle = group.takeHandle(for: transfer) else { throw .outOfResources(ENOMEM) }
        do throws(TransferFailure) {
            if rounds != nil { try planned.validate(bodyLength: body?.length) }
            let length = rounds?.withholdsBody == true ? 0 : body?.length
            try handle.prepare(for: transfer, bodyLength: length, in: group)
        } catch {
            group.recycle(handle)
            throw error
        }
        let active = ActiveTransfer(queued, transfer, rounds, body, handle, in: group)
        handle.transfer = active
        return active
    }

    private init(
        _ queued: QueuedTransfer,
        _ transfer: Transfer,
        _ rounds: AuthenticationRounds?,
        _ body: BodyReader?,
        _ handle: PooledHandle,
        in group: ConnectionGroup
    ) {
        self.queued = queued
        self.transfer = transfer
        self.rounds = rounds
        self.body = body
        self.handle = handle
        self.group = group
        lookupName = transfer.lookupName(group: group.number)
        phase = TransferPhase(queued.transfer, bodyLength: body?.length)
        metrics = TransactionMetrics(transfer)
        upgrade = transfer.upgradeStream == nil ? nil : .requested
        assembler = HeadAssembler(url: transfer.url.text, limits: transfer.options.limits)
        receiveLimit = transfer.options.network.maximumReceiveRate.flatMap(RateLimit.init(bytesPerSecond:))
        clock = TransferClock(
            transfer.options.timeouts, startedAt: group.loop.now, elapsed: transfer.elapsedTime)
    }

    /// Passes the handle to libcurl.
    func begin() -> CURLMcode {
        if let left = clock.begin(group.loop.now) { _ = af_easy_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, left) }
        return curl_multi_add_handle(group.multi, easy)
    }

    /// Prepares to send the request again without `Expect`, if the server rejected that with 417 (RFC 9110 §10.1.1).
    ///
    /// libcurl's own repetition is not used: it sends an explicit field again, in an endless loop.
    ///
    /// - Returns: Whether the transfer must begin again.
    func repeatsWithoutExpect() -> Bool {
        guard isExpectRefused else { return false }
        (isExpectRefused, hasRepeatedWithoutExpect) = (false, true)
        decideHead(as: .intermediate)
        curl_multi_remove_handle(group.multi, easy)
        streamRefusals = 0
        assembler.startRequest()
        var silent = transfer
        silent.options.expectContinue = .never
        silent.headers.remove(name: "Expect")
        let lines = HeaderLines(silent, bodyLength: body?.length)
        return handle.setHeaders(lines.originFields) == CURLE_OK
    }

    /// Prepares the request that follows a challenge.
    ///
    /// - Returns: Whether the transfer must begin again.
    func startsNextRound() throws(TransferFailure) -> Bool {
        guard failure == nil, let next = nextRound.take() else { return false }
        noteRound()
        guard rewindBody() else { throw bodyNotRewindable }
        curl_multi_remove_handle(group.multi, easy)
        (transfer, discarded, stream, streamRefusals) = (next, 0, nil, 0)
        assembler.startRequest()
        try handle.prepare(for: next, bodyLength: body?.length, in: group)
        return true
    }

    /// Records the metrics of a request that another one follows.
    private func noteRound() {
        let earlier = firstRound
        readMetrics()
        firstRound = earlier ?? metrics
        firstRound?.requestHeadBytes = metrics.requestHeadBytes
        firstRound?.responseHeadBytes = metrics.responseHeadBytes
    }

    // Deadlines

    /// The next time at which a timeout may expire or a rate limit permits more; libcurl watches the connect timeout.
    var deadline: UInt64? {
        let deadline = clock.deadline(isPaused: isPaused, hasEarlyResponse: hasEarlyResponse)
        return phase.pauses.throttledUntil.map { min(deadline ?? .max, $0) } ?? deadline
    }

    func overdue() -> TransferFailure? {
        guard let failure = clock.overdue(group.loop.now, isPaused: isPaused) else { return nil }
        return phase.explained(failure)
    }

    private func noteActivity() { clock.noteActivity(group.loop.now) }

    // Pausing, called for mailbox commands. libcurl delivers buffered bytes at once, so all of these may fail.

    var isPaused: Bool { phase.isPaused }

    func suspend() -> CURLcode { apply(phase.suspend()) }
    func resume() -> CURLcode { apply(phase.resume()) }
    func drain() -> CURLcode { apply(phase.drain()) }
    func bodyIsReady() -> CURLcode { apply(phase.bodyIsReady()) }

    /// Resumes a throttled transfer if its time has come.
    func resumeIfDue() -> CURLcode {
        let wasThrottled = phase.pauses.throttledUntil != nil
        let directions = phase.endThrottle(at: group.loop.now)
        if wasThrottled, phase.pauses.throttledUntil == nil { permittedBytes = notedBytes }
        return apply(directions)
    }

    private func apply(_ directions: TransferPhase.Directions?) -> CURLcode {
        guard let directions else { return CURLE_OK }
        noteActivity()
        var mask = CURLPAUSE_CONT
        if !directions.receives { mask |= CURLPAUSE_RECV }
        if !directions.sends { mask |= CURLPAUSE_SEND }
        return curl_easy_pause(easy, mask)
    }

    // The implementations of libcurl's callbacks; ``installCallbacks()`` has their C side.

    func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        noteActivity()
        guard failure == nil else { return 0 }
        if nextRound != nil {
            discarded += bytes.count
            return discarded > Self.discardLimit ? 0 : bytes.count
        }
        decideHead(as: .final)
        guard failure == nil else { return 0 }
        guard finalHead != nil else { return abort(.notHTTP(bytes)) }
        guard !phase.pauses.isSuspended, mayTakeMore() else { return Int(CURL_WRITEFUNC_PAUSE) }
        do throws(TransferFailure) {
            if !hasBody, try !beginBody() { return Int(CURL_WRITEFUNC_PAUSE) }
            let isTaken = if let decoder { try decode(bytes, with: decoder) } else { try deliver(bytes) }
            guard isTaken else { return Int(CURL_WRITEFUNC_PAUSE) }
            if decoder != nil { sink.receiveEncoded(bytes) }
            takenBytes += Int64(bytes.count)
            if hasEarlyResponse { group.loop.expect(self) }
            return bytes.count
        } catch {
            rejectedBytes = Int64(bytes.count)
            return abort(error)
        }
    }

    /// The number of bytes of a challenge's body that are read so that the connection can be reused.
    private static let discardLimit = 64 * 1024

    /// Chooses the decoder.
    ///
    /// - Returns: `false` if the sink does not know yet whether the body is decoded.
    private func beginBody() throws(TransferFailure) -> Bool {
        if let finalHead, finalHead.bodyFields.hasContentEncoding, decodesContent {
            guard let isDecoded = sink.decodesBody(of: finalHead) else {
                phase.fillSink()
                return false
            }
            if isDecoded { decoder = try ContentDecoder(finalHead.headers) }
        }
        hasBody = true
        // The decoded length of an encoded body is unknown.
        guard decoder == nil, let limit = bodyLimit, finalHead?.announcedLength ?? 0 > limit
        else { return true }
        throw TransferFailure(.bodyTooLarge, "the body is larger than \(limit) bytes")
    }

    /// Decodes bytes in bounded steps: a few bytes may decode to more than one iteration of the loop should process.
    private func decode(_ bytes: UnsafeRawBufferPointer, with decoder: ContentDecoder) throws(TransferFailure) -> Bool {
        var left = 4 << 20
        return try decoder.decode(bytes) { chunk throws(TransferFailure) in
            guard left > 0 else {
                wait(until: group.loop.now)
                return false
            }
            left -= chunk.count
            return try deliver(chunk)
        }
    }

    /// Passes body bytes to the sink.
    ///
    /// - Returns: Whether the sink accepted them.
    private func deliver(_ bytes: UnsafeRawBufferPointer) throws(TransferFailure) -> Bool {
        if let limit = bodyLimit, metrics.decodedBodyBytes + Int64(bytes.count) > limit {
            throw TransferFailure(.bodyTooLarge, "the body is larger than \(limit) bytes")
        }
        if let ratio = transfer.options.limits.decodingRatio, decodes(bytes.count, beyond: ratio) {
            let detail = "the body decodes to more than \(ratio) times its received size"
            throw TransferFailure(.decodingOverflow, detail, reason: .decodingRatio)
        }
        switch sink.receive(bytes) {
        case .proceed:
            metrics.decodedBodyBytes += Int64(bytes.count)
            return true
        case .pause:
            phase.fillSink()
            return false
        case .stop: throw TransferFailure(.stopped, "the receiver stopped the transfer")
        }
    }

    /// Whether the rate limit permits the received bytes; if not, schedules the loop to wake.
    private func mayTakeMore() -> Bool {
        // After a pause, libcurl 8 receives more bytes before it delivers those that were due.
        guard takenBytes >= permittedBytes, let end = dueTime(of: receivedBytes) else { return true }
        wait(until: end)
        return false
    }

    /// Returns the time at which the bytes received so far are due; `nil` if it has passed.
    private func dueTime(of received: Int64) -> UInt64? {
        notedBytes = received
        guard let rate = transfer.options.network.sharedReceiveRate else {
            return receiveLimit?.note(received, now: group.loop.now)
        }
        defer { sharedBytes = received }
        return rate.note(received - sharedBytes, now: group.loop.now)
    }

    /// Stops receiving until the given time.
    private func wait(until time: UInt64) {
        phase.throttle(until: time)
        group.loop.expect(self)
    }

    /// Processes one or more header lines: lines that arrive while the transfer is suspended are delivered together.
    func takeHeadLines(_ bytes: UnsafeRawBufferPointer) -> Int {
        noteActivity()
        guard failure == nil else { return 0 }
        var rest = bytes[...]
        while let line = rest.popLine() {
            announce(line)
            do throws(TransferFailure) {
                switch try assembler.add(line) {
                case .headBegins: clock.headStartedAt = group.loop.now
                case .incomplete: break
                case .trailer(let field): trailers.append(field)
                case .head(let response): try take(response)
                }
            } catch {
                return abort(error)
            }
            // Ends this attempt; see ``repeatsWithoutExpect()``.
            if isExpectRefused { return 0 }
        }
        return bytes.count
    }

    /// Reports a header line. libcurl 7.88 passes other bytes to its debug callback if a line arrives in two reads.
    private func announce(_ line: UnsafeRawBufferPointer) {
        guard let handler = transfer.options.eventHandler, handler.kinds.contains(.responseHeadLine) else { return }
        handler.handle(TransferEvent(kind: .responseHeadLine, bytes: Array(line), transferNumber: id.number))
    }

    private func take(_ response: HTTPURLResponse) throws(TransferFailure) {
        // libcurl itself would repeat the request with the rest of the body.
        if finalHead?.statusCode == 417 { throw bodyNotRewindable }
        decideHead(as: .intermediate)
        answeredRequestHead = latestRequestHead
        if !phase.isConnectedToServer {
            _ = try phase.receive(response)
            return report(response, as: .tunnel)
        }
        group.loop.takeCookies(of: response, to: transfer)
        if (100..<200).contains(response.statusCode), response.statusCode != 101 || transfer.upgradesToHTTP2 {
            report(response, as: .informational)
        } else {
            undecidedHead = response
            if response.statusCode == 417, sentExpect(accordingTo: response) {
                isExpectRefused = body?.rewind() == true
                // libcurl would neither resume reading nor end the transfer.
                if !isExpectRefused, body?.isAtEnd == false { throw bodyNotRewindable }
            }
            if !isExpectRefused, let next = rounds?.next(after: response) {
                nextRound = next
                decideHead(as: .intermediate)
            }
            if !isExpectRefused, !transfer.mayStartAuthenticationRound(after: response) { decideHead(as: .final) }
        }
    }

    func sentExpect(accordingTo response: HTTPURLResponse) -> Bool {
        !hasRepeatedWithoutExpect && transfer.sendsExpect(bodyLength: body?.length, over: response.httpVersion)
    }

    func decideHead(as kind: TransferHead.Kind) {
        guard let response = undecidedHead else { return }
        undecidedHead = nil
        if kind == .final { finalHead = response } else { trailers = HTTPHeaders() }
        report(response, as: kind)
        guard kind == .final else { return }
        if response.statusCode == 101, upgrade == nil {
            failure =
                failure
                ?? TransferFailure(
                    .malformedResponse, "the server switched to another protocol, which was not requested")
        }
        settleUpgrade(after: response)
        if hasEarlyResponse { group.loop.expect(self) }
    }

    private func report(_ response: HTTPURLResponse, as kind: TransferHead.Kind) {
        if kind != .final, metrics.earlierHeads.count < TransactionMetrics.maximumEarlierHeads {
            let head = EarlierHead(kind: kind, response: response, requestHead: answeredRequestHead)
            metrics.earlierHeads.append(head)
        }
        sink.receive(TransferHead(kind: kind, response: response))
    }

    func giveBody(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard !phase.pauses.isSuspended else { return Int(CURL_READFUNC_PAUSE) }
        if case .ended = upgrade { return 0 }
        if case .requested = upgrade {
            phase.awaitBody()
            return Int(CURL_READFUNC_PAUSE)
        }
        do {
            let (mailbox, id) = (group.loop.mailbox, id)
            let whenReady: @Sendable () -> Void = { mailbox.post(.bodyReady(id)) }
            switch try body?.read(into: buffer, whenReady: whenReady) ?? .end {
            case .bytes(let count):
                noteActivity()
                return count
            case .notYet:
                phase.awaitBody()
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
        TransferFailure(.bodyNotRewindable, "the body must be sent again, but can be read only once")
    }

    func note(_ event: TransferEvent) {
        guard event.kind == .requestHead else { return }
        latestRequestHead = event.bytes
        // The header of a CONNECT request is sent to a proxy and is not the server's.
        if phase.isConnectedToServer { metrics.requestHead = event.bytes }
    }

    func noteSent(_ bytes: Int64) {
        guard bytes != sentBytes else { return }
        sentBytes = bytes
        noteActivity()
        sink.didSend(bytes, of: body?.length)
    }

    /// Whether libcurl may start a request, which may repeat an earlier one: after HTTP_1_1_REQUIRED or REFUSED_STREAM
    /// (RFC 9113 §8.7), in an authentication round, or if a reused connection was closed.
    private func mayStartRequest() -> Bool {
        guard phase.hasReachedServer else { return true }
        if finalHead != nil {
            // A second response would be appended to the first.
            if !isResponseComplete { failure = resetBeforeEnd }
            return false
        }
        // libcurl repeats a refused stream five times, each on a new connection.
        guard streamRefusals < 2 else {
            failure = TransferFailure(
                .connectionLost, "the server reset the HTTP/2 stream twice without processing the request\(resetCode)",
                reason: .streamRefused)
            return false
        }
        // libcurl itself does not rewind the body after HTTP_1_1_REQUIRED.
        return rewindBody()
    }

    /// Opens the socket of a new connection: the name is resolved.
    func openSocket(_ address: curl_sockaddr) -> curl_socket_t {
        guard mayStartRequest() else { return -1 }
        // Without SOCK_CLOEXEC, child processes would inherit the socket and keep the connection open.
        let type = address.socktype | Int32(SOCK_CLOEXEC.rawValue)
        let opened = socket(address.family, type, address.protocol)
        socketError = opened < 0 ? errno : nil
        guard opened >= 0 else { return -1 }
        phase.openSocket()
        openedSockets.append(opened)
        group.loop.noteConnection(opened, of: id)
        return opened
    }

    /// Called when the connection is established and before the request is sent: the last opportunity to reject the
    /// server.
    func reachServer(remote: (String, Int), local: (String, Int)) -> Bool {
        guard mayStartRequest() else { return false }
        clock.reachServer(group.loop.now)
        phase.reachServer()
        stream = nil
        if transfer.options.proxy != nil { sentToProxy = long(CURLINFO_REQUEST_SIZE) }
        group.loop.expect(self)
        group.loop.nameWasFound(id)
        (metrics.remoteAddress, metrics.remotePort) = remote
        (metrics.localAddress, metrics.localPort) = local
        if transfer.url.scheme == .https, let tls = af_easy_tls(easy) {
            readTLS(tls)
            guardEarlyResponse(tls, localPort: local.1)
            tlsEnding = TLSEnding.of(tls)
        }
        do {
            try judgeServer()
        } catch {
            failure = TransferFailure(.trustRefused, "the server was rejected: \(error)", underlyingError: error)
            return false
        }
        return setCookies()
    }

    /// Sets the `Cookie` field of the request that is about to be sent: the stored cookies and explicit ones share it
    /// (RFC 6265 §5.4). libcurl may send several requests for a transfer.
    private func setCookies() -> Bool {
        let cookies = group.loop.cookies(for: transfer).map { "\($0.name)=\($0.value)" }
        do throws(TransferFailure) {
            try EasyHandle(easy).setCookies(cookies + transfer.headers.values(for: "Cookie"))
            return true
        } catch {
            failure = error
            return false
        }
    }

    func noteStreamFrame(_ bodyBytes: Int, isLast: Bool) {
        stream = stream ?? ReceivedStream()
        stream?.note(bodyBytes, isLast: isLast)
        if hasEarlyResponse { group.loop.expect(self) }
    }

    func noteStreamReset(_ code: UInt32) {
        stream = stream ?? ReceivedStream()
        stream?.noteReset(code)
        // REFUSED_STREAM (RFC 9113 §7).
        if code == 7 { streamRefusals += 1 }
    }

    private func abort(_ failure: TransferFailure) -> Int {
        self.failure = failure
        return 0
    }
}
