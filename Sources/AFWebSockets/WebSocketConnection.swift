internal import AFHTTP
@_spi(Requests) internal import AFRequests
internal import AFTransport
internal import Dispatch
internal import FoundationEssentials
internal import Synchronization

/// The WebSocket protocol of one attempt: the frames to send, as a body that the transport reads after the handshake,
/// and the reader of received ones.
///
/// Messages are sent in the order of ``send(_:)``; a control frame follows the current frame.
final class WebSocketConnection: UpgradeStream {
    /// A message to be sent.
    struct PendingMessage: Sendable {
        let message: WebSocketMessage
        /// Called once, when the message was passed to the network or cannot be sent.
        let completion: @Sendable (Result<Void, any Error>) -> Void
    }

    fileprivate struct Frame {
        let bytes: [UInt8]
        var outgoing: PendingMessage?
    }

    /// Held while a message is compressed and masked, so that their order is that of the frames.
    fileprivate struct Encoder: ~Copyable {
        /// The messages that wait for the handshake.
        var waiting: [PendingMessage] = []
        var isOpen = false
        /// Whether the attempt has ended: its messages were taken for another one.
        var isAbandoned = false
        /// A Close frame that follows the messages that wait.
        var close: (code: WebSocketCloseCode, reason: Data)?
        var deflater: WebSocketDeflater?
    }

    private struct Output {
        var control = FIFO<[UInt8]>()
        /// The answer to the latest ping: earlier ones need none (RFC 6455 §5.5.3).
        var pong: [UInt8]?
        var messages = FIFO<Frame>()
        /// The Close frame, after which nothing is sent.
        var close: [UInt8]?
        /// Whether the Close frame was created; later messages are refused.
        var isClosing = false
        var current: Frame?
        var offset = 0
        var hasStarted = false
        var whenReady: (@Sendable () -> Void)?
        /// Whether bytes were passed to the network, and a ping waited, since and at the last ``WebSocketConnection/isPingDelayed()``.
        var hasProgressed = false
        var wasPingWaiting = false

        mutating func nextFrame() -> Frame? {
            if let pong = pong.take() { return Frame(bytes: pong) }
            if let frame = control.popFirst() { return Frame(bytes: frame) }
            return messages.popFirst() ?? close.take().map { Frame(bytes: $0) }
        }
    }

    private struct Status {
        var isOpen = false
        var hasReceivedClose = false
        var failure: WebSocketError?
    }

    private let maximumMessageSize: Int
    private let encoder = Mutex(Encoder())
    private let output = Mutex(Output())
    private let status = Mutex(Status())
    /// The monotonic times in nanoseconds at which a byte of a message, and any byte, was last sent or received.
    private let lastMessageByte = Atomic<UInt64>(0)
    private let lastByte = Atomic<UInt64>(0)
    /// Used on the transport's thread only.
    private nonisolated(unsafe) var reader: WebSocketReader

    init(maximumMessageSize: Int) {
        self.maximumMessageSize = maximumMessageSize
        reader = WebSocketReader(maximumMessageSize: maximumMessageSize)
    }

    /// The seconds since a byte of a message was sent or received, or since ``noteMessageBytes()``.
    var messageSilence: Double { Self.seconds(since: lastMessageByte) }
    /// The seconds since any byte was sent or received, or since ``close(_:reason:isImmediate:)``.
    var silence: Double { Self.seconds(since: lastByte) }

    private static func seconds(since time: borrowing Atomic<UInt64>) -> Double {
        // First: another thread may set it later.
        let last = time.load(ordering: .relaxed)
        return Double(monotonicNanoseconds() - last) / 1e9
    }

    func noteMessageBytes() {
        noteBytes()
        lastMessageByte.store(monotonicNanoseconds(), ordering: .relaxed)
    }

    private func noteBytes() { lastByte.store(monotonicNanoseconds(), ordering: .relaxed) }

    /// Whether the handshake was completed.
    var isOpen: Bool { status.withLock { $0.isOpen } }
    /// Whether the server has closed the connection in order.
    var hasReceivedClose: Bool { status.withLock { $0.hasReceivedClose && $0.failure == nil } }
    /// The first failure.
    var failure: WebSocketError? { status.withLock { $0.failure } }

    /// Starts sending and receiving messages after the handshake.
    ///
    /// - Parameter queue: Encodes the messages that have waited, if they are large.
    func open(_ parameters: WebSocketHandshake.NegotiatedParameters, on queue: DispatchQueue) {
        if let compression = parameters.compression {
            reader = WebSocketReader(
                maximumMessageSize: maximumMessageSize, inflater: WebSocketInflater(compression))
        }
        noteMessageBytes()
        status.withLock { $0.isOpen = true }
        let size = encoder.withLock { encoder in
            encoder.deflater = parameters.compression.flatMap(WebSocketDeflater.init)
            return encoder.waiting.reduce(0) { $0 + $1.message.count }
        }
        if size > 64 << 10 { queue.async { self.startEncoding() } } else { startEncoding() }
    }

