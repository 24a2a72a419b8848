/// An HTTP/1.1 server on a loopback address of its own, alive for one test.
///
/// It works with raw bytes on purpose: a test can send what no well-behaved server would and see exactly what it was sent.
/// Every connection has its own thread, so a script may block as long as it likes.
///
/// ```swift
/// try await withServer { request in .ok("you asked for \(request.target)") } _: { server in
///     let text = try await fetch(server.url("/x"))
///     #expect(text == "you asked for /x")
///     #expect(server.requests.first?["Host"] == server.authority)
/// }
/// ```
public final class LocalServer: Sendable {
    /// Answers a request; called on the connection's thread. What it throws is thrown again by the scope of the server.
    public typealias Responder = @Sendable (RecordedRequest) throws -> Response

    /// Serves a connection from beginning to end; called on the connection's thread.
    ///
    /// ``ConnectionLost`` may pass; any other error is thrown again by the scope of the server.
    public typealias Script = @Sendable (Connection) throws -> Void

    /// Where to listen.
    public enum Address: Sendable, Hashable {
        /// 127.0.0.1; port 0 lets the system choose.
        case ipv4(port: UInt16)
        /// ::1; port 0 lets the system choose.
        case ipv6(port: UInt16)
        /// A socket file, which must not exist yet; at most 107 bytes of path.
        case unix(path: String)

        /// 127.0.0.1 and a port that is free.
        public static let loopback = ipv4(port: 0)

        /// Whether this machine has ::1; many containers have not.
        public static var hasIPv6: Bool {
            guard let listener = try? Listener(on: .ipv6(port: 0), backlog: nil) else { return false }
            listener.close()
            return true
        }
    }

    /// The port that it listens on, zero for a unix socket.
    public let port: UInt16
    private let address: Address
    private let engine: ServerEngine

    /// A server that answers every request and keeps connections open in between, unless the client wants otherwise.
    ///
    /// - Parameter keepsBodies: Whether ``requests`` hold bodies; to be turned off for uploads larger than memory.
    public convenience init(
        on address: Address = .loopback,
        keepsBodies: Bool = true,
        _ responder: @escaping Responder
    ) throws {
        try self.init(on: address, keepsBodies: keepsBodies, script: { try $0.respond(with: responder) })
    }

    /// A server whose every byte is the script's.
    public static func scripted(
        on address: Address = .loopback,
        keepsBodies: Bool = true,
        _ script: @escaping Script
    ) throws -> LocalServer {
        try LocalServer(on: address, keepsBodies: keepsBodies, script: script)
    }

    /// A server that accepts connections and reads what it is sent, but never says anything.
    public static func silent(on address: Address = .loopback) throws -> LocalServer {
        try scripted(on: address) { try $0.waitForClose(within: .seconds(3600)) }
    }

    private init(on address: Address, keepsBodies: Bool, script: @escaping Script) throws {
        let listener = try Listener(on: address, backlog: 4096)
        port = listener.port
        self.address = address
        engine = try ServerEngine(listener: listener, keepsBodies: keepsBodies, script: script)
    }

    deinit { stop() }

    /// `127.0.0.1:PORT`, `[::1]:PORT`, or `localhost` for a unix socket.
    public var authority: String {
        switch address {
        case .ipv4: "127.0.0.1:\(port)"
        case .ipv6: "[::1]:\(port)"
        case .unix: "localhost"
        }
    }

    /// `http://` and the authority, followed by a path that should begin with a slash.
    public func url(_ path: String = "/") -> String { "http://\(authority)\(path)" }

    /// Every request so far, in the order in which the heads arrived; see ``RecordedRequest/isComplete``.
    public var requests: [RecordedRequest] { engine.log.all }

    /// How many connections have been accepted so far.
    public var acceptedConnections: Int { engine.state.accepted }

    /// How many connections are open now.
    public var openConnections: Int { engine.state.open }

    /// The largest number of connections that were open at one time.
    public var peakConnections: Int { engine.state.peak }

    /// The errors of scripts and responders, without connections that the client closed.
    public var failures: [any Error] { engine.state.failures }

    /// Waits until a number of requests have been received completely.
    public nonisolated(nonsending) func waitForRequests(
        _ count: Int = 1,
        within limit: Duration = Deadline.timeout
    ) async throws {
        try await eventually("\(count) requests have arrived", within: limit) {
            requests.count(where: \.isComplete) >= count
        }
    }

    /// Returns once connections have been accepted and none is open any more.
    public nonisolated(nonsending) func waitUntilIdle(within limit: Duration = Deadline.timeout) async throws {
        try await eventually("no connection is open", within: limit) { acceptedConnections > 0 && openConnections == 0 }
    }

    /// Closes every connection that is open now, as a server does that has waited long enough for the next request.
    public func closeConnections() { engine.interruptConnections(withReset: false) }

    /// Resets every connection that is open now.
    public func resetConnections() { engine.interruptConnections(withReset: true) }

    /// Ends all connections and the listening; threads, descriptors and a socket file are gone when it returns.
    ///
    /// It waits for responders and scripts to return: they must not block in anything but the calls of ``Connection``.
    public func stop() {
        engine.stop()
        if case .unix(let path) = address { removeSocketFile(path) }
    }
}
