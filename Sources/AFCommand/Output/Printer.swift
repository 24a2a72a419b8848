internal import AFCore
internal import AFHTTP
internal import Synchronization

/// Writes messages in the order they are received.
///
/// Methods must be called on ``queue``. After a failure of the output nothing more is written; see ``failure``.
final class Printer: Sendable {
    fileprivate struct Contents: ~Copyable {
        var buffer: OutputBuffer
        var body: BodyFormatter?
        /// The decoder for a body that is not UTF-8.
        var decoder: CharsetDecoder?
        /// The kind of the body, until its first bytes were checked for a declared charset.
        var undecidedKind: BodyKind?
        /// Whether the reader waits for each chunk of the body: events and records must be shown immediately.
        var isLive = false
        /// Whether the output ends with a body that must be separated from later output.
        var isAfterBody = false
        var failure: OutputFailure?
    }

    let queue: CallbackQueue
    let plan: OutputPlan
    private let contents: Mutex<Contents>
    private let messages: Messages

    init(_ plan: OutputPlan, on queue: CallbackQueue, output: any ByteOutput, messages: Messages) {
        self.queue = queue
        self.plan = plan
        self.messages = messages
        contents = Mutex(Contents(buffer: OutputBuffer(output)))
    }

    var failure: OutputFailure? { contents.withLock { $0.failure } }

    func showHead(_ head: [UInt8]) {
        write { contents in
            contents.separate()
            plan.heads.format(head, into: &contents.buffer)
        }
    }

    func showHead(startLine: String, headers: HTTPHeaders) {
        write { contents in
            contents.separate()
            plan.heads.format(startLine: startLine, headers: headers, into: &contents.buffer)
        }
    }

    /// Starts a body; its chunks follow.
    ///
    /// - Parameter charset: The charset that overrides the media type's.
    func beginBody(of type: MediaType?, charset: String? = nil) {
        write { contents in
            contents.separate()
            let kind = BodyKind(type)
            contents.isLive = kind == .eventStream || kind == .ndjson
            contents.body = BodyFormatter(kind: kind, presentation: plan.bodies)
            (contents.decoder, contents.undecidedKind) = (nil, nil)
            guard !plan.bodies.isVerbatim else { return }
            guard let charset = charset ?? type?.parameter("charset") else { return contents.undecidedKind = kind }
            if !["utf-8", "us-ascii"].contains(charset.lowercased()) { contents.decoder = CharsetDecoder(charset) }
        }
    }

    func showBody(_ bytes: UnsafeRawBufferPointer) {
        write { contents throws(OutputFailure) in
            if let kind = contents.undecidedKind.take() {
                contents.decoder = DeclaredCharset.find(in: bytes, of: kind).flatMap { CharsetDecoder($0) }
            }
            guard let decoder = contents.decoder else {
                try contents.body?.consume(bytes, into: &contents.buffer)
                return
            }
            try contents.consume(decoder.decode(bytes))
        }
    }

    /// Whether the body is not shown, so that it need not be read further.
    var isBodySuppressed: Bool { contents.withLock { $0.body?.isBinary ?? false } }

    func endBody() {
        var warning: String?
        write { contents throws(OutputFailure) in
            if let decoder = contents.decoder.take() { try contents.consume(decoder.finish()) }
            try contents.body?.finish(into: &contents.buffer)
            warning = contents.body?.warning
            (contents.body, contents.isLive) = (nil, false)
            if plan.isForTerminal { contents.buffer.append("\n\n") } else { contents.isAfterBody = true }
        }
        flush()
        if let warning { messages.warning(warning) }
    }

    func showText(_ text: String) {
        write { contents in
            contents.separate()
            contents.buffer.append(text)
        }
        flush()
    }

    func flush() {
        contents.withLock { contents in
            guard contents.failure == nil else { return }
            do throws(OutputFailure) { try contents.buffer.flush() } catch { contents.failure = error }
        }
    }

    private func write(_ body: (inout Contents) throws(OutputFailure) -> Void) {
        contents.withLock { contents in
            guard contents.failure == nil else { return }
            do throws(OutputFailure) {
                try body(&contents)
                try plan.isFlushed || contents.isLive ? contents.buffer.flush() : contents.buffer.drain()
            } catch {
                contents.failure = error
            }
        }
    }
}

extension Printer.Contents {
    fileprivate mutating func consume(_ text: [UInt8]) throws(OutputFailure) {
        // Only this accessor rethrows typed errors.
        try text.withUnsafeBufferPointer { bytes throws(OutputFailure) in
            try body?.consume(UnsafeRawBufferPointer(bytes), into: &buffer)
        }
    }

    /// Writes two line ends between a message's body and the next message.
    fileprivate mutating func separate() {
        if isAfterBody { buffer.append("\n\n") }
        isAfterBody = false
    }
}
