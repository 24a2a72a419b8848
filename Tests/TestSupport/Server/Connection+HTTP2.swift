/// The server's side of HTTP/2 for scripts, including frame sequences that nginx does not send.
extension LocalServer.Connection {
    /// Receives the preface and the header of the first request, which is stream 1, without recording it.
    public func acceptHTTP2() throws {
        _ = try receiveExactly("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8.count)
        try send(HTTP2Frame(.settings), HTTP2Frame(.settings, flags: HTTP2Frame.acknowledges))
        try skipFrames(through: .headers)
    }

    /// Switches to HTTP/2 after a request with `Upgrade: h2c`, which becomes stream 1.
    ///
    /// - Parameter frames: The frames that are sent together with the 101.
    public func upgradeToHTTP2(sending frames: [HTTP2Frame] = []) throws {
        let head = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"
        try send(Array(head.utf8) + ([HTTP2Frame(.settings)] + frames).flatMap(\.bytes))
        _ = try receiveExactly("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8.count)
        try skipFrames(through: .settings)
        try send(HTTP2Frame(.settings, flags: HTTP2Frame.acknowledges))
    }

    /// Receives frames up to and including the next one of this kind.
    public func skipFrames(through kind: HTTP2Frame.Kind) throws {
        var type: UInt8
        repeat {
            let head = try receiveExactly(9)
            type = head[3]
            _ = try receiveExactly(Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2]))
        } while type != kind.rawValue
    }

    /// Sends the frames in one write, so that the peer receives them together.
    public func send(_ frames: [HTTP2Frame]) throws { try send(frames.flatMap(\.bytes)) }

    public func send(_ frames: HTTP2Frame...) throws { try send(frames) }

    /// Sends the frames so that the peer receives them one by one, and returns after it has received the last.
    public func sendApart(_ frames: [HTTP2Frame]) throws {
        for frame in frames {
            try send([frame, .ping])
            try skipFrames(through: .ping)
        }
    }

    private func receiveExactly(_ count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let more = try receive(atMost: count - bytes.count)
            guard !more.isEmpty else { throw ConnectionLost(errorNumber: 0) }
            bytes += more
        }
        return bytes
    }
}
