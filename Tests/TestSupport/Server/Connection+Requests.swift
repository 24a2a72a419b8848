extension LocalServer.Connection {
    /// Receives a request with its body and records it; `nil` when the peer has closed the connection instead.
    ///
    /// A request that asks for it (`Expect: 100-continue`, RFC 9110 §10.1.1) is told to go on before its body is awaited.
    /// To answer it otherwise, call ``readHead()`` and ``readBody(of:)`` one by one.
    ///
    /// - Throws: ``ConnectionLost`` when the connection breaks inside the body.
    public func readRequest() throws -> RecordedRequest? {
        guard let request = try readHead() else { return nil }
        if request["Expect"]?.lowercased() == "100-continue" { try send("HTTP/1.1 100 Continue\r\n\r\n") }
        return try readBody(of: request)
    }

    /// Receives the head of a request and records it, incomplete; `nil` when the peer has closed the connection instead.
    ///
    /// Empty lines before the request line are passed over (RFC 9112 §2.2).
    public func readHead() throws -> RecordedRequest? {
        var head: [UInt8] = []
        while true {
            let line = try receiveLine()
            guard line.last == UInt8(ascii: "\n") else { return nil }
            let isEmpty = line == Array("\r\n".utf8) || line == Array("\n".utf8)
            if isEmpty && head.isEmpty { continue }
            head += line
            if isEmpty { break }
        }
        let request = RecordedRequest(head: head, connection: number)
        log.begin(request)
        return request
    }

    /// Receives the body that belongs to a head and completes the record.
    ///
    /// - Throws: ``ConnectionLost`` when the connection ends inside the body; the record keeps what arrived.
    public func readBody(of request: RecordedRequest) throws -> RecordedRequest {
        switch request.framing {
        case .length(let length): try receiveBody(length)
        case .chunked: try receiveChunks()
        }
        log.update(connection: number) { $0.isComplete = true }
        return log.latest(connection: number) ?? request
    }

    private func receiveChunks() throws {
        while true {
            let line = try receiveFramingLine()
            let digits = String(
                decoding: line.prefix { $0 != UInt8(ascii: ";") && $0 > UInt8(ascii: " ") }, as: UTF8.self)
            guard let size = Int(digits, radix: 16), size >= 0 else { throw MalformedRequest(line: line) }
            if size == 0 { break }
            try receiveBody(size)
            _ = try receiveFramingLine()
        }
        var trailers: [UInt8] = []
        while let line = try Optional(receiveFramingLine()), line.count > 2 { trailers += line }
        log.update(connection: number) { $0.trailers = trailers.lines.map(RecordedRequest.Field.init(line:)) }
    }

    private func receiveFramingLine() throws -> [UInt8] {
        let line = try receiveLine()
        guard line.last == UInt8(ascii: "\n") else { throw ConnectionLost(errorNumber: 0) }
        log.update(connection: number) { [keeps = log.keepsBodies] in if keeps { $0.bodyOnWire += line } }
        return line
    }

    private func receiveBody(_ length: Int) throws {
        var left = length
        while left > 0 {
            let piece = try receive(atMost: left)
            guard !piece.isEmpty else { throw ConnectionLost(errorNumber: 0) }
            left -= piece.count
            log.append(piece, connection: number)
        }
    }
}

/// A chunked body whose framing is wrong (RFC 9112 §7.1): the client under test is at fault.
public struct MalformedRequest: Error, CustomStringConvertible {
    /// The line that should have begun with a chunk's size.
    public let line: [UInt8]

    public var description: String { "not a chunk size: \(String(decoding: line, as: UTF8.self).debugDescription)" }
}
