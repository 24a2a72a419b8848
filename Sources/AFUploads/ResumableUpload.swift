public import AFHTTP
public import AFRequests
internal import AFTransport
public import FoundationEssentials
internal import Synchronization

/// An upload of a file that is resumed after an interruption, also by a later process.
///
/// Each attempt of its request is one exchange of the protocol, with the session's adapters, retriers and monitors: the
/// upload itself, a question for the offset, or the bytes from that offset. It is the interceptor of its request.
public final class ResumableUpload: UploadConvertible, RequestInterceptor {
    /// The options of a resumable upload.
    public struct Options: Sendable {
        /// The protocol.
        public var uploadProtocol = UploadProtocol.automatic
        /// Whether a record beside the file lets a later process resume the upload.
        public var storesRecord = false
        /// The directory for records of files whose directory is not writable; `nil` for none.
        public var stateDirectory: URL?
        /// Whether an upload resource may be at another origin than the URL of the request.
        public var trustsOtherOrigins = false
        /// Whether a request that the server may have processed is sent again.
        ///
        /// A server of the IETF draft may remove a complete upload, whose response is lost: it is not sent again, unless
        /// its method is idempotent, like PUT, or it has an `Idempotency-Key`.
        public var repeatsUnsafely = false
        /// The digests that the file must have; the server is asked to verify its bytes, too.
        public var digests: [UploadDigest] = []
        /// The maximum number of concurrent requests that send parts of the file; 1 for a sequential upload.
        ///
        /// A multipart upload to S3 sends that number of its parts at once, and one to a server of tus that number of partial
        /// uploads, which the server concatenates. Other uploads are sequential, which the event
        /// ``UploadEvent/sequential`` reports. Adapters and monitors process the request of each part, and retriers only
        /// the upload's main request, which sends what others could not send. `ConnectionLimits.perHost` must allow the
        /// number of connections.
        public var segments = 1

        /// Creates the default options.
        public init() {}
    }

    /// The error of an attempt that another exchange follows.
    struct NextExchange: Error {}

    struct State: OrderedState {
        var opened: Opened?
        /// The request of the program, or its error, after the preparation of an exchange.
        var base: Result<URLRequest, any Error>?
        var exchange: UploadExchange?
        /// Whether the exchange has no response yet.
        var isOutstanding = false
        /// The number of bytes that the exchange has sent in its latest hop with a body.
        var sent: Int64 = 0
        /// The progress of the upload; `nil` if this run has sent nothing.
        var progress: TransferProgress?
        var lastWrite: ContinuousClock.Instant?
        /// The offset at which this run has started to send.
        var resumedBytes: Int64?
        /// The body of the response to the exchange; `nil` if it is too large.
        var body: [UInt8]? = []
        var isComplete = false
        /// Whether another exchange followed the latest response.
        var hasContinued = false
        /// The delay in seconds before that exchange, until the retrier is asked for it.
        var nextDelay: Double?
        /// Whether the attempt that starts next is that exchange.
        var isNextExchange = false
        /// The upload resources, without repetitions.
        var resources: [HTTPURL] = []
        /// The upload's main request; `nil` before it is attached, and after its end.
        weak var request: Request?
        var lanes: Lanes
    }

    /// The bytes of the upload.
    enum Contents {
        case file
        case stream(any UploadSource)
    }

    /// The state that opening the file creates.
    struct Opened {
        let source: any UploadContent
        /// The record; `nil` if there is none, or if the upload cannot be resumed.
        var record: UploadRecordFile?
        let url: HTTPURL
        let method: String
        var machine: any UploadStateMachine
        /// Whether no record has failed to be written.
        var isRecorded = true
        var events: [UploadEvent] = []
    }

    /// The maximum size of a response that the upload reads: a list of 1,000 parts is below 0.5 MB.
    static let maximumBody = 4 << 20

    let request: any URLRequestConvertible
    let contents: Contents
    /// The path of the file, or the name of a stream.
    let path: String
    let givenResumeData: Data?
    let options: Options
    let onEvent: @Sendable (UploadEvent) -> Void
    let state: OrderedMutex<State>

    /// Creates an upload; the file is opened with the first attempt.
    ///
    /// - Parameters:
    ///   - resumeData: The resume data of an earlier upload of the same file; `nil` to use the record, if there is one.
    ///   - onEvent: Called on any thread.
    public convenience init(
        of fileURL: URL,
        with request: any URLRequestConvertible,
        resumingWith resumeData: Data? = nil,
        options: Options = Options(),
        onEvent: @escaping @Sendable (UploadEvent) -> Void = { _ in }
    ) {
        self.init(.file, fileURL.path, request, resumeData, options, onEvent)
    }

