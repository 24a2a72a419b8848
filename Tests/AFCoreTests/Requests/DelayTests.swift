import TestSupport
import Testing

/// Delays in a process that may open hardly any descriptor more. Dispatch opens its own for the first timer, so it takes a
/// process that has used none: the tool.
@Suite(.timeLimit(.minutes(1))) struct DelayTests {
    private func run(_ words: String..., descriptors: Int) async throws -> ProgramResult {
        let script = #"ulimit -n "$0"; exec "$@""#
        let program = Program("/bin/sh", ["-c", script, "\(descriptors)", try Program.afcliPath(), "-b"] + words)
        return try await program.run(within: .seconds(20))
    }

    @Test(arguments: 8...11)
    func `a retry and a redirect need no descriptors for a timer`(descriptors: Int) async throws {
        let server = try LocalServer { request in
            request.path == "/redirect" ? .redirect(to: "/there") : .status(503, "busy")
        }
        let retried = try await run("--retry", "1", server.url(), descriptors: descriptors)
        #expect(retried.status == 5, "\(retried.errorText)")
        #expect(server.requests.count == 2)
        let followed = try await run("--follow", server.url("/redirect"), descriptors: descriptors)
        #expect(followed.status == 5, "\(followed.errorText)")
        #expect(server.requests.count == 4)
    }
}
