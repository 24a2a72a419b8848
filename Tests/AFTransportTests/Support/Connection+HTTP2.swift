import TestSupport

extension LocalServer.Connection {
    /// Takes one request over HTTP/2 and answers it with 200, a body and trailers, which nginx sends over HTTP/1.1 only.
    ///
    /// The frames are made by hand (RFC 9113 §4.1, RFC 7541 §6.2.2), each shorter than 256 bytes.
    func answerOverHTTP2(body: String, trailers: [(name: String, value: String)]) throws {
        _ = try receiveExactly("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8.count)
        try send(Frame(.settings) + Frame(.settings, flags: Frame.acknowledges))
        var type: UInt8
        repeat {
            let head = try receiveExactly(9)
            type = head[3]
            _ = try receiveExactly(Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2]))
        } while type != Frame.Kind.headers.rawValue
        let status200: [UInt8] = [0x88]
        let fields = trailers.flatMap { [UInt8(0)] + lengthAndBytes($0.name) + lengthAndBytes($0.value) }
        try send(
            Frame(.headers, flags: Frame.endsHeaders, stream: 1, status200)
                + Frame(.data, stream: 1, Array(body.utf8))
                + Frame(.headers, flags: Frame.endsHeaders | Frame.endsStream, stream: 1, fields)
        )
        try waitForClose()
    }

    private func receiveExactly(_ count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let more = try receive(atMost: count - bytes.count)
            guard !more.isEmpty else { throw CancellationError() }
            bytes += more
        }
        return bytes
    }
}

private struct Frame {
    enum Kind: UInt8 { case data = 0, headers = 1, settings = 4 }

    static let acknowledges: UInt8 = 1
    static let endsStream: UInt8 = 1
    static let endsHeaders: UInt8 = 4

    let bytes: [UInt8]

    init(_ kind: Kind, flags: UInt8 = 0, stream: UInt8 = 0, _ payload: [UInt8] = []) {
        bytes = [0, 0, UInt8(payload.count), kind.rawValue, flags, 0, 0, 0, stream] + payload
    }

    static func + (left: Frame, right: Frame) -> [UInt8] { left.bytes + right.bytes }
    static func + (left: [UInt8], right: Frame) -> [UInt8] { left + right.bytes }
}

private func lengthAndBytes(_ text: String) -> [UInt8] { [UInt8(text.utf8.count)] + Array(text.utf8) }
