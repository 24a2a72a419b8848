internal import Glibc

/// A real nginx on loopback ports of its own: HTTP/2, TLS, ranges, validators and large files as the world has them.
///
/// ```swift
/// try await withNginx(files: ["a.txt": .text("hello")]) { nginx in
///     let result = try await Program("/usr/bin/curl", ["--cacert", nginx.root, nginx.secureURL("/a.txt")]).run()
///     #expect(result.text == "hello")
/// }
/// ```
///
/// Besides its files it has `/sink`, which takes any body and answers with its length, and `/uploads/`, where PUT stores
/// files that can be fetched again.
public final class NginxServer: Sendable {
    /// The contents of a file.
    public enum File: Sendable {
        case text(String)
        case bytes([UInt8])
        /// So many bytes that differ from place to place; see ``ScratchFolder/writePattern(_:size:)``.
        case pattern(size: Int)
        /// So many zeros that take no room on the disk.
        case zeros(size: Int)
    }

    /// Whether clients are asked for a certificate of the test authority.
    public enum ClientCertificates: String, Sendable {
        case ignored = "off"
        /// Requested, but not required.
        case requested = "optional"
        case verified = "on"
    }

    /// Where it serves HTTP/1.1 in clear.
    public let port: UInt16
    /// Where it serves HTTP/2 and HTTP/1.1 over TLS.
    public let securePort: UInt16
    /// Where it serves HTTP/2 in clear, for clients that know beforehand.
    public let clearHTTP2Port: UInt16
    /// The authority that clients have to trust, a PEM file.
    public let root: String
    private let folder: ScratchFolder
    private let program: RunningProgram

    /// Starts it and returns when it serves.
    ///
    /// - Parameters:
    ///   - identity: ``TestCertificates/server`` if not given.
    ///   - directives: Added to the `server` block: locations, `ssl_protocols TLSv1.2;` and the like.
    /// - Throws: ``MissingProgram`` without nginx, ``NginxFailure`` when it does not like its configuration.
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
        // nginx cannot report the port it was given, and a free port may be taken a moment later. So the sockets are
        // created here and passed on, as a running nginx passes them to its successor.
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

    /// `http://127.0.0.1:PORT` and a path that should begin with a slash.
    public func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

    /// `https://localhost:PORT` and a path that should begin with a slash.
    public func secureURL(_ path: String = "/") -> String { "https://localhost:\(securePort)\(path)" }

    /// `http://127.0.0.1:PORT` of the port that speaks HTTP/2 in clear.
    public func clearHTTP2URL(_ path: String = "/") -> String { "http://127.0.0.1:\(clearHTTP2Port)\(path)" }

    /// Puts another file in place; with a new time stamp and size it has a new `ETag`.
    public func write(_ file: File, to name: String) throws {
        try folder.write(file, to: "files/\(name)")
    }

    /// The path of a file on the disk.
    public func path(of name: String) -> String { folder.file("files/\(name)") }

    /// The requests that have been answered so far; one is added a moment after its last byte has left.
    public var requests: [NginxRequest] {
        (wholeFile(folder.file("access.log")) ?? "").split(separator: "\n").compactMap(NginxRequest.init(logged:))
    }

    /// Ends the server and returns its requests: the log is written after the responses, so that some may be missing
    /// before.
    public func finalRequests() -> [NginxRequest] {
        stop()
        return requests
    }

    /// The error log: failed handshakes, for example.
    public var errorText: String { program.errorText }

    public var processIdentifier: Int32 { program.processIdentifier }

    /// Ends it; the ports refuse from then on.
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

/// nginx ended instead of serving.
public struct NginxFailure: Error, CustomStringConvertible {
    public let output: String

    public var description: String { "nginx does not serve: \(output)" }
}

/// Runs a test against an nginx that is gone when the test is; the parameters are those of ``NginxServer``.
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
