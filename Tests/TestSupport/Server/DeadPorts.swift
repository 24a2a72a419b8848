internal import Glibc

/// A loopback port that refuses every connection, reserved while this value exists.
public final class RefusingPort: Sendable {
    public let port: UInt16
    private let listener: Listener

    public init() throws {
        // Bound but not listening: a closed port could be assigned to another test.
        listener = try Listener(on: .loopback, backlog: nil)
        port = listener.port
    }

    deinit { listener.close() }

    public var authority: String { "127.0.0.1:\(port)" }
    public func url(_ path: String = "/") -> String { "http://\(authority)\(path)" }
}

/// A loopback port on which connecting neither succeeds nor fails, as its backlog is full.
public final class UnresponsivePort: Sendable {
    public let port: UInt16
    private let listener: Listener
    private let waiting: [Int32]

    public init() throws {
        listener = try Listener(on: .loopback, backlog: 0)
        port = listener.port
        var place = try SocketAddress(.ipv4(port: port))
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        // Linux queues one connection more than the backlog and drops further ones; a few more are harmless.
        waiting = (0..<4).map { _ in
            let descriptor = socket(AF_INET, kind, 0)
            _ = place.connect(descriptor)
            return descriptor
        }
    }

    deinit {
        waiting.forEach { close($0) }
        listener.close()
    }

    public var authority: String { "127.0.0.1:\(port)" }
    public func url(_ path: String = "/") -> String { "http://\(authority)\(path)" }
}
