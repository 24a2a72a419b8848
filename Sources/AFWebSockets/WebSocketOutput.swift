internal import AFHTTP
internal import AFTransport

/// The frames of a client in the order of sending, and the messages before they are frames.
///
/// A value without a lock and without calls: its methods return what the caller does afterwards. Messages are encoded
/// by one caller at a time, in their order, while others add messages and read frames.
struct WebSocketOutput {
    /// A message to be sent.
    struct PendingMessage: Sendable {
        let message: WebSocketMessage
        /// Called once, when the message was passed to the network or cannot be sent.
        let completion: @Sendable (Result<Void, any Error>) -> Void
    }

    /// Informs the transport that there are bytes.
    typealias Wake = @Sendable () -> Void

    enum SendAction {
        /// The caller encodes the message.
        case encode(PendingMessage)
        /// The message waits for the handshake, or for the caller that encodes others.
        case wait
        /// The message follows a Close frame, and fails.
        case fail
        /// The attempt has ended: another connection sends the message.
        case reject
    }

    /// The bytes that were read.
    struct Reading {
        var result: BodyRead
        /// The messages of which the last byte was read.
        var sent: [PendingMessage] = []
        /// Whether there are bytes of messages.
        var hasMessage = false
    }

    private struct Frame {
        let bytes: [UInt8]
        var message: PendingMessage?
    }

    /// Whether the handshake was completed.
    private(set) var isOpen = false
    /// Whether the Close frame was created; later messages are refused.
    private(set) var isClosing = false
    /// Whether the attempt has ended: its messages were taken for another one.
    private var isAbandoned = false

    /// The messages behind ``encoding``, or that wait for the handshake.
    private var unencoded = FIFO<PendingMessage>()
    /// The message that a caller encodes; `nil` if no caller encodes a message, or it was dropped meanwhile.
    private var encoding: PendingMessage?
    private var pingFrames = FIFO<[UInt8]>()
    /// The response to the latest ping: earlier ones need none (RFC 6455 §5.5.3).
    private var pongFrame: [UInt8]?
    private var messages = FIFO<Frame>()
    /// The Close frame, after which nothing is sent.
    private var closeFrame: [UInt8]?
    /// The frame that was read partially, and the number of bytes read.
    private var current: (frame: Frame, offset: Int)?
    private var hasStarted = false
    private var whenReady: Wake?
    /// Whether bytes were read, and a ping waited, since and at the last ``isPingDelayed()``.
    private var hasProgressed = false
    private var wasPingWaiting = false

    /// Whether nothing has been read.
    var isUnread: Bool { !hasStarted }

    private var hasUnencoded: Bool { encoding != nil || !unencoded.isEmpty }
}

/// Messages and control frames.
extension WebSocketOutput {
    /// Records the end of the handshake; returns the first message that has waited, which the caller encodes, and the
    /// bytes of all; `nil` if no message has waited.
    mutating func open() -> (first: PendingMessage, size: Int)? {
        isOpen = true
        let size = unencoded.reduce(0) { $0 + $1.message.count }
        encoding = unencoded.popFirst()
        return encoding.map { ($0, size) }
    }

    /// Adds a message.
    mutating func send(_ message: PendingMessage) -> SendAction {
        if isAbandoned { return .reject }
        if isClosing { return .fail }
        guard isOpen, encoding == nil else {
            unencoded.append(message)
            return .wait
        }
        encoding = message
        return .encode(message)
    }

    /// Adds the frame of the message that was encoded; returns the next one, which the caller encodes.
    mutating func encoded(_ frame: [UInt8]) -> (next: PendingMessage?, wake: Wake?) {
        guard let message = encoding.take() else { return (nil, nil) }
        messages.append(Frame(bytes: frame, message: message))
        encoding = unencoded.popFirst()
        return (encoding, whenReady.take())
    }

    /// Adds a ping, unless the connection is not open or closing.
    mutating func ping(_ frame: [UInt8]) -> (isSent: Bool, wake: Wake?) {
        guard isOpen, !isClosing else { return (false, nil) }
        pingFrames.append(frame)
        return (true, whenReady.take())
    }

    /// Replaces the pong that waits.
    mutating func pong(_ frame: [UInt8]) -> Wake? {
        guard !isClosing else { return nil }
        pongFrame = frame
        return whenReady.take()
    }

    /// Adds a Close frame, the last one, unless there is one.
    ///
    /// - Parameter isImmediate: Whether the messages that wait are dropped.
    mutating func close(_ frame: [UInt8], isImmediate: Bool) -> (dropped: [PendingMessage], wake: Wake?) {
        guard !isClosing else { return ([], nil) }
        isClosing = true
        closeFrame = frame
        return (isImmediate ? dropMessages() : [], whenReady.take())
    }

    /// Removes and returns the messages that were not read completely. Later ones are rejected.
    mutating func takeUnsent() -> [PendingMessage] {
        (isAbandoned, isClosing) = (true, true)
        let first = current.take()?.frame.message
        return [first].compactMap(\.self) + dropMessages()
    }

    private mutating func dropMessages() -> [PendingMessage] {
        defer { (messages, unencoded) = (FIFO(), FIFO()) }
        return messages.compactMap(\.message) + [encoding.take()].compactMap(\.self) + unencoded
    }

    /// Whether the last ping was not read, or was not read at the previous call, because other bytes were. Must be called
    /// once per interval.
    mutating func isPingDelayed() -> Bool {
        let isWaiting = !pingFrames.isEmpty
        defer { (wasPingWaiting, hasProgressed) = (isWaiting, false) }
        return isWaiting ? hasProgressed : wasPingWaiting
    }
}

/// The bytes.
extension WebSocketOutput {
    /// Reads bytes: a pong first, then pings, messages, and the Close frame.
    ///
    /// - Parameter whenReady: Stored if there are no bytes, and returned by the next method that adds some.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer, whenReady: @escaping Wake) -> Reading {
        hasStarted = true
        var reading = Reading(result: .notYet)
        var count = 0
        while count < buffer.count, let (frame, offset) = current ?? nextFrame().map({ ($0, 0) }) {
            let length = min(buffer.count - count, frame.bytes.count - offset)
            frame.bytes.withUnsafeBytes {
                let chunk = UnsafeRawBufferPointer(rebasing: $0[offset..<offset + length])
                UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).copyMemory(from: chunk)
            }
            count += length
            reading.hasMessage = reading.hasMessage || frame.message != nil
            let isComplete = offset + length == frame.bytes.count
            current = isComplete ? nil : (frame, offset + length)
            if isComplete, let message = frame.message { reading.sent.append(message) }
        }
        if count > 0 {
            hasProgressed = true
            reading.result = .bytes(count)
        } else if isClosing, !hasUnencoded {
            reading.result = .end
        } else {
            self.whenReady = whenReady
        }
        return reading
    }

    private mutating func nextFrame() -> Frame? {
        if let frame = pongFrame.take() { return Frame(bytes: frame) }
        if let frame = pingFrames.popFirst() { return Frame(bytes: frame) }
        return messages.popFirst() ?? (hasUnencoded ? nil : closeFrame.take().map { Frame(bytes: $0) })
    }
}