    private func startEncoding() {
        let close = encoder.withLock { encoder in
            encoder.isOpen = true
            for outgoing in encoder.waiting { enqueue(encoder.frame(for: outgoing)) }
            encoder.waiting = []
            return encoder.close.take()
        }
        if let close { self.close(close.code, reason: close.reason, isImmediate: false) }
    }

    // Sending

    /// Sends a message, after the handshake.
    ///
    /// - Returns: Whether the connection takes it: `false` after ``takeUnsent()``.
    func send(_ outgoing: PendingMessage) -> Bool {
        encoder.withLock { encoder in
            if encoder.isAbandoned { return false }
            if encoder.isOpen { enqueue(encoder.frame(for: outgoing)) } else { encoder.waiting.append(outgoing) }
            return true
        }
    }

    /// Whether a Close frame was created.
    var isClosing: Bool { output.withLock { $0.isClosing } }

    /// Whether the last ping was not sent, or was not sent at the previous call, because other bytes were. Must be called
    /// once per interval.
    func isPingDelayed() -> Bool {
        output.withLock { output in
            let isWaiting = !output.control.isEmpty
            defer { (output.wasPingWaiting, output.hasProgressed) = (isWaiting, false) }
            return isWaiting ? output.hasProgressed : output.wasPingWaiting
        }
    }

    private func enqueue(_ frame: Frame) {
        let (isRefused, wake) = output.withLock { output in
            if output.isClosing { return (true, nil as (@Sendable () -> Void)?) }
            output.messages.append(frame)
            return (false, output.whenReady.take())
        }
        if isRefused { frame.outgoing?.completion(.failure(WebSocketError.isClosed)) }
        wake?()
    }

    /// Sends a ping; returns `false` if the connection is not open.
    func ping(_ payload: [UInt8]) -> Bool {
        guard isOpen else { return false }
        return sendControl { $0.control.append(WebSocketFrame.encode(.ping, payload)) }
    }

    /// Answers a ping.
    func pong(_ payload: [UInt8]) { _ = sendControl { $0.pong = WebSocketFrame.encode(.pong, payload) } }

    private func sendControl(_ append: (inout Output) -> Void) -> Bool {
        let (isSent, wake) = output.withLock { output in
            if output.isClosing { return (false, nil as (@Sendable () -> Void)?) }
            append(&output)
            return (true, output.whenReady.take())
        }
        wake?()
        return isSent
    }

    /// Sends a Close frame, the last one. A second call has no effect.
    ///
    /// - Parameters:
    ///   - code: The code; the frame has none if it must not be sent.
    ///   - isImmediate: Whether messages that wait are dropped.
    func close(_ code: WebSocketCloseCode, reason: Data = Data(), isImmediate: Bool) {
        let isDeferred = encoder.withLock { encoder in
            guard !isImmediate, !encoder.isOpen else { return false }
            encoder.close = (code, reason)
            return true
        }
        if isDeferred { return }
        noteBytes()
        var payload: [UInt8] = []
        if code.isSendable {
            payload = [UInt8(code.rawValue >> 8), UInt8(code.rawValue & 0xFF)] + reason.closeReason
        }
        let (dropped, wake) = output.withLock { output -> ([Frame], (@Sendable () -> Void)?) in
            guard !output.isClosing else { return ([], nil) }
            output.isClosing = true
            output.close = WebSocketFrame.encode(.close, payload)
            var dropped: [Frame] = []
            if isImmediate { while let frame = output.messages.popFirst() { dropped.append(frame) } }
            return (dropped, output.whenReady.take())
        }
        wake?()
        for frame in dropped { frame.outgoing?.completion(.failure(WebSocketError.isClosed)) }
    }

    // The body

