import TestSupport
import Testing

@Suite("Safety 25: expectations", .timeLimit(.minutes(5)))
struct SafetyRow25ExpectationTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    @Test(arguments: [["--raw", "0123456789"], ["--chunked", "--raw", "0123456789"], ["@-"]])
    func `a 417 to a request without Expect is final and its body is shown`(words: [String]) async throws {
        try await withServer { _ in
            .status(417, "no such expectation")
        } _: { server in
            let run = try await folder.afcli(["-b", "post", server.url()] + words, input: .text("0123456789"))
            #expect(run.status == 4, "\(run.errorText)")
            #expect(run.text == "no such expectation")
            #expect(server.requests.map(\.text) == ["0123456789"])
            #expect(server.requests.first?["Expect"] == nil)
        }
    }

    @Test(arguments: [["Expect:100-continue"], ["Expect:100-continue", "--expect100", "no"], ["--expect100", "yes"]])
    func `after a rejected Expect one more request is sent without it`(words: [String]) async throws {
        try await withServer { request in
            request["Expect"] == nil ? .ok(request.text) : .status(417, "no such expectation")
        } _: { server in
            let run = try await folder.afcli(["-b", "post", server.url(), "--raw", "0123456789"] + words)
            #expect(run.status == 0, "\(run.errorText)")
            #expect(run.text == "0123456789")
            #expect(server.requests.map { $0["Expect"] } == ["100-continue", nil])
        }
    }
}
