/// An HTTP/1.1 server on its own loopback address, for one test.
///
/// It uses raw bytes: a test can send invalid responses and check the exact bytes of requests.
/// Every connection has its own thread, so a script may block.
///
/// ```swift
/// try await withServer { request in .ok("you asked for \(request.target)") } _: { server in
///     let text = try await fetch(server.url("/x"))
///     #expect(text == "you asked for /x")
///     #expect(server.requests.first?["Host"] == server.authority)
/// }
/// ```
public final class LocalServer: Sendable {
    /// Returns the response to a request; called on the connection's thread. `withServer` rethrows its errors.
    public typealias Responder = @Sendable (RecordedRequest) throws -> Response

    /// Serves a connection until its end; called on the connection's thread.
    ///
    /// It may throw ``ConnectionLost``; `withScriptedServer` rethrows any other error.
    public typealias Script = @Sendable (Connection) throws -> Void

    /// The address to listen on.
    public enum Address: Sendable, Hashable {
        /// 127.0.0.1; port 0 lets the system choose.
        case ipv4(port: UInt16)
        /// ::1; port 0 lets the system choose.
        case ipv6(port: UInt16)
        /// A Unix socket, which must not exist yet; the path has at most 107 bytes.
        case unix(path: String)

        /// 127.0.0.1 and a free port.
        public static let loopback = ipv4(port: 0)

        /// Whether the machine has the address ::1; many containers do not.
        public static var hasIPv6: Bool {
            guard let listener = try? Listener(on: .ipv6(port: 0), backlog: nil) else { return false }
            listener.close()
            return true
        }
    }

    /// The port; 0 for a Unix socket.
    public let port: UInt16
    private let address: Address
    private let engine: ServerEngine

    /// Starts a server that responds to every request on persistent connections.
    ///
    /// - Parameter keepsBodies: Whether ``requests`` contain bodies; `false` for uploads larger than memory.
    public convenience init(
        on address: Address = .loopback,
        keepsBodies: Bool = true,
        _ responder: @escaping Responder
    ) throws {
        try self.init(on: address, keepsBodies: keepsBodies, script: { try $0.respond(with: responder) })
    }

    /// Starts a server whose script sends all bytes.
    public static func scripted(
        on address: Address = .loopback,
        keepsBodies: Bool = true,
        _ script: @escaping Script
    ) throws -> LocalServer {
        try LocalServer(on: address, keepsBodies: keepsBodies, script: script)
    }

    /// Starts a server that accepts connections and receives requests, but sends nothing.
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

    /// `127.0.0.1:PORT`, `[::1]:PORT`, or `localhost` for a Unix socket.
    public var authority: String {
        switch address {
        case .ipv4: "127.0.0.1:\(port)"
        case .ipv6: "[::1]:\(port)"
        case .unix: "localhost"
        }
    }

    /// Returns the URL of a path, which must start with a slash.
    public func url(_ path: String = "/") -> String { "http://\(authority)\(path)" }

    /// All requests so far, in the order of their headers; see ``RecordedRequest/isComplete``.
    public var requests: [RecordedRequest] { engine.log.all }

    /// The number of accepted connections.
    public var acceptedConnections: Int { engine.state.accepted }

    /// The number of open connections.
    public var openConnections: Int { engine.state.open }

    /// The maximum number of simultaneously open connections.
    public var peakConnections: Int { engine.state.peak }

    /// The errors of scripts and responders, except ``ConnectionLost``.
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

    /// Waits until a connection was accepted and none is open.
    public nonisolated(nonsending) func waitUntilIdle(within limit: Duration = Deadline.timeout) async throws {
        try await eventually("no connection is open", within: limit) { acceptedConnections > 0 && openConnections == 0 }
    }

    /// Closes all open connections, like a server after an idle timeout.
    public func closeConnections() { engine.interruptConnections(withReset: false) }

    /// Resets all open connections.
    public func resetConnections() { engine.interruptConnections(withReset: true) }

    /// Stops the server: afterwards its threads, descriptors and socket file no longer exist.
    ///
    /// It waits for responders and scripts, which may block only in calls of ``Connection``.
    public func stop() {
        engine.stop()
        if case .unix(let path) = address { removeSocketFile(path) }
    }
}