    func read(
        into buffer: UnsafeMutableRawBufferPointer,
        whenReady: @escaping @Sendable () -> Void
    ) throws -> BodyRead {
        var sent: [PendingMessage] = []
        var isMessage = false
        let result = output.withLock { output -> BodyRead in
            output.hasStarted = true
            var count = 0
            while count < buffer.count {
                if output.current == nil { (output.current, output.offset) = (output.nextFrame(), 0) }
                guard let frame = output.current else { break }
                let length = min(buffer.count - count, frame.bytes.count - output.offset)
                frame.bytes.withUnsafeBytes {
                    let chunk = UnsafeRawBufferPointer(rebasing: $0[output.offset..<output.offset + length])
                    UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).copyMemory(from: chunk)
                }
                output.offset += length
                count += length
                isMessage = isMessage || frame.outgoing != nil
                if output.offset == frame.bytes.count {
                    if let outgoing = frame.outgoing { sent.append(outgoing) }
                    output.current = nil
                }
            }
            if count > 0 {
                output.hasProgressed = true
                return .bytes(count)
            }
            if output.isClosing { return .end }
            output.whenReady = whenReady
            return .notYet
        }
        if isMessage { noteMessageBytes() } else if case .bytes = result { noteBytes() }
        for outgoing in sent { outgoing.completion(.success(())) }
        return result
    }

    func renewFields(of headers: inout HTTPHeaders) { WebSocketHandshake.renewKey(in: &headers) }

    func rewind() -> Bool { output.withLock { !$0.hasStarted } }

    // Receiving

    /// Reads bytes of the server; after its Close frame or a violation they are ignored.
    ///
    /// - Returns: The messages and control frames.
    func receive(_ bytes: UnsafeRawBufferPointer) -> [WebSocketReader.Item] {
        guard status.withLock({ !$0.hasReceivedClose && $0.failure == nil }) else { return [] }
        var items: [WebSocketReader.Item] = []
        do throws(WebSocketError) { try reader.read(bytes) { items.append($0) } } catch { fail(error) }
        let isMessage = reader.isWithinMessage || items.contains { if case .message = $0 { true } else { false } }
        if isMessage { noteMessageBytes() } else { noteBytes() }
        if case .close? = items.last, reader.isWithinMessage {
            fail(WebSocketError(.incompleteMessage, "the server closed the connection within a message"))
        }
        return items
    }

    /// Answers the server's Close frame.
    func receiveClose(_ code: WebSocketCloseCode) {
        status.withLock { $0.hasReceivedClose = true }
        close(code, isImmediate: true)
    }

    /// Records a failure, and closes the connection with its code.
    func fail(_ error: WebSocketError) {
        status.withLock { $0.failure = $0.failure ?? error }
        if let code = error.closeCode { close(code, isImmediate: true) }
    }

    // The end

    /// Removes and returns the messages that were not passed to the network completely.
    func takeUnsent() -> [PendingMessage] {
        // Messages that are being encoded are in the queue afterwards.
        let waiting = encoder.withLock { encoder in
            encoder.isAbandoned = true
            defer { encoder.waiting = [] }
            return encoder.waiting
        }
        let unsent = output.withLock { output in
            output.isClosing = true
            var frames = [output.current].compactMap(\.self)
            output.current = nil
            while let frame = output.messages.popFirst() { frames.append(frame) }
            return frames.compactMap(\.outgoing)
        }
        return unsent + waiting
    }
}

extension WebSocketConnection.Encoder {
    /// Compresses and masks a message.
    fileprivate func frame(for outgoing: WebSocketConnection.PendingMessage) -> WebSocketConnection.Frame {
        let bytes =
            switch outgoing.message {
            case .data(let data): data.withUnsafeBytes { encode(.binary, $0) }
            case .string(var text): text.withUTF8 { encode(.text, UnsafeRawBufferPointer($0)) }
            }
        return WebSocketConnection.Frame(bytes: bytes, outgoing: outgoing)
    }

    private func encode(_ opcode: WebSocketOpcode, _ payload: UnsafeRawBufferPointer) -> [UInt8] {
        // zlib counts in 32 bits.
        guard let deflater, (WebSocketDeflater.minimumSize...Int(UInt32.max)).contains(payload.count) else {
            return WebSocketFrame.encode(opcode, payload)
        }
        let compressed = deflater.deflate(payload)
        return compressed.withUnsafeBytes { WebSocketFrame.encode(opcode, isCompressed: true, $0) }
    }
}

extension WebSocketFrame {
    /// Returns a control frame.
    fileprivate static func encode(_ opcode: WebSocketOpcode, _ payload: [UInt8]) -> [UInt8] {
        payload.withUnsafeBytes { encode(opcode, $0) }
    }
}

extension WebSocketError {
    fileprivate static var isClosed: Self { Self(.closed, "the connection was closed before the message was sent") }
}

extension Data {
    /// The reason for a Close frame: at most 123 bytes of UTF-8 (RFC 6455 §5.5.1).
    fileprivate var closeReason: [UInt8] {
        var text = Substring(String(decoding: self, as: UTF8.self))
        while text.utf8.count > WebSocketFrame.maximumControlPayload - 2 { text.removeLast() }
        return Array(text.utf8)
    }
}
