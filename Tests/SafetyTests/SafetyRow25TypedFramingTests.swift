import AFCore
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@Suite("Safety 25: typed framing", .timeLimit(.minutes(5)))
struct SafetyRow25TypedFramingTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    @Test(arguments: [
        (["get", "URL", "Content-Length:5"], "Content-Length is 5, but the request has no body"),
        (["URL", "Content-Length:5"], "Content-Length is 5, but the request has no body"),
        (["head", "URL", "Content-Length:5"], "Content-Length is 5, but the request has no body"),
        (["post", "URL", "-H", "content-length: 5"], "Content-Length is 5, but the request has no body"),
        (["get", "URL", "Transfer-Encoding:chunked"], "Transfer-Encoding announces a body, and the request has none"),
        (["post", "URL", "Transfer-Encoding:chunked"], "Transfer-Encoding announces a body, and the request has none"),
        (["URL", "Transfer-Encoding:gzip"], "Transfer-Encoding 'gzip' is not supported, only 'chunked' is"),
        (["URL", "--raw", "four", "Content-Length:3"], "Content-Length is 3, but the body has 4 bytes"),
        (["URL", "a=b", "Content-Length:0"], "Content-Length is 0, but the body has 10 bytes"),
        (["URL", "--raw", "@file", "Content-Length:3"], "Content-Length is 3, but the body has 4 bytes"),
        (["URL", "-xx", "--raw", "four", "Content-Length:4"], "Content-Length is 4, but the body has 12 bytes"),
        (
            ["URL", "--raw", "four", "Content-Length:4", "Transfer-Encoding:chunked"],
            "Content-Length and Transfer-Encoding exclude each other"
        ),
        (
            ["--chunked", "URL", "--raw", "four", "Content-Length:4"],
            "Content-Length and Transfer-Encoding exclude each other"
        ),
        (
            ["URL", "--raw", "four", "Content-Length:4", "Content-Length:5"],
            "Content-Length has different values: 4 and 5"
        ),
        (["URL", "--raw", "four", "Content-Length:4,4"], "Content-Length '4,4' is not a number of bytes"),
        (
            ["URL", "--raw", "four", "Transfer-Encoding:gzip, chunked"],
            "Transfer-Encoding 'gzip, chunked' is not supported, only 'chunked' is"
        ),
        (
            ["URL", "--raw", "four", "Connection:Content-Length"],
            "Connection cannot name Content-Length, which proxies would remove"
        ),
    ])
    func `header fields that contradict the body are a usage error`(words: [String], sentence: String) async throws {
        try folder.write("four", to: "file")
        try await withServer { _ in
            .ok()
        } _: { server in
            let words = words.map { $0 == "URL" ? server.url() : $0 }
            for option in [[], ["--offline"], ["--curl"]] {
                let run = try await folder.afcli(option + words)
                #expect(run.status == 64)
                #expect(run.errorText.hasPrefix("afcli: error: \(sentence)\n  omit the field"), "\(run.errorText)")
                #expect(run.text == "")
            }
            #expect(server.acceptedConnections == 0)
        }
    }

    /// Fields beside a body, all of which leave the connection usable for the next request.
    static let framed: [[String]] = [
        ["--raw", "four", "Content-Length:4"], ["--raw", "four", "Content-Length:4", "content-length:4"],
        ["--raw", "four", "Content-Length:"], ["--raw", "four", "Transfer-Encoding:chunked"],
        ["--raw", "four", "Transfer-Encoding:"], ["--raw", "@large", "Content-Length:100000"],
        ["--raw", "@large", "Content-Length:"], ["--raw", "@large", "Transfer-Encoding:chunked"],
        ["--chunked", "--raw", "four", "Transfer-Encoding:chunked"], ["--raw", "", "Transfer-Encoding:chunked"],
        ["--chunked", "--raw", "@empty"], ["--raw", "@empty", "Transfer-Encoding:chunked"],
        ["--raw", "four", "TE:trailers", "Trailer:X-Sum", "Keep-Alive:timeout=5", "Connection:keep-alive, TE"],
        ["Content-Length:0"], ["Content-Length:0", "Content-Length:0"], ["Content-Length:"], ["Transfer-Encoding:"],
        ["Expect:100-continue"], ["Trailer:X-Sum"],
    ]

    @Test(arguments: framed, [[], ["-A", "digest", "-a", "ada:open sesame"]])
    func `requests with typed framing fields are framed once, also after a challenge and a redirect`(
        words: [String], login: [String]
    ) async throws {
        try folder.write([UInt8](repeating: 97, count: 100_000), to: "large")
        try folder.write("", to: "empty")
        let digest = DigestLogin()
        try await withServer { request in
            guard login.isEmpty || digest.accepts(request) else {
                return .status(401).header("WWW-Authenticate", digest.challenge())
            }
            return request.path == "/" ? .redirect(to: "/next", status: 307) : .ok("\(request.bodyLength)")
        } _: { server in
            let run = try await folder.afcli(["-L", "post", server.url()] + words + login)
            #expect(run.status == 0, "\(run.errorText)")
            let length = words.contains("four") ? 4 : words.contains("@large") ? 100_000 : 0
            #expect(run.text == "\(length)")
            #expect(server.requests.last?.path == "/next" && server.requests.last?.method == "POST")
            for request in server.requests {
                let lengths = request.values(for: "Content-Length")
                let codings = request.values(for: "Transfer-Encoding")
                #expect(lengths.count + codings.count == 1 || lengths == ["0", "0"], "\(request.headText)")
            }
        }
    }

    @Test(arguments: [
        ("12345", 5, 0, "12345"), ("123456", 5, 16, "longer than its announced length of 5 bytes"),
        ("1234", 5, 16, "ended after 4 of 5 announced bytes"), ("", 5, 64, "Content-Length is 5"),
    ])
    func `a typed Content-Length must be the length of the pipe's content`(
        content: String, length: Int, status: Int32, sentence: String
    ) async throws {
        try await withServer {
            .ok($0.text)
        } _: { server in
            let words = ["-b", "post", server.url(), "Content-Length:\(length)"]
            // The input ends soon, or it is so slow that it is sent as it arrives.
            let quick = try await folder.afcli(words, input: .text(content))
            #expect(quick.status == (status == 16 ? 64 : status), "\(quick.errorText)")
            let script = #"p=$1; shift; (printf "%s" "$p"; sleep 0.8) | "$0" "$@""#
            let slow = Program("/bin/sh", ["-c", script, try Program.afcliPath(), content] + words)
            let run = try await slow.run()
            #expect(run.status == status, "\(run.errorText)")
            #expect(run.allOutput.contains(sentence), "\(run.allOutput)")
            let whole = server.requests.filter(\.isComplete)
            #expect(whole.map(\.text) == (status == 0 ? [content, content] : []))
            #expect(whole.allSatisfy { $0.values(for: "Content-Length") == ["\(length)"] })
        }
    }

    @Test func `late bytes of a pipe after its typed length fail the request`() async throws {
        try await withServer { _ in
            .ok()
        } _: { server in
            let script = #"(printf 12345; sleep 0.8; printf 6) | "$0" "$@""#
            let words = ["-b", "post", server.url(), "Content-Length:5"]
            let run = try await Program("/bin/sh", ["-c", script, try Program.afcliPath()] + words).run()
            #expect(run.status == 16, "\(run.errorText)")
            #expect(run.errorText.hasPrefix("afcli: error: the body is longer than its announced length of 5 bytes\n"))
            #expect(server.requests.allSatisfy { !$0.isComplete })
        }
    }

    @Test func `a typed Transfer-Encoding is not stored in a session`() async throws {
        try await withServer {
            .ok($0.text)
        } _: { server in
            let words = ["--session", "./s.json", server.url()]
            let chunked = try await folder.afcli(
                ["post"] + words + ["--raw", "x", "Transfer-Encoding:chunked", "X-A:b"])
            #expect(chunked.status == 0, "\(chunked.errorText)")
            #expect(try !folder.text(of: "s.json").contains("chunked"))
            let next = try await folder.afcli(["get"] + words)
            #expect(next.status == 0, "\(next.errorText)")
            #expect(server.requests.last?["X-A"] == "b")
        }
    }

    @Test func `a library request whose length contradicts its body is not sent`() async throws {
        try await withServer { _ in
            .ok()
        } _: { server in
            let session = Session()
            let headers: HTTPHeaders = ["Content-Length": "5"]
            let empty = await session.request(server.url(), headers: headers).serializingData().response
            #expect(empty.error?.underlyingError is TransferFailure)
            let upload = await session.upload(Data("abc".utf8), to: server.url(), headers: headers).serializingData()
                .response
            #expect(upload.error?.underlyingError is TransferFailure)
            #expect(server.acceptedConnections == 0)
        }
    }

    @Test func `a library request with a stream longer than its length is not sent in part`() async throws {
        try await withServer { _ in
            .ok()
        } _: { server in
            let session = Session()
            let upload = session.upload(.stream(SixBytes(), length: 5), to: server.url())
            let failure = await upload.serializingData().response.error?.underlyingError as? TransferFailure
            #expect(failure?.kind == .bodyUnreadable)
            #expect(server.requests.allSatisfy { !$0.isComplete })
        }
    }
}

/// A stream that gives one byte at a time.
private final class SixBytes: BodyStream {
    private let count = Mutex(6)

    func read(into buffer: UnsafeMutableRawBufferPointer, whenReady: @escaping @Sendable () -> Void) -> BodyRead {
        buffer[0] = UInt8(ascii: "a")
        return count.withLock { count in
            guard count > 0 else { return .end }
            count -= 1
            return .bytes(1)
        }
    }

    func rewind() -> Bool { false }
}