    /// Creates an upload of bytes that are not in a file, which has no record.
    ///
    /// - Parameters:
    ///   - name: The name that servers of tus and errors receive.
    ///   - resumeData: The resume data of an earlier upload of the same version; `nil` for none.
    ///   - onEvent: Called on any thread.
    public convenience init(
        of source: any UploadSource,
        named name: String,
        with request: any URLRequestConvertible,
        resumingWith resumeData: Data? = nil,
        options: Options = Options(),
        onEvent: @escaping @Sendable (UploadEvent) -> Void = { _ in }
    ) {
        self.init(.stream(source), name, request, resumeData, options, onEvent)
    }

    private init(
        _ contents: Contents,
        _ path: String,
        _ request: any URLRequestConvertible,
        _ resumeData: Data?,
        _ options: Options,
        _ onEvent: @escaping @Sendable (UploadEvent) -> Void
    ) {
        (self.contents, self.path, self.request) = (contents, path, request)
        givenResumeData = resumeData
        self.options = options
        self.onEvent = onEvent
        state = OrderedMutex(State(lanes: Lanes(schedule: UploadLaneSchedule(width: options.segments))))
    }

    /// The data with which a later upload of the file can be resumed; `nil` if there is no upload resource, and after the
    /// end of a complete upload.
    public var resumeData: Data? {
        // Outside of the lock: the digest reads the file.
        let opened = state.withLock { $0.isComplete ? nil : $0.opened }
        return opened.flatMap { UploadRecord($0)?.json }
    }

    /// The event of the upload's end if a later one can resume it, with the record if this one stores one.
    package var interruption: UploadEvent? {
        state.withLock { state in
            guard !state.isComplete, let opened = state.opened, opened.machine.resource != nil,
                opened.source.isUnchanged, !options.storesRecord || opened.record != nil && opened.isRecorded
            else { return nil }
            return .interrupted(expiry: opened.machine.expiry.flatMap { $0 > HTTPDate(Date()) ? $0 : nil })
        }
    }

    /// Whether sending the request again is idempotent.
    package var isRepeatable: Bool { state.withLock { $0.opened?.machine.isRepeatable ?? false } }

    /// The progress of the upload in all its exchanges; `nil` if nothing was sent.
    package var progress: TransferProgress? { state.withLock(\.progress) }

    /// The URLs of the upload resources, which are secrets: they permit writing to the upload.
    package var resources: [HTTPURL] { state.withLock(\.resources) }

    /// Adds the checks of responses to a request, which must have this upload as its convertible and its interceptor.
    package func attach(to request: Request) {
        request.observeExchanges(with: self)
        request.addValidator { [unowned self] in failure(of: $0) }
        state.withLock { $0.request = request }
        if options.segments > 1 {
            request.observeState { [weak self] in self?.applyStateToLanes() }
        }
        // Before the handlers, which may upload the file again.
        request.whenFinished { [unowned self] _ in
            cancelLanes(isOver: true)
            // Otherwise, `laneDidEnd` unlocks the file.
            state.withLock { if $0.lanes.requests.isEmpty { $0.opened?.source.unlock() } }
            if let interruption { onEvent(interruption) }
        }
    }

    // The next exchange

    /// Returns the request of the next exchange.
    ///
    /// - Throws: ``UploadFailure``, or an error of the request itself.
    public func asURLRequest() throws -> URLRequest {
        let base = try state.withLock({ $0.base.take() })?.get() ?? request.asURLRequest()
        // Meanwhile, the response to a lane may have made another digest necessary.
        try prepare(base)
        let (request, events) = try state.withLock { state in
            guard var opened = state.opened else { throw UploadFailure(.noResource) }
            defer { state.opened = opened }
            if !opened.source.isUnchanged {
                opened.removeRecord()
                let failure = UploadFailure(.changedFile, path: path)
                guard opened.machine.abandon(with: failure) else { throw failure }
            }
            let exchange = opened.machine.nextExchange()
            state.add(opened.machine.secretResources)
            (state.exchange, state.isOutstanding, state.sent, state.body) = (exchange, true, 0, [])
            if exchange.step == .create, (opened.machine as? any ConcurrentUploadMachine)?.acknowledged ?? 0 == 0 {
                (state.resumedBytes, state.progress) = (0, nil)
            } else if exchange.step == .append, state.resumedBytes == nil {
                state.resumedBytes = exchange.precedingBytes
            }
            // A lost response to it needs the record.
            if exchange.step == .complete { opened.store() }
            return (exchange.request(from: base), opened.takeEvents())
        }
        events.forEach(onEvent)
        startLanes()
        return request
    }

