internal import AFHTTP

/// The state of a transfer between libcurl's callbacks, and its rules: facts go in, an action comes out.
///
/// Without I/O, clock and callbacks, and a value but for two objects: the ``ContentDecoder`` of the body, and the
/// ``DigestSession``, which all transfers of a session share. ``ActiveTransfer`` reports the facts and performs the actions.
struct TransferPhase {
    /// The transfer as the current request sends it.
    private(set) var transfer: Transfer
    /// The authentication of further requests; `nil` without authentication.
    private var rounds: AuthenticationRounds?
    private(set) var upload: Upload
    private(set) var connection = Connection.opening(isTunneled: false, isRepetition: false)
    private(set) var response = Response.awaited
    /// The HTTP/2 stream of the latest response; `nil` if none of its frames was observed.
    private(set) var stream: ReceivedStream?
    /// The unanswered attempts of the current request.
    private var repetition = Repetition()
    private var hasRepeatedWithoutExpect = false
    /// The number of request body bytes that were passed to the network, as libcurl last reported it.
    private var sentBytes: Int64 = 0
    private(set) var pauses = Pauses()
    /// A failure outside libcurl; takes precedence over libcurl's result code.
    private(set) var failure: TransferFailure?

    /// Creates the state before the first request.
    ///
    /// - Parameters:
    ///   - planned: The transfer as the caller described it. If it authenticates itself, the first request differs.
    ///   - bodyLength: The length of its body in bytes; `nil` if it is unknown, or without a body.
    init(_ planned: Transfer, bodyLength: Int64?) {
        let rounds = AuthenticationRounds(planned)
        transfer = rounds?.first ?? planned
        self.rounds = rounds
        if planned.upgradeStream != nil {
            upload = .upgrade(.requested)
        } else {
            upload = planned.body == nil ? .nothing : .body(length: bodyLength)
        }
    }

    /// Whether the responses decide if other requests follow.
    var hasRounds: Bool { rounds != nil }

    /// Records a failure outside libcurl.
    mutating func fail(_ failure: TransferFailure) { self.failure = failure }

    mutating func updateFinal(_ change: (inout FinalResponse) -> Void) {
        guard case .final(var final) = response else { return }
        change(&final)
        response = .final(final)
    }

    /// Drops bytes of a challenge's body.
    ///
    /// - Returns: Whether the rest may be read, too.
    mutating func discard(_ count: Int) -> Bool {
        guard case .challenged(let next, let discarded) = response else { return false }
        response = .challenged(next: next, discarded: discarded + count)
        return discarded + count <= Self.discardLimit
    }

    static var bodyNotRewindable: TransferFailure {
        TransferFailure(.bodyNotRewindable, "the body must be sent again, but can be read only once")
    }
}

/// Pauses of sending and receiving.
extension TransferPhase {
    /// The directions in which libcurl may transfer bytes.
    struct Directions: Equatable {
        let receives: Bool
        let sends: Bool
    }

    /// Whether nothing is received.
    var isPaused: Bool { pauses.isSuspended || pauses.isSinkFull || pauses.throttledUntil != nil }

    mutating func suspend() -> Directions? {
        pauses.isSuspended = true
        return directions
    }

    mutating func resume() -> Directions? {
        guard pauses.isSuspended else { return nil }
        pauses.isSuspended = false
        return directions
    }

    /// Records that the sink accepts no bytes until ``drain()``.
    mutating func fillSink() { pauses.isSinkFull = true }

    mutating func drain() -> Directions? {
        guard pauses.isSinkFull else { return nil }
        pauses.isSinkFull = false
        return directions
    }

    /// Records that the request body has no bytes until ``bodyIsReady()``.
    mutating func awaitBody() { pauses.isBodyWaiting = true }

    mutating func bodyIsReady() -> Directions? {
        guard pauses.isBodyWaiting else { return nil }
        pauses.isBodyWaiting = false
        return directions
    }

    mutating func throttle(until time: UInt64) { pauses.throttledUntil = time }

    /// Resumes a throttled transfer if its time has come.
    mutating func endThrottle(at now: UInt64) -> Directions? {
        guard let end = pauses.throttledUntil, end <= now else { return nil }
        pauses.throttledUntil = nil
        return directions
    }

    private var directions: Directions? {
        // Before the connection, libcurl forgets a pause: the callbacks pause then.
        guard isConnectedToServer else { return nil }
        return Directions(receives: !isPaused, sends: !pauses.isSuspended && !pauses.isBodyWaiting)
    }
}

/// Connections, and the requests that libcurl starts on them.
extension TransferPhase {
    /// The decision about a request that libcurl is about to start, possibly as a repetition of an earlier one.
    enum StartAction { case start, rewindBody, refuse }

    /// Whether the connection to the server is established: earlier headers are a proxy's.
    var isConnectedToServer: Bool { connection == .established }

    /// Whether a request was started on at least one connection.
    var hasReachedServer: Bool {
        switch connection {
        case .established: true
        case .opening(_, let isRepetition): isRepetition
        }
    }

