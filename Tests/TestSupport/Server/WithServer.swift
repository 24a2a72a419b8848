/// Runs a test with a server, and stops the server afterwards.
///
/// ```swift
/// try await withServer { _ in .status(404, "gone") } _: { server in
///     …
/// }
/// ```
///
/// - Throws: The error of the test, or else the first error of the responder.
public nonisolated(nonsending) func withServer<Result>(
    on address: LocalServer.Address = .loopback,
    keepsBodies: Bool = true,
    _ responder: @escaping LocalServer.Responder,
    _ test: (LocalServer) async throws -> Result
) async throws -> Result {
    try await LocalServer(on: address, keepsBodies: keepsBodies, responder).whileRunning(test)
}

/// Runs a test with a scripted server; see ``LocalServer/Connection``.
///
/// ```swift
/// try await withScriptedServer { connection in
///     _ = try connection.readRequest()
///     try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
/// } _: { server in
///     …
/// }
/// ```
///
/// - Throws: The error of the test, or else the first error of the script.
public nonisolated(nonsending) func withScriptedServer<Result>(
    on address: LocalServer.Address = .loopback,
    keepsBodies: Bool = true,
    _ script: @escaping LocalServer.Script,
    _ test: (LocalServer) async throws -> Result
) async throws -> Result {
    try await LocalServer.scripted(on: address, keepsBodies: keepsBodies, script).whileRunning(test)
}

/// Runs a test with a server that accepts connections and sends nothing.
public nonisolated(nonsending) func withSilentServer<Result>(
    on address: LocalServer.Address = .loopback,
    _ test: (LocalServer) async throws -> Result
) async throws -> Result {
    try await LocalServer.silent(on: address).whileRunning(test)
}

extension LocalServer {
    fileprivate nonisolated(nonsending) func whileRunning<Result>(
        _ test: (LocalServer) async throws -> Result
    ) async throws -> Result {
        defer { stop() }
        let result = try await test(self)
        stop()
        if let failure = failures.first { throw failure }
        return result
    }
}
