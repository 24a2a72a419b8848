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

    // Values without callbacks, used on one thread: their accesses cannot overlap. The checks of that took 7,000 of the
    // 220,000 instructions of a GET.
    @exclusivity(unchecked) var phase: TransferPhase
    @exclusivity(unchecked) private(set) var assembler: HeadAssembler
    @exclusivity(unchecked) private var pace: ReceivePace
    @exclusivity(unchecked) var clock: TransferClock
    @exclusivity(unchecked) var connection = ConnectionRecord()
    @exclusivity(unchecked) var history = RequestHistory()
    @exclusivity(unchecked) var metrics: TransactionMetrics
    private(set) var body: BodyReader?

    var id: TransferID { queued.id }
    var sink: any TransferSink { queued.sink }
    var easy: UnsafeMutableRawPointer { handle.easy }
    /// The transfer as the current request sends it.
    var transfer: Transfer { phase.transfer }
    var hasBegun: Bool { clock.begunAt != nil }

    /// Creates a transfer that is ready to begin.
    ///
    /// - Throws: ``TransferFailure`` if it cannot begin; all resources are released.
    static func ready(
        _ queued: QueuedTransfer,
        in group: ConnectionGroup
    ) throws(TransferFailure) -> ActiveTransfer {
        let planned = queued.transfer
        let source = planned.upgradeStream.map { BodySource.stream($0) } ?? planned.body
        let body: BodyReader? =
            if let source { try BodyReader(source, announcedLength: planned.announcedLength) } else { nil }
        let phase = TransferPhase(planned, bodyLength: body?.length)
        guard let handle = group.takeHandle(for: phase.transfer) else { throw .outOfResources(ENOMEM) }
        do throws(TransferFailure) {
            if phase.hasRounds { try planned.validate(bodyLength: body?.length) }
            let length = phase.withholdsBody ? 0 : body?.length
            try handle.prepare(for: phase.transfer, bodyLength: length, in: group)
        } catch {
            group.recycle(handle)
            throw error
        }
        let active = ActiveTransfer(queued, phase, body, handle, in: group)
        handle.transfer = active
        return active
    }

    private init(
        _ queued: QueuedTransfer,
        _ phase: TransferPhase,
        _ body: BodyReader?,
        _ handle: PooledHandle,
        in group: ConnectionGroup
    ) {
        self.queued = queued
        self.phase = phase
        self.body = body
        self.handle = handle
        self.group = group
        lookupName = phase.transfer.lookupName(group: group.number)
        metrics = TransactionMetrics(phase.transfer)
        assembler = HeadAssembler(of: phase.transfer)
        pace = ReceivePace(phase.transfer.options.network)
        clock = TransferClock(
            phase.transfer.options.timeouts, startedAt: group.loop.now, elapsed: phase.transfer.elapsedTime)
    }

    /// Passes the handle to libcurl.
    func begin() -> CURLMcode {
        if let left = clock.begin(group.loop.now) { _ = af_easy_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, left) }
        return curl_multi_add_handle(group.multi, easy)
    }

    /// Prepares to send the request again without `Expect`, which the server rejected with 417.
    ///
    /// - Returns: Whether the transfer must begin again.
    func repeatWithoutExpect() -> Bool {
        if let head = phase.startWithoutExpect() { report(head, as: .intermediate) }
        curl_multi_remove_handle(group.multi, easy)
        assembler.startRequest()
        var silent = transfer
        silent.options.expectContinue = .never
        silent.headers.remove(name: "Expect")
        let lines = HeaderLines(silent, bodyLength: body?.length)
        return handle.setHeaders(lines.originFields) == CURLE_OK
    }

    /// Prepares the request that follows a challenge.
    func startRound() throws(TransferFailure) {
        recordRound()
        guard rewindBody() else { throw TransferPhase.bodyNotRewindable }
        curl_multi_remove_handle(group.multi, easy)
        phase.startRound()
        assembler.startRequest()
        try handle.prepare(for: transfer, bodyLength: body?.length, in: group, isRound: true)
    }

    // Deadlines

    /// The next time at which a timeout may expire or a rate limit permits more; libcurl watches the connect timeout.
    var deadline: UInt64? {
        let deadline = clock.deadline(isPaused: isPaused, hasEarlyResponse: phase.hasEarlyResponse)
        return phase.pauses.throttledUntil.map { min(deadline ?? .max, $0) } ?? deadline
    }

    func overdue() -> TransferFailure? {
        guard let failure = clock.overdue(group.loop.now, isPaused: isPaused) else { return nil }
        return phase.explained(failure)
    }

    /// Whether the server has sent a complete response and stopped reading the request body.
    var serverStoppedReading: Bool {
        phase.hasEarlyResponse && !isPaused && clock.serverStoppedReading(group.loop.now)
    }

    private func recordActivity() { clock.recordActivity(group.loop.now) }

    // Pausing, called for mailbox commands. libcurl delivers buffered bytes at once, so all of these may fail.

    var isPaused: Bool { phase.isPaused }

    func suspend() -> CURLcode { apply(phase.suspend()) }
    func resume() -> CURLcode { apply(phase.resume()) }
    func drain() -> CURLcode { apply(phase.drain()) }
    func bodyIsReady() -> CURLcode { apply(phase.bodyIsReady()) }

    /// Resumes a throttled transfer if its time has come.
    func resumeIfDue() -> CURLcode {
        guard let end = phase.pauses.throttledUntil, end <= group.loop.now else { return CURLE_OK }
        pace.endPause()
        return apply(phase.endThrottle(at: group.loop.now))
    }

    private func apply(_ directions: TransferPhase.Directions?) -> CURLcode {
        guard let directions else { return CURLE_OK }
        recordActivity()
        var mask = CURLPAUSE_CONT
        if !directions.receives { mask |= CURLPAUSE_RECV }
        if !directions.sends { mask |= CURLPAUSE_SEND }
        return curl_easy_pause(easy, mask)
    }

    // The implementations of libcurl's callbacks; ``PooledHandle/installCallbacks(for:in:)`` has their C side.

    func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        recordActivity()
        switch phase.receiveBody(bytes) {
        case .report(let head):
            reportFinal(head)
            return receiveBody(bytes)
        case .deliver: return mayTakeMore() ? takeDue(bytes) : Int(CURL_WRITEFUNC_PAUSE)
        case .discard: return bytes.count
        case .pause: return Int(CURL_WRITEFUNC_PAUSE)
        case .abort: return 0
        }
    }

    private func takeDue(_ bytes: UnsafeRawBufferPointer) -> Int {
        do throws(TransferFailure) {
            if let head = phase.headOfUnreadBody, try !startBody(of: head) { return Int(CURL_WRITEFUNC_PAUSE) }
            let decoder = phase.decoder
            let isTaken = if let decoder { try decode(bytes, with: decoder) } else { try deliver(bytes) }
            guard isTaken else { return Int(CURL_WRITEFUNC_PAUSE) }
            if decoder != nil { sink.receiveEncoded(bytes) }
            phase.take(bytes.count)
            if phase.hasEarlyResponse { group.loop.schedule(self) }
            return bytes.count
        } catch {
            phase.reject(bytes.count, because: error)
            return 0
        }
    }

    /// Starts the body.
    ///
    /// - Returns: `false` if the sink does not know yet whether the body is decoded.
    private func startBody(of head: HTTPURLResponse) throws(TransferFailure) -> Bool {
        guard head.bodyFields.hasContentEncoding, phase.mayDecode(head) else {
            try phase.startBody(isDecoded: false)
            return true
        }
        guard let isDecoded = sink.decodesBody(of: head) else {
            phase.fillSink()
            return false
        }
        try phase.startBody(isDecoded: isDecoded)
        return true
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
        if phase.hasDeliveryLimit { try phase.checkDelivery(of: bytes.count, received: receivedBytes) }
        switch sink.receive(bytes) {
        case .proceed:
            phase.deliver(bytes.count)
            return true
        case .pause:
            phase.fillSink()
            return false
        case .stop: throw TransferFailure(.stopped, "the receiver stopped the transfer")
        }
    }

    /// Whether the rate limit permits the received bytes; if not, schedules the loop to wake.
    private func mayTakeMore() -> Bool {
        let end = pace.dueTime(taken: phase.takenBytes, received: receivedBytes, now: group.loop.now)
        guard let end else { return true }
        wait(until: end)
        return false
    }

    /// Stops receiving until the given time.
    private func wait(until time: UInt64) {
        phase.throttle(until: time)
        group.loop.schedule(self)
    }

    /// Processes one or more header lines: lines that arrive while the transfer is suspended are delivered together.
    func receiveHeadLines(_ bytes: UnsafeRawBufferPointer) -> Int {
        recordActivity()
        guard phase.failure == nil else { return 0 }
        var rest = bytes[...]
        while let line = rest.popLine() {
            announce(line)
            do throws(TransferFailure) {
                switch try assembler.add(line) {
                case .headBegins: clock.headStartedAt = group.loop.now
                case .incomplete: break
                case .trailer(let field): metrics.trailers.append(field)
                case .head(let head): if try !take(head) { return 0 }
                }
            } catch {
                phase.fail(error)
                return 0
            }
        }
        return bytes.count
    }

    /// Reports a header line. libcurl 7.88 passes other bytes to its debug callback if a line arrives in two reads.
    private func announce(_ line: UnsafeRawBufferPointer) {
        guard let handler = phase.transfer.options.eventHandler, handler.kinds.contains(.responseHeadLine) else {
            return
        }
        handler.handle(
            TransferEvent(
                kind: .responseHeadLine, bytes: Array(line), transferNumber: id.number,
                isOfTunnel: !phase.isConnectedToServer))
    }

    /// Processes a complete header.
    ///
    /// - Returns: Whether the request continues.
    private func take(_ head: HTTPURLResponse) throws(TransferFailure) -> Bool {
        if let earlier = phase.supersedeHead() { report(earlier, as: .intermediate) }
        var action = try phase.receive(head)
        if action == .ignore { return true }
        metrics.trailers = HTTPHeaders()
        history.respondedHead = history.latestHead
        // First, as the call copies the transfer.
        if head.bodyFields.setsCookies, phase.isConnectedToServer { group.loop.takeCookies(of: head, to: transfer) }
        if action == .rewindBody {
            let isRewound = body?.rewind() == true
            action = try phase.decideRefusal(isRewound: isRewound, isAtEnd: body?.isAtEnd != false)
        }
        switch action {
        case .report(.final): reportFinal(head)
        case .report(let kind): report(head, as: kind)
        case .ignore, .wait, .rewindBody: break
        case .endRequest: return false
        }
        return true
    }

    /// Reports an undecided header as the final one.
    func decideFinal() {
        if let head = phase.decideFinal() { reportFinal(head) }
    }

    func reportFinal(_ head: HTTPURLResponse) {
        report(head, as: .final)
        if phase.isUpgrade {
            if phase.isSwitched { clock.endIdleTimeout() }
            // libcurl is called later: this is one of its callbacks.
            group.loop.mailbox.post(.bodyReady(id))
        }
        if phase.hasEarlyResponse { group.loop.schedule(self) }
    }

    private func report(_ response: HTTPURLResponse, as kind: TransferHead.Kind) {
        if kind != .final, metrics.earlierHeads.count < TransactionMetrics.maximumEarlierHeads {
            let head = EarlierHead(kind: kind, response: response, requestHead: history.respondedHead)
            metrics.earlierHeads.append(head)
        }
        sink.receive(TransferHead(kind: kind, response: response))
    }

    /// Processes what was left of the response in the socket when sending failed.
    ///
    /// - Returns: Whether the response is complete now.
    func takeUnread(_ bytes: [UInt8]) -> Bool {
        switch phase.receiveUnread(bytes.count) {
        case .report(let head):
            reportFinal(head)
            return takeUnread(bytes)
        case .ignore: return false
        case .parse: return takeUnreadResponse(bytes)
        case .take(let count): return bytes[..<count].withUnsafeBytes(receiveBody) == count
        }
    }

    private func takeUnreadResponse(_ bytes: [UInt8]) -> Bool {
        guard let response = EarlyResponse(bytes) else { return false }
        for head in response.heads {
            guard head.withUnsafeBytes(receiveHeadLines) == head.count else { return false }
        }
        decideFinal()
        guard let head = phase.finalHead, let body = response.body(of: head) else { return false }
        return body.isEmpty || body.withUnsafeBytes(receiveBody) == body.count
    }

    func readRequestBody(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        switch phase.requestBody() {
        case .pause: return Int(CURL_READFUNC_PAUSE)
        case .end: return 0
        case .read: return readBody(into: buffer)
        }
    }

    private func readBody(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        do throws(TransferFailure) {
            let (mailbox, id) = (group.loop.mailbox, id)
            let whenReady: @Sendable () -> Void = { mailbox.post(.bodyReady(id)) }
            switch try body?.read(into: buffer, whenReady: whenReady) ?? .end {
            case .bytes(let count):
                recordActivity()
                return count
            case .notYet:
                phase.awaitBody()
                return Int(CURL_READFUNC_PAUSE)
            case .end: return 0
            }
        } catch {
            phase.fail(error)
            return Int(CURL_READFUNC_ABORT)
        }
    }

    /// Records that libcurl does not watch the socket for reading any more.
    func endReading() {
        if phase.endReading() { group.loop.mailbox.post(.bodyReady(id)) }
    }

    func rewindBody() -> Bool {
        if body?.rewind() ?? true { return true }
        phase.fail(TransferPhase.bodyNotRewindable)
        return false
    }

    func receive(_ event: TransferEvent) {
        guard event.kind == .requestHead else { return }
        history.latestHead = event.bytes
        // The header of a CONNECT request is sent to a proxy and is not the server's.
        if phase.isConnectedToServer { metrics.requestHead = event.bytes }
    }

    func recordSent(_ bytes: Int64) {
        // The framing of chunks alone is no progress of the body.
        let bytes = bodyBytes(of: bytes)
        guard phase.send(bytes) else { return }
        recordActivity()
        sink.didSend(bytes, of: body?.length)
    }
}