    /// Whether the next handshake is with the server, if there is a proxy.
    var isTunneled: Bool {
        switch connection {
        case .established: true
        case .opening(let isTunneled, _): isTunneled
        }
    }

    /// Whether a TLS handshake, and the connection that it protects, is one with the proxy.
    var isProxyTLS: Bool {
        guard let proxy = transfer.options.proxy, proxy.usesTLS(for: transfer.url) else { return false }
        return transfer.url.scheme == .http || !isTunneled
    }

    /// Decides whether libcurl may start a request. It may repeat an earlier one: after HTTP_1_1_REQUIRED or
    /// REFUSED_STREAM (RFC 9113 §8.7), in an authentication round, or if a reused connection was closed.
    mutating func startRequest() -> StartAction {
        guard hasReachedServer else { return .start }
        if case .final = response {
            // A second response would be appended to the first.
            if !isResponseComplete { failure = resetBeforeEnd }
            return .refuse
        }
        // libcurl repeats a refused stream five times, each on a new connection.
        guard !repetition.isRefusedTwice else {
            failure = TransferFailure(
                .connectionLost, "the server reset the HTTP/2 stream twice without processing the request\(resetCode)",
                reason: .streamRefused)
            return .refuse
        }
        // On a reused connection, libcurl would send any request again.
        if repetition.isUnanswered, stream?.isReset != true, Safety.refuses("25-reused", !transfer.isIdempotent) {
            failure = TransferFailure(
                .connectionLost, "the connection was closed without a response", curlCode: Repetition.gotNothing)
            return .refuse
        }
        // libcurl itself does not rewind the body after HTTP_1_1_REQUIRED.
        return upload == .nothing ? .start : .rewindBody
    }

    mutating func openSocket() { connection = .opening(isTunneled: false, isRepetition: hasReachedServer) }

    mutating func connected() {
        connection = .established
        (stream, repetition.isUnanswered) = (nil, true)
    }

    /// Records an HTTP/2 frame of the response.
    mutating func receiveFrame(_ bodyBytes: Int, isLast: Bool) {
        stream = stream ?? ReceivedStream()
        stream?.record(bodyBytes, isLast: isLast)
    }

    /// Records RST_STREAM.
    mutating func receiveReset(_ code: UInt32) {
        stream = stream ?? ReceivedStream()
        stream?.recordReset(code)
        if stream?.isRefused == true { repetition.recordRefusal(code) }
    }

    /// Whether the server has not processed the request, which may be sent again (RFC 9113 §8.7).
    var isRefused: Bool { stream?.isRefused == true && repetition.mayFollow }

    var resetBeforeEnd: TransferFailure {
        TransferFailure(.truncated, "the server reset the stream before the end of the body\(resetCode)")
    }

    /// The code of the server's reset in parentheses.
    var resetCode: String { stream?.resetCode.map { " (\($0))" } ?? "" }
}

/// Headers: which one is final, and which requests follow the others.
extension TransferPhase {
    enum HeadAction: Equatable {
        case report(TransferHead.Kind)
        /// Nothing: the final header was reported.
        case ignore
        /// Nothing: the next bytes show what the header is.
        case wait
        /// Rewind the body, and then ask ``decideRefusal(isRewound:isAtEnd:)``.
        case rewindBody
        /// End this request, so that it can be repeated.
        case endRequest
    }

    /// The header of the final response; `nil` before it is decided.
    var finalHead: HTTPURLResponse? { if case .final(let final) = response { final.head } else { nil } }

    /// Returns the header that another one has shown to be an intermediate one; `nil` if no header is undecided.
    mutating func supersedeHead() -> HTTPURLResponse? {
        guard case .undecided(let head) = response else { return nil }
        response = .awaited
        return head
    }

    /// Decides about a header, after ``supersedeHead()``.
    mutating func receive(_ head: HTTPURLResponse) throws(TransferFailure) -> HeadAction {
        // libcurl itself would repeat the request with the rest of the body.
        if finalHead?.statusCode == 417 { throw Self.bodyNotRewindable }
        // Trailers with a status line: they are no header of a response, and must neither end the body nor redirect.
        if case .final = response { return .ignore }
        if case .opening(_, let isRepetition) = connection {
            let isTunneled = (200..<300).contains(head.statusCode)
            connection = .opening(isTunneled: isTunneled, isRepetition: isRepetition)
            return .report(.tunnel)
        }
        repetition.isUnanswered = false
        if (100..<200).contains(head.statusCode), head.statusCode != 101 || transfer.upgradesToHTTP2 {
            return .report(.informational)
        }
        // libcurl may repeat the request after a challenge: the challenge is already known.
        if case .challenged = response { return .report(.intermediate) }
        if head.statusCode == 417, Safety.refuses("25-repetition", sentExpect(accordingTo: head)) {
            response = .undecided(head)
            return .rewindBody
        }
        return decide(head)
    }

