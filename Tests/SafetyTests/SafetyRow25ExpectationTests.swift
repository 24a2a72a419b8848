import Synchronization
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

    @Test(arguments: [("post", ["/a", "/b"], 13), ("patch", ["/a", "/b"], 13), ("put", ["/a", "/b", "/b"], 0)])
    func `a request on a reused connection is sent twice only if it is idempotent`(
        method: String, paths: [String], status: Int32
    ) async throws {
        let received = Mutex<[String]>([])
        try await withScriptedServer { connection in
            var isReused = false
            while let request = try connection.readRequest() {
                let isFirst = received.withLock { received in
                    received.append(request.path)
                    return received.count { $0 == request.path } == 1
                }
                if isReused, isFirst { return }
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
                isReused = true
            }
        } _: { server in
            try folder.write(server.url("/a") + "\n" + server.url("/b") + "\n", to: "list")
            let run = try await folder.afcli(["--parallel", "1", method, "--input", "list", "a=1"])
            #expect(run.status == status, "\(run.errorText)")
            #expect(received.withLock(\.self) == paths)
        }
    }
}
