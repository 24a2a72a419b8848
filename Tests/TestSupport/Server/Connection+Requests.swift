extension LocalServer.Connection {
    /// Receives a request with its body and records it; `nil` if the peer has closed the connection.
    ///
    /// Sends `100 Continue` before the body if the request has `Expect: 100-continue` (RFC 9110 §10.1.1).
    /// For another response, call ``readHead()`` and ``readBody(of:)``.
    ///
    /// - Throws: ``ConnectionLost`` if the connection ends inside the body.
    public func readRequest() throws -> RecordedRequest? {
        guard let request = try readHead() else { return nil }
        if request["Expect"]?.lowercased() == "100-continue" { try send("HTTP/1.1 100 Continue\r\n\r\n") }
        return try readBody(of: request)
    }

    /// Receives the header of a request and records it as incomplete; `nil` if the peer has closed the connection.
    ///
    /// Ignores empty lines before the request line (RFC 9112 §2.2).
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

    /// Receives the body of a request and completes its record.
    ///
    /// - Throws: ``ConnectionLost`` if the connection ends inside the body; the record contains the received bytes.
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

/// The error of a chunked body with invalid framing (RFC 9112 §7.1), which is a fault of the client under test.
public struct MalformedRequest: Error, CustomStringConvertible {
    /// The line that should have started with a chunk's size.
    public let line: [UInt8]

    public var description: String { "not a chunk size: \(String(decoding: line, as: UTF8.self).debugDescription)" }
}
