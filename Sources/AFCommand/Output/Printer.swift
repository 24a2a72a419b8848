internal import AFCore
internal import AFFormatting
internal import AFHTTP
internal import AFJSON
internal import Synchronization

/// Writes messages in the order they are received.
///
/// Methods must be called on ``queue``. After a failure of the output nothing more is written; see ``failure``.
final class Printer: Sendable {
    fileprivate struct State: ~Copyable {
        var buffer: OutputBuffer
        var body: BodyFormatter?
        /// The filter of the body, and after its end the result.
        var filter: (any BodySelecting)?
        /// The parser of an event stream, of which the filter reads the data of each event.
        var events: EventStreamParser?
        /// The decoder of the body; `nil` if it is written unchanged.
        var decoder: BodyDecoder?
        /// Whether the reader waits for each chunk of the body: events and records must be shown immediately.
        var isLive = false
        /// Whether the body is only searched: its filter reports whether it selects something.
        var hidesBody = false
        /// Whether the output ends with a body that must be separated from later output.
        var isAfterBody = false
        /// The time of the last flush of filtered values, in nanoseconds.
        var flushTime: UInt64 = 0
        var failure: OutputFailure?
    }

    let queue: CallbackQueue
    let plan: OutputPlan
    private let state: Mutex<State>
    private let messages: Messages

    init(_ plan: OutputPlan, on queue: CallbackQueue, output: any ByteOutput, messages: Messages) {
        self.queue = queue
        self.plan = plan
        self.messages = messages
        state = Mutex(State(buffer: OutputBuffer(output)))
    }

    var failure: OutputFailure? { state.withLock { $0.failure } }

    func showHead(_ head: [UInt8]) {
        let shown = masked(head)
        write { state in
            state.separate()
            plan.heads.format(shown, into: &state.buffer)
        }
    }

    /// Returns a header with its secrets masked, and notes it once.
    private func masked(_ head: [UInt8]) -> [UInt8] {
        guard let masked = plan.headRedaction?.maskedHead(head) else { return head }
        noteMaskedSecrets()
        return masked
    }

    /// Returns trailers with their secrets masked, and notes it once.
    private func masked(_ trailers: HTTPHeaders) -> HTTPHeaders {
        guard let redaction = plan.headRedaction else { return trailers }
        let masked = HTTPHeaders(repeating: trailers.map { HTTPHeader(name: $0.name, value: redaction.value(of: $0)) })
        if masked != trailers { noteMaskedSecrets() }
        return masked
    }

    private func noteMaskedSecrets() {
        messages.noteOnce("secrets of the headers are masked; --show-secrets shows them")
    }

    func showHead(startLine: String, headers: HTTPHeaders) {
        showHead(HeadFormatter.head(startLine: startLine, headers: headers))
    }

    func showTrailers(_ trailers: HTTPHeaders) {
        let shown = masked(trailers)
        write { state in
            state.separate()
            plan.heads.format(trailers: shown, isSeparated: !plan.isSeamless, into: &state.buffer)
        }
    }

    /// Starts a body; its chunks follow.
    ///
    /// - Parameters:
    ///   - charset: The charset that overrides the media type's.
    ///   - isCoded: Whether the bytes have a `Content-Encoding`, so that they are not text.
    ///   - filter: The filter; `nil` if the complete body is shown.
    ///   - summary: Returns the size and the type of a binary body.
    func beginBody(
        of type: MediaType?, charset: String? = nil, isCoded: Bool = false, filter: BodySelection? = nil,
        summary: @escaping @Sendable () -> String? = { nil }
    ) {
        write { state in
            state.separate()
            state.filter = filter?.start(plan.bodies, isRaw: plan.isRaw, endsLines: !plan.isForTerminal)
            state.hidesBody = filter != nil && !plan.parts.contains(.responseBody)
            let kind = isCoded ? .binary : BodyKind(type)
            state.isLive = kind == .eventStream || kind == .ndjson
            let limit = plan.bodies.holdingLimit
            state.events =
                kind == .eventStream && filter?.readsEvents == true
                ? EventStreamParser(lastEventID: "", maximumEventSize: limit) : nil
            state.body = BodyFormatter(kind: kind, presentation: plan.bodies, summary: summary)
            state.decoder =
                plan.bodies.isVerbatim && filter == nil
                ? nil : BodyDecoder(of: kind, charset: charset ?? type?.charset)
        }
    }

    /// Starts the body of a request; its chunks follow.
    func beginBody(ofRequest headers: HTTPHeaders) {
        let coding = headers.value(for: "Content-Encoding")?.lowercased() ?? "identity"
        beginBody(
            of: headers.value(for: "Content-Type").flatMap(MediaType.init(parsing:)), isCoded: coding != "identity")
    }

    func showBody(_ bytes: UnsafeRawBufferPointer) {
        write { state throws(OutputFailure) in
            guard let text = state.decoder?.decode(bytes) else { return try state.consume(bytes) }
            try state.consume(text)
        }
    }

    /// Whether the body is not shown, so that it need not be read further.
    var isBodySuppressed: Bool { state.withLock { $0.body?.isBinary ?? false } }

    /// The result of the filter of the last body; `nil` if the complete body was shown.
    var filter: SelectionResult? { state.withLock { $0.filter?.result } }

    /// The reason why the rest of the body is not filtered.
    var filterProblem: SelectionProblem? { state.withLock { $0.filter?.problem } }

