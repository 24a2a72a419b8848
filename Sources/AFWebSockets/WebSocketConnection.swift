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
    private struct State: OrderedState {
        static var outerState: (any OrderedState.Type)? { WebSocketRequest.WebSocketState.self }

        var output = WebSocketOutput()
        var hasReceivedClose = false
        var failure: WebSocketError?
        /// The monotonic times in nanoseconds at which a byte of a message, and any byte, was last sent or received.
        var lastMessageByte: UInt64 = 0
        var lastByte: UInt64 = 0

        mutating func recordBytes(ofMessage isMessage: Bool) {
            lastByte = monotonicNanoseconds()
            if isMessage { lastMessageByte = lastByte }
        }
    }

    private let maximumMessageSize: Int
    private let state = OrderedMutex(State())
    /// Used by the caller that encodes, one at a time.
    private nonisolated(unsafe) var deflater: WebSocketDeflater?
    /// Used on the transport's thread only.
    private nonisolated(unsafe) var reader: WebSocketReader

    init(maximumMessageSize: Int) {
        self.maximumMessageSize = maximumMessageSize
        reader = WebSocketReader(maximumMessageSize: maximumMessageSize)
    }

    /// The seconds since a byte of a message was sent or received, or since ``recordMessageBytes()``.
    var messageSilence: Double { state.withLock { Self.seconds(since: $0.lastMessageByte) } }
    /// The seconds since any byte was sent or received, or since ``close(_:reason:isImmediate:)``.
    var silence: Double { state.withLock { Self.seconds(since: $0.lastByte) } }

    private static func seconds(since time: UInt64) -> Double { Double(monotonicNanoseconds() - time) / 1e9 }

    func recordMessageBytes() { state.withLock { $0.recordBytes(ofMessage: true) } }

    /// Whether the handshake was completed.
    var isOpen: Bool { state.withLock { $0.output.isOpen } }
    /// Whether a Close frame was created.
    var isClosing: Bool { state.withLock { $0.output.isClosing } }
    /// Whether the server has closed the connection in order.
    var hasReceivedClose: Bool { state.withLock { $0.hasReceivedClose && $0.failure == nil } }
    /// The first failure.
    var failure: WebSocketError? { state.withLock { $0.failure } }

    /// Starts sending and receiving messages after the handshake.
    func open(_ parameters: WebSocketHandshake.NegotiatedParameters) {
        if let compression = parameters.compression {
            reader = WebSocketReader(
                maximumMessageSize: maximumMessageSize, inflater: WebSocketInflater(compression))
        }
        deflater = parameters.compression.flatMap(WebSocketDeflater.init)
        let waiting = state.withLock { state in
            state.recordBytes(ofMessage: true)
            return state.output.open()
        }
        guard let (first, size) = waiting else { return }
        if size > 64 << 10 { encodeLater(first) } else { encode(first) }
    }

    // Sending

    /// Sends a message, after the handshake.
    ///
    /// - Returns: Whether the connection takes it: `false` after ``takeUnsent()``.
    func send(_ message: WebSocketOutput.PendingMessage) -> Bool {
        switch state.withLock({ $0.output.send(message) }) {
        case .encode(let message): encode(message)
        case .wait: break
        case .fail: message.completion(.failure(WebSocketError.isClosed))
        case .reject: return false
        }
        return true
    }

    /// Compresses and masks a message, without the lock: the transport reads meanwhile.
    private func encode(_ message: WebSocketOutput.PendingMessage) {
        let frame = frame(for: message.message)
        let (next, wake) = state.withLock { $0.output.encoded(frame) }
        wake?()
        // Not on this thread, the transport's or a sender's: others may send without end.
        if let next { encodeLater(next) }
    }

    private func encodeLater(_ message: WebSocketOutput.PendingMessage) {
        DispatchQueue.global().async { self.encode(message) }
    }

    private func frame(for message: WebSocketMessage) -> [UInt8] {
        switch message {
        case .data(let data): data.withUnsafeBytes { encode(.binary, $0) }
        case .string(var text): text.withUTF8 { encode(.text, UnsafeRawBufferPointer($0)) }
        }
    }

    private func encode(_ opcode: WebSocketOpcode, _ payload: UnsafeRawBufferPointer) -> [UInt8] {
        // zlib counts in 32 bits.
        guard let deflater, (WebSocketDeflater.minimumSize...Int(UInt32.max)).contains(payload.count) else {
            return WebSocketFrame.encode(opcode, payload)
        }
        let compressed = deflater.deflate(payload)
        return compressed.withUnsafeBytes { WebSocketFrame.encode(opcode, isCompressed: true, $0) }
    }

    /// Whether the last ping was not sent, or was not sent at the previous call, because other bytes were. Must be called
    /// once per interval.
    func isPingDelayed() -> Bool { state.withLock { $0.output.isPingDelayed() } }

    /// Sends a ping; returns `false` if the connection is not open.
    func ping(_ payload: [UInt8]) -> Bool {
        let frame = WebSocketFrame.encode(.ping, payload)
        let (isSent, wake) = state.withLock { $0.output.ping(frame) }
        wake?()
        return isSent
    }

    /// Responds to a ping.
    func pong(_ payload: [UInt8]) {
        let frame = WebSocketFrame.encode(.pong, payload)
        state.withLock { $0.output.pong(frame) }?()
    }

    /// Sends a Close frame, the last one. A second call has no effect.
    ///
    /// - Parameters:
    ///   - code: The code; the frame has none if it must not be sent.
    ///   - isImmediate: Whether messages that wait are dropped.
    func close(_ code: WebSocketCloseCode, reason: Data = Data(), isImmediate: Bool) {
        var payload: [UInt8] = []
        if code.isSendable {
            payload = [UInt8(code.rawValue >> 8), UInt8(code.rawValue & 0xFF)] + reason.closeReason
        }
        let frame = WebSocketFrame.encode(.close, payload)
        let (dropped, wake) = state.withLock { state in
            state.recordBytes(ofMessage: false)
            return state.output.close(frame, isImmediate: isImmediate)
        }
        wake?()
        for message in dropped { message.completion(.failure(WebSocketError.isClosed)) }
    }

    // The body

    func read(
        into buffer: UnsafeMutableRawBufferPointer,
        whenReady: @escaping @Sendable () -> Void
    ) throws -> BodyRead {
        let reading = state.withLock { state in
            let reading = state.output.read(into: buffer, whenReady: whenReady)
            if case .bytes = reading.result { state.recordBytes(ofMessage: reading.hasMessage) }
            return reading
        }
        for message in reading.sent { message.completion(.success(())) }
        return reading.result
    }

    func renewFields(of headers: inout HTTPHeaders) { WebSocketHandshake.renewKey(in: &headers) }

    func rewind() -> Bool { state.withLock { $0.output.isUnread } }

    // Receiving

    /// Reads bytes of the server; after its Close frame or a violation they are ignored.
    ///
    /// - Returns: The messages and control frames.
    func receive(_ bytes: UnsafeRawBufferPointer) -> [WebSocketReader.Item] {
        guard state.withLock({ !$0.hasReceivedClose && $0.failure == nil }) else { return [] }
        var items: [WebSocketReader.Item] = []
        do throws(WebSocketError) { try reader.read(bytes) { items.append($0) } } catch { fail(error) }
        let isMessage = reader.isWithinMessage || items.contains { if case .message = $0 { true } else { false } }
        state.withLock { $0.recordBytes(ofMessage: isMessage) }
        if case .close? = items.last, reader.isWithinMessage {
            fail(WebSocketError(.incompleteMessage, "the server closed the connection within a message"))
        }
        return items
    }

    /// Responds to the server's Close frame.
    func receiveClose(_ code: WebSocketCloseCode) {
        state.withLock { $0.hasReceivedClose = true }
        close(code, isImmediate: true)
    }

    /// Records a failure, and closes the connection with its code.
    func fail(_ error: WebSocketError) {
        state.withLock { $0.failure = $0.failure ?? error }
        if let code = error.closeCode { close(code, isImmediate: true) }
    }

    // The end

    /// Removes and returns the messages that were not passed to the network completely.
    func takeUnsent() -> [WebSocketOutput.PendingMessage] { state.withLock { $0.output.takeUnsent() } }
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
