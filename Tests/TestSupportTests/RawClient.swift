import Glibc

@testable import TestSupport

/// A client that sends and receives bytes and knows nothing of HTTP, to test the server without trusting any client.
final class RawClient {
    private let descriptor: Int32

    init(_ address: LocalServer.Address) throws {
        var place = try SocketAddress(address)
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        descriptor = try checked("socket", socket(place.family, kind, 0))
        try checked("connect", place.connect(descriptor))
    }

    convenience init(_ server: LocalServer) throws {
        try self.init(.ipv4(port: server.port))
    }

    deinit { close(descriptor) }

    func send(_ text: String) {
        _ = text.withCString { Glibc.send(descriptor, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
    }

    /// Returns the next bytes up to a count; `nil` if the connection was reset.
    func receive(atMost count: Int = 65536) -> String? {
        var buffer = [UInt8](repeating: 0, count: count)
        let received = recv(descriptor, &buffer, count, 0)
        return received < 0 ? nil : String(decoding: buffer.prefix(received), as: UTF8.self)
    }

    /// Returns all bytes until the text has arrived or the connection ends.
    func receive(until end: String) -> String {
        var text = ""
        while !text.hasSuffix(end), let piece = receive(), !piece.isEmpty { text += piece }
        return text
    }

    /// Everything until the connection is closed or reset.
    func receiveAll() -> String {
        var text = ""
        while let piece = receive(), !piece.isEmpty { text += piece }
        return text
    }

    func finishSending() {
        shutdown(descriptor, Int32(SHUT_WR))
    }
}
