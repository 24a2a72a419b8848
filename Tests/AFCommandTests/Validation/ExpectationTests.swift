import Synchronization
import TestSupport
import Testing

@testable import AFCommand

@Suite(.timeLimit(.minutes(5))) struct ExpectationTests {
    private func answer(_ json: String = #"{"id": 7, "user": {"name": "Ada", "token": "t0p"}, "tags": ["a"]}"#)
        -> LocalServer.Responder
    {
        { _ in
            .json(json).header("X-A", "1").header("X-A", "2").header("Set-Cookie", "s=secret")
                .header("Content-Location", "/?code=t0p&b=1")
        }
    }

    @Test(arguments: ["credentials.value", "credentials.list[0]", "token"])
    func `a value below a secret name is not shown`(path: String) async throws {
        let json = #"{"credentials": {"value": "hunter2", "list": ["hunter2"]}, "token": "hunter2"}"#
        try await withServer(answer(json)) { server in
            let run = await runTool("--expect-json", "\(path)==\"x\"", server.url(), "-b")
            #expect(run.status == 14)
            #expect(!run.errors.contains("hunter2"), "\(run.errors)")
        }
    }

    @Test(arguments: [
        ["--expect-header", "X-A"], ["--expect-header", "x-a: 2"], ["--expect-header", "X-A:1"],
        ["--expect-json", "user.name==\"Ada\""], ["--expect-json", "user[name]"], ["--expect-json", "id==7.0"],
        ["--expect-json", "tags==[\"a\"]", "--expect-json", "tags[0]"], ["--budget", "total=30s,ttfb=30"],
        ["--budget", "tls=0", "--budget", "dns=30s"],
    ])
    func `fulfilled expectations cause no message`(words: [String]) async throws {
        try await withServer(answer()) { server in
            let run = await runTool(words + [server.url()])
            #expect(run.status == 0)
            #expect(run.errors.isEmpty)
            #expect(run.output.hasPrefix("{"))
        }
    }

    @Test(arguments: [
        (["--expect-header", "X-B"], "expected the header 'X-B', but the response has no 'X-B'"),
        (["--expect-header", "X-B: 1"], "expected the header 'X-B: 1', but the response has no 'X-B'"),
        (["--expect-header", "X-A: 3"], "expected the header 'X-A: 3', got '1' and '2'"),
        (["--expect-header", "Set-Cookie: x"], "expected another value of the header 'Set-Cookie'"),
        (
            ["--expect-header", "X-Token: secret"],
            "expected the header 'X-Token: •••', but the response has no 'X-Token'"
        ),
        (
            ["--expect-header", "Content-Location: /?code=secret&b=2"],
            "expected the header 'Content-Location: /?code=•••&b=2', got '/?code=•••&b=1'"
        ),
        (
            ["--expect-header", "Content-Location: /?code=x&b=1"],
            "expected another value of the header 'Content-Location'"
        ),
        (["--expect-json", "id==8"], "expected 'id' to be 8, got 7"),
        (["--expect-json", "user.id"], "expected a value at 'user.id', but 'user' has no 'id'"),
        (["--expect-json", "tags[1]==1"], "expected 'tags[1]' to be 1, but 'tags' has 1 element"),
        (["--expect-json", "user.token==\"x\""], "expected another value of 'user.token'"),
        (["--expect-json", "==[]"], #"expected the body to be [], got {"id": 7, "user": {"name": "Ada", "#),
    ])
    func `an unfulfilled expectation is reported with the actual value, and the body is shown`(
        words: [String],
        sentence: String
    ) async throws {
        try await withServer(answer()) { server in
            let run = await runTool(words + [server.url()])
            #expect(run.status == 14)
            #expect(run.messages.first?.hasPrefix("afcli: error: \(sentence)") == true, "\(run.errors)")
            #expect(!run.errors.contains("secret") && !run.errors.contains("t0p"))
            #expect(run.output.hasPrefix("{"))
        }
    }

    @Test func `a body beyond the limit is reported with the limit as typed`() async throws {
        try await withServer(answer("[\"\(String(repeating: "x", count: 3000))\"]")) { server in
            let run = await runTool("--max-formatted", "2k", "--expect-json", "a", server.url())
            #expect(run.status == 14)
            #expect(run.errors.contains("got a body of more than 2 KiB; increase --max-formatted"), "\(run.errors)")
            let large = await runTool("--max-filesize", "1k", server.url())
            #expect(large.errors.contains("is larger than 1 KiB\n"), "\(large.errors)")
        }
    }

    @Test func `all failed expectations are reported together`() async throws {
        try await withServer { _ in
            .status(500, "oops")
        } _: { server in
            let run = await runTool(
                "--expect-status", "200", "--expect-type", "application/json", "--expect-header", "X-A",
                "--expect-json",
                "id==7", "--budget", "total=0", server.url())
            #expect(run.status == 14)
            #expect(run.output == "oops")
            #expect(run.messages.count == 9)
            #expect(
                run.errors.hasPrefix(
                    """
                    afcli: error: 5 expectations failed
                      expected a status of 200, got 500
                      expected the media type 'application/json', got 'text/plain'
                      expected the header 'X-A', but the response has no 'X-A'
                      expected 'id' to be 7, but the body is not JSON: expected a JSON value at byte 1
                      expected 'total' to take at most 0.00 ms, got
                    """
                ),
                "\(run.errors)"
            )
        }
    }

    @Test func `a status without an expectation decides if the expectations are fulfilled`() async throws {
        try await withServer { _ in
            .status(404, "[1]")
        } _: { server in
            #expect(await runTool("--expect-json", "[0]==1", server.url()).status == 4)
            #expect(await runTool("--expect-json", "[0]==1", "--no-check-status", server.url()).status == 0)
            #expect(await runTool("--expect-json", "[0]==2", server.url()).status == 14)
        }
    }

    @Test func `a response without a body has no JSON value`() async throws {
        try await withServer { _ in
            .status(204)
        } _: { server in
            let run = await runTool("--expect-json", "a", server.url())
            #expect(run.status == 14)
            #expect(run.messages.first == "afcli: error: expected a value at 'a', but the response has no body")
        }
    }

    @Test func `the final body counts, not that of an earlier attempt`() async throws {
        let count = Mutex(0)
        try await withServer { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return number == 1 ? .status(503, "{\"n\": 1}") : .json("{\"n\": 2}")
        } _: { server in
            let run = await runTool(
                "--retry", "1", "--retry-delay", "1ms", "--expect-json", "n==2", server.url())
            #expect(run.status == 0, "\(run.errors)")
        }
    }

    @Test func `a saved body is searched in its file`() async throws {
        let folder = try ScratchFolder()
        try await withServer(answer()) { server in
            let good = await runTool("-o", folder.file("f"), "--expect-json", "id==7", server.url())
            #expect(good.status == 0, "\(good.errors)")
            let bad = await runTool("-o", folder.file("f"), "--expect-json", "id==8", server.url())
            #expect(bad.status == 14)
            #expect(bad.errors.contains("expected 'id' to be 8, got 7"))
            let device = await runTool("-o", "/dev/null", "--expect-json", "id==8", server.url())
            #expect(device.status == 14)
            let headless = await runTool("-o", folder.file("g"), "--expect-header", "X-B", server.url())
            #expect(headless.status == 14)
            #expect(!folder.list().contains("g"))
        }
    }

    @Test func `a saved body that fails replaces no file, and is shown`() async throws {
        let folder = try ScratchFolder()
        let file = try folder.write("old", to: "f")
        try await withServer(answer(#"{"id": 7}"#)) { server in
            for place in [file, folder.file("g")] {
                let run = await runTool("-o", place, "--expect-json", "id==8", "--report", "-", server.url())
                #expect(run.status == 14)
                #expect(run.errors.contains(#"{"id": 7}"#), "\(run.errors)")
                #expect(run.errors.contains("expected 'id' to be 8, got 7"))
                #expect(!run.errors.contains("saved to"))
                #expect(run.output.contains(#""kind": "expectation""#), "\(run.output)")
            }
            #expect(folder.holds("old", in: "f"))
            #expect(folder.list() == ["f"])
            let quiet = await runTool("-q", "-o", file, "--expect-json", "id==8", server.url())
            #expect(quiet.errors.contains(#"  | {"id": 7}"#) && quiet.messages.count == 6, "\(quiet.errors)")
            let quieter = await runTool("-qq", "-o", file, "--expect-json", "id==8", server.url())
            #expect(quieter.messages.count == 1, "\(quieter.errors)")
            #expect(await runTool("-o", file, "--expect-json", "id==7", server.url()).status == 0)
            #expect(folder.holds(#"{"id": 7}"#, in: "f"))
        }
    }

    @Test func `a body rejected at its end ends a resumed download, too`() async throws {
        let folder = try ScratchFolder()
        let text = #"{"id": 7, "text": "a body in two parts"}"#
        try folder.write("old", to: "f")
        let isFirst = Mutex(true)
        try await withServer { request in
            let cut = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            let rest = request["Range"].map { _ in String(text.dropFirst(5)) }
            let head = rest == nil ? "200 OK" : "206 Partial Content\r\nContent-Range: bytes 5-39/40"
            let length = rest?.utf8.count ?? 40
            let fields = "ETag: \"e\"\r\nContent-Length: \(length)\r\nConnection: close"
            return .raw("HTTP/1.1 \(head)\r\n\(fields)\r\n\r\n\(cut ? String(text.prefix(10)) : rest ?? text)")
        } _: { server in
            let words = ["-o", folder.file("f"), "--expect-json", "id==8", server.url()]
            #expect(await runTool(words).status == 13)
            let resumed = await runTool(["--resume"] + words)
            #expect(resumed.status == 14, "\(resumed.errors)")
            #expect(resumed.errors.contains("expected 'id' to be 8, got 7"))
            #expect(server.requests.last?["Range"] == "bytes=5-")
            #expect(folder.holds("old", in: "f"))
        }
    }

    @Test func `a body is buffered up to a limit`() {
        let capture = BodyCapture(limit: 4)
        capture.add([1, 2])
        capture.add([3, 4])
        #expect(capture.body == .complete([1, 2, 3, 4]))
        capture.add([5])
        capture.add([6])
        #expect(capture.body == .tooLarge(limit: 4))
        capture.begin()
        #expect(capture.body == .complete([]))
    }

    @Test(arguments: [
        ["--expect-header", ""], ["--expect-header", "a b"], ["--expect-header", ": x"], ["--expect-json", "a=="],
        ["--expect-json", "a==Ada L."], ["--expect-json", "a==True"], ["--expect-json", "a[b"],
        ["--expect-json", "a[]==1"], ["--budget", "ttfb"],
        ["--budget", "wait=1s"], ["--budget", "ttfb=soon"], ["--budget", ""],
    ])
    func `an invalid expectation is a usage error`(words: [String]) async {
        let run = await runTool(words + ["example.invalid"])
        #expect(run.status == 64)
        #expect(run.messages.first?.hasPrefix("afcli: error: \(words[0]): ") == true, "\(run.errors)")
    }
}

extension BodyCapture {
    fileprivate func add(_ bytes: [UInt8]) { bytes.withUnsafeBytes { add($0) } }
}