    /// Decides about a 417 to a request with `Expect` (RFC 9110 §10.1.1).
    ///
    /// libcurl's own repetition is not used: it sends an explicit field again, in an endless loop.
    ///
    /// - Parameters:
    ///   - isRewound: Whether the body can be sent again.
    ///   - isAtEnd: Whether all of the body was read.
    mutating func decideRefusal(isRewound: Bool, isAtEnd: Bool) throws(TransferFailure) -> HeadAction {
        guard case .undecided(let head) = response else { return .wait }
        guard isRewound else {
            // libcurl would neither resume reading nor end the transfer.
            guard isAtEnd else { throw Self.bodyNotRewindable }
            return decide(head)
        }
        response = .refused(head)
        return .endRequest
    }

    /// Whether the current request has `Expect: 100-continue`, for the first time.
    func sentExpect(accordingTo head: HTTPURLResponse) -> Bool {
        !hasRepeatedWithoutExpect && transfer.sendsExpect(bodyLength: uploadLength, over: head.httpVersion)
    }

    private mutating func decide(_ head: HTTPURLResponse) -> HeadAction {
        if let next = rounds?.next(after: head) {
            response = .challenged(next: next, discarded: 0)
            return .report(.intermediate)
        }
        guard !transfer.mayStartAuthenticationRound(after: head) else {
            response = .undecided(head)
            return .wait
        }
        return accept(head)
    }

    /// Decides that an undecided header is final.
    ///
    /// - Returns: The header, which must be reported; `nil` if no header is undecided.
    mutating func decideFinal() -> HTTPURLResponse? {
        switch response {
        case .undecided(let head), .refused(let head):
            _ = accept(head)
            return head
        case .awaited, .challenged, .final: return nil
        }
    }

    /// Accepts a response that has no header, as in HTTP/0.9.
    ///
    /// - Returns: An empty header, which must be reported.
    mutating func acceptWithoutHead() -> HTTPURLResponse {
        let head = HTTPURLResponse(
            urlText: transfer.url.text, statusCode: 200, httpVersion: "HTTP/0.9", reasonPhrase: "", rawHead: [],
            bodyFields: BodyFields())
        _ = accept(head)
        return head
    }

    private mutating func accept(_ head: HTTPURLResponse) -> HeadAction {
        response = .final(FinalResponse(head: head))
        if isUpgrade {
            upload = .upgrade(head.statusCode == 101 ? .switched : .ended)
        } else if head.statusCode == 101, failure == nil, transfer.headers.value(for: "Upgrade") == nil {
            failure = TransferFailure(
                .malformedResponse, "the server switched to another protocol, which was not requested")
        }
        return .report(.final)
    }

    /// Whether the body was not due, as the current request only obtains a challenge.
    var withholdsBody: Bool {
        if rounds?.withholdsBody == true { return true }
        return if let finalHead { transfer.mayStartAuthenticationRound(after: finalHead) } else { false }
    }
}

/// The requests that follow the first one.
extension TransferPhase {
    /// Starts the request that follows a challenge, or one again that was refused.
    mutating func startRound() {
        if case .challenged(let next, _) = response { (transfer, repetition) = (next, Repetition()) }
        (response, stream, repetition.isUnanswered) = (.awaited, nil, false)
    }

    /// Starts the request again, without `Expect`.
    ///
    /// - Returns: The header of the 417, which is an intermediate one.
    mutating func startWithoutExpect() -> HTTPURLResponse? {
        guard case .refused(let head) = response else { return nil }
        (response, repetition, hasRepeatedWithoutExpect) = (.awaited, Repetition(), true)
        return head
    }
}

/// Uploads and upgrades.
extension TransferPhase {
    enum UploadAction { case read, pause, end }

    /// The length of the request body in bytes; `nil` if it is unknown, or without a body.
    private var uploadLength: Int64? { if case .body(let length) = upload { length } else { nil } }

    var isUpgrade: Bool { if case .upgrade = upload { true } else { false } }

    var isSwitched: Bool { upload == .upgrade(.switched) }

    /// Decides about libcurl's demand for bytes of the request body.
    mutating func requestBody() -> UploadAction {
        if pauses.isSuspended { return .pause }
        switch upload {
        case .nothing, .upgrade(.ended): return .end
        case .body, .upgrade(.switched): return .read
        case .upgrade(.requested):
            pauses.isBodyWaiting = true
            return .pause
        }
    }

    /// Records the number of bytes of the request body that were passed to the network.
    ///
    /// - Returns: Whether it has changed.
    mutating func send(_ total: Int64) -> Bool {
        defer { sentBytes = total }
        return total != sentBytes
    }

    /// Records that libcurl does not watch the socket for reading any more. While it waits for the server, that means
    /// that the server has closed the connection: libcurl itself would wait for the end of the stream.
    ///
    /// - Returns: Whether the stream ends.
    mutating func endReading() -> Bool {
        // libcurl asks for the stream after sending the header.
        let awaitsServer = isSwitched || upload == .upgrade(.requested) && pauses.isBodyWaiting
        guard awaitsServer, !isPaused else { return false }
        upload = .upgrade(.ended)
        return true
    }
}
