internal import FoundationEssentials

/// Reads the frames of a server and assembles its messages (RFC 6455 §5 to §8).
struct WebSocketReader {
    /// A message or a control frame.
    enum Item: Hashable, Sendable {
        case message(WebSocketMessage)
        case ping([UInt8])
        case pong([UInt8])
        /// The server's Close frame; nothing is read after it.
        case close(WebSocketCloseCode, reason: Data)
    }

    private struct Frame {
        let opcode: WebSocketOpcode
        let isFinal: Bool
        /// The number of bytes that are missing.
        var remaining: Int
    }

    private struct Message {
        let isText: Bool
        let isCompressed: Bool
        var bytes: [UInt8] = []
    }

    private let maximumMessageSize: Int
    private let inflater: WebSocketInflater?
    /// The bytes of an incomplete frame header.
    private var header: [UInt8] = []
    private var frame: Frame?
    /// The message whose last frame has not been received.
    private var message: Message?
    /// The payload of the control frame.
    private var control: [UInt8] = []
    private var isClosed = false

    /// Whether a message has started and its last frame has not ended.
    var isWithinMessage: Bool { message != nil }

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - maximumMessageSize: The limit on a message in bytes, after decompression.
    ///   - inflater: The decompressor; `nil` unless compression was negotiated.
    init(maximumMessageSize: Int, inflater: WebSocketInflater? = nil) {
        self.maximumMessageSize = maximumMessageSize
        self.inflater = inflater
    }

    /// Reads bytes, and passes on each complete message and control frame.
    ///
    /// - Throws: ``WebSocketError`` with the code to close the connection with.
    mutating func read(_ bytes: UnsafeRawBufferPointer, _ handle: (Item) -> Void) throws(WebSocketError) {
        var rest = bytes[...]
        while !isClosed {
            if frame == nil {
                guard try readHeader(&rest) else { return }
            }
            guard try readPayload(&rest) else { return }
            if let item = try completeFrame() { handle(item) }
        }
    }

    // The header

    /// Reads the header of a frame.
    ///
    /// - Returns: Whether it is complete.
    private mutating func readHeader(_ rest: inout Slice<UnsafeRawBufferPointer>) throws(WebSocketError) -> Bool {
        while let byte = rest.popFirst() {
            header.append(byte)
            switch header.count {
            case 1: try checkFirstByte(byte)
            case 2: try checkSecondByte(byte)
            default: break
            }
            guard header.count >= 2, header.count == 2 + lengthSize else { continue }
            frame = try makeFrame()
            header.removeAll(keepingCapacity: true)
            return true
        }
        return false
    }

    /// The number of bytes of the extended payload length.
    private var lengthSize: Int {
        switch header[1] {
        case 126: 2
        case 127: 8
        default: 0
        }
    }

    private func checkFirstByte(_ byte: UInt8) throws(WebSocketError) {
        guard let opcode = WebSocketOpcode(rawValue: byte & 0x0F) else {
            throw .violation("the server sent a frame of the unknown type \(byte & 0x0F)")
        }
        let (isFinal, isCompressed) = (byte & 0x80 != 0, byte & 0x40 != 0)
        guard byte & 0x30 == 0 else { throw .violation("the server sent a frame with a reserved bit") }
        if opcode.isControl {
            guard isFinal else { throw .violation("the server sent a fragmented control frame") }
            guard !isCompressed else { throw .violation("the server sent a compressed control frame") }
        } else if opcode == .continuation {
            guard message != nil else { throw .violation("the server continued a message that it had not started") }
            guard !isCompressed else { throw .violation("the server marked a continuation as compressed") }
        } else {
            guard message == nil else { throw .violation("the server started a message within another") }
            guard !isCompressed || inflater != nil else {
                throw .violation("the server compressed a message, although compression was not negotiated")
            }
        }
    }