    /// Returns the bytes of the exchange.
    ///
    /// - Throws: The error of an ``UploadSource`` that cannot be opened.
    public func createUploadable() throws -> UploadRequest.Uploadable {
        let exchange = state.withLock(\.exchange)
        guard let range = exchange?.range, !range.isEmpty else { return .data(Data(exchange?.content ?? [])) }
        return .body(try body(of: range))
    }

    /// Returns the body of a request that sends a range.
    func body(of range: Range<Int64>) throws -> BodySource {
        guard let source = state.withLock({ $0.opened?.source }) else { throw UploadFailure(.noResource) }
        return try source.body(of: range)
    }

    // Responses

    /// Returns whether another exchange follows a response, so that it is not the result. Its body is not needed.
    package func continues(after response: HTTPURLResponse) -> Bool {
        let isSent = isSent
        return state.withLock { state in
            guard state.isOutstanding, let machine = state.opened?.machine else { return state.hasContinued }
            return machine.continues(after: response, isSent: isSent)
        }
    }

    /// Whether all bytes of the exchange were sent.
    ///
    /// A redirect sends them again (307), or has none (303): then those of the hop before count.
    var isSent: Bool {
        let (request, exchange, sent) = state.withLock { ($0.request, $0.exchange, $0.sent) }
        let task = request?.task
        let sentOfHop = task?.body == nil ? sent : min(sent, task?.countOfBytesSent ?? 0)
        return sentOfHop >= Int64(exchange?.range?.count ?? 0)
    }

    private func failure(of response: HTTPURLResponse) -> AFError? {
        let isSent = isSent
        let (result, events) = state.withLock { state in receive(response, isSent: isSent, &state) }
        events.forEach(onEvent)
        let error: any Error
        switch result {
        case .success(.next): error = NextExchange()
        case .success: return nil
        case .failure(let failure): error = failure
        }
        return .responseValidationFailed(reason: .customValidationFailed(error: error))
    }

    private func receive(
        _ response: HTTPURLResponse,
        isSent: Bool,
        _ state: inout State
    ) -> (Result<UploadOutcome, UploadFailure>, [UploadEvent]) {
        guard state.isOutstanding, var opened = state.opened else { return (.success(.response), []) }
        state.isOutstanding = false
        let body = state.body
        let result = Result { () throws(UploadFailure) in
            try opened.machine.receive(response, body: body, isSent: isSent)
        }
        state.opened = opened
        state.add(opened.machine.secretResources)
        state.hasContinued = result != .success(.complete) && result != .success(.response)
        if case .success(.next(let delay)) = result { state.nextDelay = delay }
        if state.exchange?.step == .append, result == .success(.next(after: 0)) {
            state.lanes.schedule.record(.acknowledged)
        }
        switch result {
        case .success(.complete):
            state.opened?.removeRecord()
            // The server may have bytes of both versions.
            guard Safety.requires("35-change", opened.source.isUnchanged) else {
                return (.failure(UploadFailure(.changedFile, path: path)), state.takeEvents())
            }
            state.isComplete = true
        case .success: state.opened?.store()
        case .failure(let failure):
            if [.wrongOffset, .expired, .changedFile, .otherObject].contains(failure.reason) {
                state.opened?.removeRecord()
            } else {
                state.opened?.store()
            }
        }
        return (result, state.takeEvents())
    }

    /// Retries if another exchange follows: at once, or when it has something to do beside the lanes.
    public func retry(
        _ request: Request,
        for session: Session,
        dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        let next = state.withLock { state in
            let delay = state.nextDelay.take()
            // A repeated question about a locked upload is a retry.
            state.isNextExchange = delay == 0
            return delay
        }
        guard let delay = next else { return completion(.doNotRetry) }
        whenLanesPermit { completion(delay > 0 ? .retryWithDelay(delay) : .retry) }
    }

    /// Returns the request unchanged.
    public func adapt(
        _ urlRequest: URLRequest,
        for session: Session,
        completion: @escaping @Sendable (_ result: Result<URLRequest, any Error>) -> Void
    ) {
        completion(.success(urlRequest))
    }
}

extension ResumableUpload.State {
    /// Returns the events since the last call.
    mutating func takeEvents() -> [UploadEvent] { opened?.takeEvents() ?? [] }

    /// Adds upload resources.
    mutating func add(_ new: [HTTPURL]) { resources += new.filter { !resources.contains($0) } }
}
