/// The demo server of the package, started on a port of its own: the well-behaved endpoints.
///
/// It is the program named by `AFCLI_DEMO_SERVER`, else `Demo/.build/debug/demo-server`. It ends when its standard input
/// does, which the kernel sees to when the test process is gone.
public final class DemoServer: Sendable {
    /// `http://127.0.0.1:PORT`, without a slash at the end.
    public let origin: String
    public let port: UInt16
    private let program: RunningProgram

    /// Starts it and returns when it serves.
    ///
    /// - Parameter socket: A file to listen on too, which must not be there yet.
    /// - Throws: ``MissingProgram`` when it has not been built.
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
            throw DeadlinePassed(awaited: "the demo server says where it listens; it said \(line)", limit: .zero)
        }
        origin = String(line.dropFirst(announcement.count))
        port = origin.split(separator: ":").last.flatMap { UInt16($0) } ?? 0
    }

    deinit { stop() }

    /// The origin and a path that should begin with a slash.
    public func url(_ path: String = "/") -> String { origin + path }

    /// Ends it; the port refuses from then on.
    public func stop() {
        program.closeInput()
        program.blockUntilEnded()
    }

    private static func path() throws -> String {
        if let path = environmentVariable("AFCLI_DEMO_SERVER") {
            return try MissingProgram.find(
                "demo-server",
                at: [path],
                else: "AFCLI_DEMO_SERVER names it; correct or unset that"
            )
        }
        return try MissingProgram.find(
            "demo-server",
            at: ["\(packageFolder())/Demo/.build/debug/demo-server"],
            else: "make test, or swift build --package-path Demo"
        )
    }
}

/// Runs a test against a demo server that is gone when the test is.
public nonisolated(nonsending) func withDemoServer<Result>(
    _ test: (DemoServer) async throws -> Result
) async throws -> Result {
    let server = try await DemoServer()
    defer { server.stop() }
    return try await test(server)
}
