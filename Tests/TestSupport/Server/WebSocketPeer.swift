internal import COpenSSL
internal import FoundationEssentials

/// The server's side of a WebSocket connection, which sends any bytes and records the client's frames.
public struct WebSocketPeer {
    /// A frame of the client, unmasked.
    public struct Frame: Hashable, Sendable {
        public let opcode: UInt8
        public let isFinal: Bool
        public let isCompressed: Bool
        public let payload: [UInt8]

        public var text: String { String(decoding: payload, as: UTF8.self) }
        /// The code of a Close frame; `nil` if it has none.
        public var closeCode: Int? { payload.count < 2 ? nil : Int(payload[0]) << 8 | Int(payload[1]) }
    }

    /// The client's frame is not masked, or has reserved bits.
    public struct InvalidFrame: Error {
        public let head: [UInt8]
    }

    public let request: RecordedRequest
    private let connection: LocalServer.Connection

    /// Reads a request and accepts it.
    ///
    /// - Parameter fields: Further lines of the response's header, each with its end.
    public init(accepting connection: LocalServer.Connection, fields: String = "") throws {
        self.connection = connection
        guard let request = try connection.readRequest() else { throw ConnectionLost(errorNumber: 0) }
        self.request = request
        try connection.send(Self.response(to: request, fields: fields))
    }

    /// Returns the header of a 101.
    public static func response(to request: RecordedRequest, fields: String = "") -> String {
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Accept: \(accept(for: request["Sec-WebSocket-Key"] ?? ""))\r\n\(fields)\r\n"
    }

    private static func accept(for key: String) -> String {
        let text = Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)
        var digest = [UInt8](repeating: 0, count: 20)
        EVP_Digest(text, text.count, &digest, nil, EVP_sha1(), nil)
        return Data(digest).base64EncodedString()
    }

    /// Sends bytes as they are.
    public func send(bytes: [UInt8]) throws { try connection.send(bytes) }

    /// Sends a frame.
    public func send(_ opcode: UInt8, _ payload: [UInt8] = [], isFinal: Bool = true) throws {
        try connection.send(Self.frame(opcode, payload, isFinal: isFinal))
    }

    /// Sends a text message.
    public func send(_ text: String) throws { try send(1, Array(text.utf8)) }

    /// Sends a Close frame.
    public func close(_ code: Int?, _ reason: String = "") throws {
        try send(8, (code.map { [UInt8($0 >> 8), UInt8($0 & 0xFF)] } ?? []) + Array(reason.utf8))
    }

    /// Returns an unmasked frame.
    public static func frame(_ opcode: UInt8, _ payload: [UInt8], isFinal: Bool = true) -> [UInt8] {
        var bytes = [(isFinal ? 0x80 : 0) | opcode]
        switch payload.count {
        case ...125: bytes.append(UInt8(payload.count))
        case ...0xFFFF: bytes += [126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        default:
            bytes.append(127)
            for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(payload.count >> shift & 0xFF)) }
        }
        return bytes + payload
    }

    /// Receives a frame.
    ///
    /// - Throws: ``ConnectionLost`` at the end of the connection.
    public func receive() throws -> Frame {
        let head = try exactly(2)
        guard head[0] & 0x30 == 0, head[1] & 0x80 != 0 else { throw InvalidFrame(head: head) }
        let length =
            switch head[1] & 0x7F {
            case 126: number(try exactly(2))
            case 127: number(try exactly(8))
            case let short: Int(short)
            }
        let mask = try exactly(4)
        var payload = try exactly(length)
        for index in payload.indices { payload[index] ^= mask[index & 3] }
        return Frame(
            opcode: head[0] & 0x0F, isFinal: head[0] & 0x80 != 0, isCompressed: head[0] & 0x40 != 0, payload: payload)
    }

    /// Sends each message back until the client's Close frame, which it answers.
    public func echo() throws {
        while true {
            let frame = try receive()
            switch frame.opcode {
            case 8: return try send(8, frame.payload)
            case 9: try send(10, frame.payload)
            case 10: break
            default:
                var bytes = Self.frame(frame.opcode, frame.payload, isFinal: frame.isFinal)
                if frame.isCompressed { bytes[0] |= 0x40 }
                try connection.send(bytes)
            }
        }
    }

    private func number(_ bytes: [UInt8]) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

    private func exactly(_ count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count {
            let more = try connection.receive(atMost: count - bytes.count)
            guard !more.isEmpty else { throw ConnectionLost(errorNumber: 0) }
            bytes += more
        }
        return bytes
    }
}
