import TestSupport
import Testing

@Suite("Safety 26: the mode of session files", .timeLimit(.minutes(5)))
struct SafetyRow26SessionModesTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private static let session = #"{"headers": [{"name": "X-Key", "value": "s3cret"}], "cookies": [], "auth": null}"#

    @Test(arguments: [UInt32(0o644), 0o640, 0o604])
    func `a session file with access for others is made private, with a warning`(mode: UInt32) async throws {
        try folder.write(Self.session, to: "s.json", permissions: mode)
        try await withServer { _ in
            .ok("shown")
        } _: { (server) async throws in
            let words = ["-b", "--session", "./s.json", server.url()]
            let first = try await folder.afcli(words)
            #expect(first.status == 0 && first.text == "shown", "\(first.errorText)")
            let warning = "warning: other users can read the secrets in './s.json'"
            #expect(first.errorText.contains(warning), "\(first.errorText)")
            #expect(try folder.permissions(of: "s.json") == 0o600)
            #expect(server.requests.last?["X-Key"] == "s3cret")
            // Reported once: the file is private now.
            #expect(try await folder.afcli(words).errorText == "")
        }
    }

    @Test func `a session file is made private even without a response`() async throws {
        try folder.write(Self.session, to: "s.json", permissions: 0o644)
        let run = try await folder.afcli("--session", "./s.json", "http://127.0.0.1:1/")
        #expect(run.status == 11, "\(run.errorText)")
        #expect(try folder.permissions(of: "s.json") == 0o600)
    }

    @Test func `a read-only session is unchanged`() async throws {
        try folder.write(Self.session, to: "s.json", permissions: 0o644)
        try await withServer { _ in
            .ok("shown")
        } _: { (server) async throws in
            let run = try await folder.afcli("-b", "--session-read-only", "./s.json", server.url())
            #expect(run.status == 0, "\(run.errorText)")
            #expect(run.errorText.contains("chmod 600"), "\(run.errorText)")
            #expect(try folder.permissions(of: "s.json") == 0o644)
            #expect(folder.holds(Self.session, in: "s.json"))
        }
    }

    @Test(arguments: [UInt32(0o600), 0o400])
    func `a private session causes no warning`(mode: UInt32) async throws {
        try folder.write(Self.session, to: "s.json", permissions: mode)
        try await withServer { _ in
            .ok("shown")
        } _: { (server) async throws in
            let run = try await folder.afcli("-b", "--session-read-only", "./s.json", server.url())
            #expect(run.status == 0 && run.errorText == "", "\(run.errorText)")
            #expect(try folder.permissions(of: "s.json") == mode)
        }
    }
}