    func endBody() {
        var warning: String?
        write { state throws(OutputFailure) in
            if let rest = state.decoder?.finish() { try state.consume(rest) }
            state.decoder = nil
            try state.finish()
            warning = state.filter?.warning ?? state.body?.warning
            (state.body, state.isLive) = (nil, false)
            if state.hidesBody || state.filter?.matchCount == 0 { return }
            if plan.isForTerminal { state.buffer.append("\n\n") } else { state.isAfterBody = !plan.isSeamless }
        }
        flush()
        if let warning { messages.warning(warning) }
    }

    /// Shows a message of a WebSocket connection; JSON is formatted like a body.
    ///
    /// - Parameters:
    ///   - isLine: Whether a line end follows.
    ///   - filter: The filter; `nil` if the complete message is shown.
    /// - Returns: The filter with its result. It selects nothing from a message that is not JSON.
    @discardableResult
    func showMessage(_ bytes: UnsafeRawBufferPointer, isLine: Bool, filter: BodySelection?) -> SelectionResult? {
        var result: SelectionResult?
        let isShown = plan.parts.contains(.responseBody)
        write { state throws(OutputFailure) in
            if let filter {
                var filter = filter.start(plan.bodies, isRaw: plan.isRaw, endsLines: true)
                var nowhere = OutputBuffer(DiscardedOutput())
                if isShown {
                    try filter.consume(bytes, into: &state.buffer)
                    try filter.finish(into: &state.buffer)
                } else {
                    try filter.consume(bytes, into: &nowhere)
                    try filter.finish(into: &nowhere)
                }
                result = filter.result
            } else if isShown {
                var formatter = BodyFormatter(kind: .unknown, presentation: plan.bodies)
                try formatter.consume(bytes, into: &state.buffer)
                try formatter.finish(into: &state.buffer)
                if isLine { state.buffer.append("\n") }
            }
        }
        flush()
        return result
    }

    func showText(_ text: String) {
        write { state in
            state.separate()
            state.buffer.append(text)
        }
        flush()
    }

    func flush() {
        state.withLock { state in
            guard state.failure == nil else { return }
            do throws(OutputFailure) { try state.buffer.flush() } catch { state.failure = error }
        }
    }

    private func write(_ body: (inout State) throws(OutputFailure) -> Void) {
        state.withLock { state in
            guard state.failure == nil else { return }
            do throws(OutputFailure) {
                try body(&state)
                try plan.isFlushed || state.isLive || state.isFlushDue ? state.buffer.flush() : state.buffer.drain()
            } catch {
                state.failure = error
            }
        }
    }
}

extension Printer.State {
    /// Whether filtered values must be flushed: the body may be endless without another one. At most ten times a second.
    fileprivate var isFlushDue: Bool {
        mutating get {
            guard filter != nil, case let now = monotonicNanoseconds(), now - flushTime > 100_000_000 else {
                return false
            }
            flushTime = now
            return true
        }
    }

    fileprivate mutating func consume(_ text: [UInt8]) throws(OutputFailure) {
        // Only this accessor rethrows typed errors.
        try text.withUnsafeBufferPointer { bytes throws(OutputFailure) in
            try consume(UnsafeRawBufferPointer(bytes))
        }
    }

    fileprivate mutating func consume(_ bytes: UnsafeRawBufferPointer) throws(OutputFailure) {
        guard filter != nil else {
            try body?.consume(bytes, into: &buffer)
            return
        }
        guard events == nil else { return try filterEvents(in: bytes) }
        try filterText(bytes)
    }

    private mutating func filterText(_ bytes: UnsafeRawBufferPointer) throws(OutputFailure) {
        guard hidesBody else {
            try filter?.consume(bytes, into: &buffer)
            return
        }
        var nowhere = OutputBuffer(DiscardedOutput())
        try filter?.consume(bytes, into: &nowhere)
    }

    /// Filters the data of each complete event; data that is not JSON, such as `[DONE]`, is skipped.
    private mutating func filterEvents(in bytes: UnsafeRawBufferPointer) throws(OutputFailure) {
        events?.append(bytes)
        if !bytes.isEmpty { filter?.recordOtherInput() }
        while true {
            let event: ServerSentEvent?
            do throws(StreamLimitExceeded) {
                event = try events?.next()
            } catch {
                filter?.failTooLarge(limit: error.limit)
                return
            }
            guard let event else { return }
            // Only the value, as a byte order mark and a guard may precede only the first text.
            guard var cursor = try? JSONCursor(Array(event.data.utf8), acceptsGuard: true) else { continue }
            let text = cursor.bytes(cursor.skipValue()) + [UInt8(ascii: "\n")]
            try text.withUnsafeBufferPointer { data throws(OutputFailure) in
                try filterText(UnsafeRawBufferPointer(data))
            }
        }
    }

    fileprivate mutating func finish() throws(OutputFailure) {
        guard filter != nil else {
            try body?.finish(into: &buffer)
            return
        }
        guard hidesBody else {
            try filter?.finish(into: &buffer)
            return
        }
        var nowhere = OutputBuffer(DiscardedOutput())
        try filter?.finish(into: &nowhere)
    }

    /// Writes two line ends between a message's body and the next message.
    fileprivate mutating func separate() {
        if isAfterBody { buffer.append("\n\n") }
        isAfterBody = false
    }
}