    private func checkSecondByte(_ byte: UInt8) throws(WebSocketError) {
        guard byte & 0x80 == 0 else { throw .violation("the server sent a masked frame") }
        guard header[0] & 0x08 == 0 || byte <= WebSocketFrame.maximumControlPayload else {
            throw .violation("the server sent a control frame of more than 125 bytes")
        }
    }

    private mutating func makeFrame() throws(WebSocketError) -> Frame {
        let opcode = WebSocketOpcode(rawValue: header[0] & 0x0F) ?? .close
        let extended = header[2...].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let length = lengthSize == 0 ? UInt64(header[1]) : extended
        guard length <= UInt64(Int64.max) else { throw .violation("the server sent a frame of more than 2⁶³ bytes") }
        let isShortest = lengthSize == 0 || length > (lengthSize == 2 ? 125 : 0xFFFF)
        guard isShortest else { throw .violation("the server did not encode a length in its shortest form") }
        if opcode == .text || opcode == .binary {
            message = Message(isText: opcode == .text, isCompressed: header[0] & 0x40 != 0)
        }
        if !opcode.isControl, let message, !message.isCompressed {
            try checkSize(UInt64(message.bytes.count) + length)
        }
        return Frame(opcode: opcode, isFinal: header[0] & 0x80 != 0, remaining: Int(length))
    }

    private func checkSize(_ count: UInt64) throws(WebSocketError) {
        guard count > UInt64(maximumMessageSize) else { return }
        throw .tooBig(maximumMessageSize)
    }

    // The payload

    /// Reads payload bytes of the current frame.
    ///
    /// - Returns: Whether the payload is complete.
    private mutating func readPayload(_ rest: inout Slice<UnsafeRawBufferPointer>) throws(WebSocketError) -> Bool {
        guard let frame else { return false }
        let chunk = UnsafeRawBufferPointer(rebasing: rest.prefix(frame.remaining))
        rest = rest.dropFirst(chunk.count)
        self.frame?.remaining -= chunk.count
        if frame.opcode.isControl {
            control.append(contentsOf: chunk)
        } else if var message = message.take() {
            defer { self.message = message }
            if message.isCompressed {
                try inflater?.inflate(chunk, into: &message.bytes, limit: maximumMessageSize)
            } else {
                message.bytes.append(contentsOf: chunk)
            }
        }
        return frame.remaining == chunk.count
    }

    private mutating func completeFrame() throws(WebSocketError) -> Item? {
        guard let frame = frame.take() else { return nil }
        if frame.opcode.isControl {
            defer { control = [] }
            switch frame.opcode {
            case .ping: return .ping(control)
            case .pong: return .pong(control)
            default: return try close(control)
            }
        }
        guard frame.isFinal, var message = message.take() else { return nil }
        if message.isCompressed { try inflater?.finish(into: &message.bytes, limit: maximumMessageSize) }
        guard message.isText else { return .message(.data(Data(message.bytes))) }
        guard let text = String(validating: message.bytes, as: UTF8.self) else {
            throw .violation("the server sent a text message that is not UTF-8", .invalidFramePayloadData)
        }
        return .message(.string(text))
    }

    private mutating func close(_ payload: [UInt8]) throws(WebSocketError) -> Item {
        isClosed = true
        if payload.isEmpty { return .close(.noStatusReceived, reason: Data()) }
        guard payload.count >= 2 else { throw .violation("the server sent a Close frame with half of a code") }
        let code = WebSocketCloseCode(rawValue: Int(payload[0]) << 8 | Int(payload[1]))
        guard code.isSendable else {
            throw .violation("the server closed the connection with the invalid code \(code.rawValue)")
        }
        guard String(validating: payload[2...], as: UTF8.self) != nil else {
            throw .violation("the reason of the server's Close frame is not UTF-8", .invalidFramePayloadData)
        }
        return .close(code, reason: Data(payload[2...]))
    }
}

extension WebSocketError {
    static func tooBig(_ limit: Int) -> Self {
        Self(.messageTooBig, "the server sent a message of more than \(limit) bytes", closeCode: .messageTooBig)
    }
}
