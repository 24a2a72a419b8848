internal import Glibc

/// An nginx on free loopback ports, for HTTP/2, TLS, ranges, validators and large files of a real server.
///
/// ```swift
/// try await withNginx(files: ["a.txt": .text("hello")]) { nginx in
///     let result = try await Program("/usr/bin/curl", ["--cacert", nginx.root, nginx.secureURL("/a.txt")]).run()
///     #expect(result.text == "hello")
/// }
/// ```
///
/// Besides its files it has `/sink`, which responds to any body with its length, and `/uploads/`, where PUT stores files.
public final class NginxServer: Sendable {
    /// The contents of a file.
    public enum File: Sendable {
        case text(String)
        case bytes([UInt8])
        /// A number of bytes without repetitions; see ``ScratchFolder/writePattern(_:size:)``.
        case pattern(size: Int)
        /// A number of zeros in a sparse file.
        case zeros(size: Int)
    }

    /// Whether the server requests a client certificate of the test authority.
    public enum ClientCertificates: String, Sendable {
        case ignored = "off"
        /// Requested, but not required.
        case requested = "optional"
        case verified = "on"
    }

    /// The port of HTTP/1.1 without TLS.
    public let port: UInt16
    /// The port of HTTP/2 and HTTP/1.1 over TLS.
    public let securePort: UInt16
    /// The port of HTTP/2 without TLS, for clients with prior knowledge.
    public let clearHTTP2Port: UInt16
    /// The CA certificate that clients must trust, a PEM file.
    public let root: String
    private let folder: ScratchFolder
    private let program: RunningProgram

    /// Starts the server and returns when it accepts connections.
    ///
    /// - Parameters:
    ///   - identity: The server's identity; ``TestCertificates/server`` by default.
    ///   - directives: Additional directives of the `server` block, such as locations or `ssl_protocols TLSv1.2;`.
    /// - Throws: ``MissingProgram`` without nginx, ``NginxFailure`` if the configuration is invalid.
    public init(
        files: [String: File] = [:],
        identity: TestCertificates.Identity? = nil,
        clientCertificates: ClientCertificates = .ignored,
        directives: String = ""
    ) async throws {
        let certificates = try await TestCertificates.shared
        let path = try MissingProgram.find(
            "nginx",
            at: ["/usr/sbin/nginx", "/usr/local/sbin/nginx", "/usr/bin/nginx"],
            else: "apt-get install nginx-light openssl"
        )
        // nginx cannot report a port chosen by the system, and a free port may be taken meanwhile. So the sockets are
        // created here and inherited, as by the successor of a running nginx.
        let listeners = try (0..<3).map { _ in try Listener(on: .loopback, backlog: 4096) }
        defer { listeners.forEach { $0.close() } }
        (port, securePort, clearHTTP2Port) = (listeners[0].port, listeners[1].port, listeners[2].port)
        root = certificates.root
        folder = try ScratchFolder()
        for (name, file) in files { try folder.write(file, to: "files/\(name)") }
        let configuration = NginxConfiguration(
            ports: listeners.map(\.port),
            identity: identity ?? certificates.server,
            clientAuthority: certificates.root,
            clientCertificates: clientCertificates,
            directives: directives
        )
        try configuration.write(to: folder)
        program = try Self.start(path, in: folder, listeners)
        try await waitUntilReady()
    }

    deinit { program.stop() }

    /// Returns the URL of a path, which must start with a slash, on ``port``.
    public func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Returns the URL of a path, which must start with a slash, on ``securePort``.
    public func secureURL(_ path: String = "/") -> String { "https://localhost:\(securePort)\(path)" }

    /// Returns the URL of a path, which must start with a slash, on ``clearHTTP2Port``.
    public func clearHTTP2URL(_ path: String = "/") -> String { "http://127.0.0.1:\(clearHTTP2Port)\(path)" }

    /// Replaces a file; its `ETag` consists of its date and size.
    public func write(_ file: File, to name: String) throws {
        try folder.write(file, to: "files/\(name)")
    }

    /// Returns the path of a file on disk.
    public func path(of name: String) -> String { folder.file("files/\(name)") }

    /// The logged requests; nginx logs a request shortly after it has sent the last byte of the response.
    public var requests: [NginxRequest] {
        (fileText(folder.file("access.log")) ?? "").split(separator: "\n").compactMap(NginxRequest.init(logged:))
    }

    /// Stops the server and returns all requests: while it runs, the latest ones may be missing in the log.
    public func finalRequests() -> [NginxRequest] {
        stop()
        return requests
    }

    /// The error log: failed handshakes, for example.
    public var errorText: String { program.errorText }

    public var processIdentifier: Int32 { program.processIdentifier }

    /// Stops the server; afterwards the ports refuse connections.
    public func stop() { program.stop() }

    private static func start(_ path: String, in folder: ScratchFolder, _ listeners: [Listener]) throws
        -> RunningProgram
    {
        var program = Program(path, ["-p", folder.path, "-c", folder.file("nginx.conf"), "-e", "stderr"])
        program.environment = ["NGINX": "3;4;5;"]
        program.inherited = listeners.map(\.descriptor)
        program.endsWithTests = true
        return try program.start()
    }

    private func waitUntilReady() async throws {
        try await eventually("nginx serves") { folder.has("nginx.pid") || program.hasEnded }
        if program.hasEnded { throw NginxFailure(output: program.errorText) }
    }
}

/// The error if nginx ends at its start.
public struct NginxFailure: Error, CustomStringConvertible {
    public let output: String

    public var description: String { "nginx did not start: \(output)" }
}

/// Runs a test with an nginx, and stops the server afterwards; the parameters are those of ``NginxServer``.
public nonisolated(nonsending) func withNginx<Result>(
    files: [String: NginxServer.File] = [:],
    identity: TestCertificates.Identity? = nil,
    clientCertificates: NginxServer.ClientCertificates = .ignored,
    directives: String = "",
    _ test: (NginxServer) async throws -> Result
) async throws -> Result {
    let nginx = try await NginxServer(
        files: files,
        identity: identity,
        clientCertificates: clientCertificates,
        directives: directives
    )
    defer { nginx.stop() }
    return try await test(nginx)
}
