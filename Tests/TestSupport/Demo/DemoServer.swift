/// The demo server of the package, on a free port.
///
/// The program is `AFCLI_DEMO_SERVER` or `Demo/.build/debug/demo-server`. It ends with its standard input, which the
/// kernel closes if the test process ends.
public final class DemoServer: Sendable {
    /// `http://127.0.0.1:PORT`, without a trailing slash.
    public let origin: String
    public let port: UInt16
    private let program: RunningProgram

    /// Starts the server and returns when it accepts connections.
    ///
    /// - Parameter socket: The path of an additional Unix socket, which must not exist yet.
    /// - Throws: ``MissingProgram`` if the server has not been built.
    public convenience init(socket: String? = nil) async throws {
        try await self.init(path: Self.path(), socket: socket)
    }

    init(path: String, socket: String? = nil) async throws {
        let announcement = "listening on "
        let arguments = ["--until-eof"] + (socket.map { ["--socket", $0] } ?? [])
        program = try Program(path, arguments, input: .pipe).start()
        try await program.waitForText("\n")
        let line = program.text.prefix { $0 != "\n" }
        guard line.hasPrefix(announcement) else {
            throw DeadlinePassed(awaited: "the demo server prints its address; it printed \(line)", limit: .zero)
        }
        origin = String(line.dropFirst(announcement.count))
        port = origin.split(separator: ":").last.flatMap { UInt16($0) } ?? 0
    }

    deinit { stop() }

    /// Returns the URL of a path, which must start with a slash.
    public func url(_ path: String = "/") -> String { origin + path }

    /// Stops the server; afterwards the port refuses connections.
    public func stop() {
        program.closeInput()
        program.blockUntilEnded()
    }

    private static func path() throws -> String {
        if let path = environmentVariable("AFCLI_DEMO_SERVER") {
            return try MissingProgram.find(
                "demo-server",
                at: [path],
                else: "correct or unset AFCLI_DEMO_SERVER"
            )
        }
        return try MissingProgram.find(
            "demo-server",
            at: ["\(packageFolder())/Demo/.build/debug/demo-server"],
            else: "make test, or swift build --package-path Demo"
        )
    }
}

/// Runs a test with a demo server, and stops the server afterwards.
public nonisolated(nonsending) func withDemoServer<Result>(
    _ test: (DemoServer) async throws -> Result
) async throws -> Result {
    let server = try await DemoServer()
    defer { server.stop() }
    return try await test(server)
}
