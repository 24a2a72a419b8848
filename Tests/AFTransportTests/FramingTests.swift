import AFHTTP
import AFTransport
import TestSupport
import Testing

/// `Content-Length` and `Transfer-Encoding` among the caller's headers (RFC 9112 §6).
@Suite(.timeLimit(.minutes(5))) struct FramingTests {
    let transport = CurlTransport()

    /// Sends a request with header fields from `name:value` lines and an optional body.
    private func send(
        _ lines: [String],
        body: BodySource? = nil,
        method: HTTPMethod = .post,
        to server: LocalServer
    ) async throws -> Collector.Record {
        var headers = HTTPHeaders()
        for line in lines {
            let halves = line.split(separator: ":", maxSplits: 1).map(String.init)
            headers.append(name: halves[0], value: halves.count > 1 ? halves[1] : "")
        }
        return try await transport.fetch(server.url(), method: method, headers: headers, body: body)
    }

    private static let abc = BodySource.bytes(Array("abc".utf8))

    @Test(arguments: [
        (["Content-Length:5"], "Content-Length is 5, but the request has no body"),
        (["content-length:1"], "Content-Length is 1, but the request has no body"),
        (["Content-Length:0", "Content-Length:5"], "Content-Length has different values: 0 and 5"),
        (["Content-Length:"], "Content-Length '' is not a number of bytes"),
        (["Content-Length:-1"], "Content-Length '-1' is not a number of bytes"),
        (["Content-Length:+1"], "Content-Length '+1' is not a number of bytes"),
        (["Content-Length:0, 0"], "Content-Length '0, 0' is not a number of bytes"),
        (["Content-Length:99999999999999999999"], "Content-Length '99999999999999999999' is not a number of bytes"),
        (["Transfer-Encoding:chunked"], "Transfer-Encoding announces a body, and the request has none"),
        (["Transfer-Encoding:gzip"], "Transfer-Encoding 'gzip' is not supported, only 'chunked' is"),
        (["Transfer-Encoding:"], "Transfer-Encoding '' is not supported, only 'chunked' is"),
        (["Connection:close, Content-Length"], "Connection cannot name Content-Length, which proxies would remove"),
    ])
    func `fields that announce a body are refused without one`(lines: [String], reason: String) async throws {
        let server = try LocalServer { _ in .ok() }
        for method in [HTTPMethod.get, .head, .post, .delete, .options] {
            let failure = try await send(lines, method: method, to: server).failure
            #expect(failure?.kind == .invalidRequest)
            #expect(failure?.detail == reason)
        }
        #expect(server.acceptedConnections == 0)
    }

    @Test(arguments: [
        (["Content-Length:2"], "Content-Length is 2, but the body has 3 bytes"),
        (["Content-Length:0"], "Content-Length is 0, but the body has 3 bytes"),
        (["Content-Length:3", "Content-Length:4"], "Content-Length has different values: 3 and 4"),
        (
            ["Content-Length:3", "Transfer-Encoding:chunked"],
            "Content-Length and Transfer-Encoding exclude each other"
        ),
        (["Transfer-Encoding:gzip, chunked"], "Transfer-Encoding 'gzip, chunked' is not supported, only 'chunked' is"),
        (
            ["Transfer-Encoding:chunked", "Transfer-Encoding:chunked"],
            "Transfer-Encoding 'chunked, chunked' is not supported, only 'chunked' is"
        ),
        (["Transfer-Encoding:identity"], "Transfer-Encoding 'identity' is not supported, only 'chunked' is"),
    ])
    func `fields that contradict the body are refused`(lines: [String], reason: String) async throws {
        let server = try LocalServer { _ in .ok() }
        let large = BodySource.parts([.bytes([]), Self.abc])
        for body in [Self.abc, large, .stream(PiecewiseStream([Array("abc".utf8)]), length: 3)] {
            let failure = try await send(lines, body: body, to: server).failure
            #expect(failure?.kind == .invalidRequest)
            #expect(failure?.detail == reason)
        }
        #expect(server.acceptedConnections == 0)
    }

    @Test func `Content-Length is sent once, whether or not the caller sets it`() async throws {
        let server = try LocalServer { .ok($0.text) }
        for lines in [[], ["Content-Length:3"], ["content-length:3", "Content-Length:3"]] {
            for body in [Self.abc, .parts([Self.abc]), .stream(PiecewiseStream([Array("abc".utf8)]), length: 3)] {
                #expect(try await send(lines, body: body, to: server).text == "abc")
            }
        }
        #expect(try await send(["Content-Length:0", "Content-Length:0"], method: .get, to: server).failure == nil)
        #expect(server.requests.dropLast().allSatisfy { $0.values(for: "Content-Length") == ["3"] })
        #expect(server.requests.last?.values(for: "Content-Length") == ["0"])
    }

    @Test func `the caller can choose chunked encoding for any body`() async throws {
        let server = try LocalServer { .ok($0.text) }
        let large = [UInt8](repeating: 97, count: 200_000)
        for bytes in [Array("abc".utf8), [], large] {
            for body in [
                BodySource.bytes(bytes), .stream(PiecewiseStream(bytes.isEmpty ? [] : [bytes])),
                .parts([.bytes(bytes)]),
            ] {
                let record = try await send(["Transfer-Encoding:Chunked"], body: body, to: server)
                #expect(record.failure == nil)
                #expect(server.requests.last?.body == bytes)
                #expect(server.requests.last?.values(for: "Transfer-Encoding").map { $0.lowercased() } == ["chunked"])
                #expect(server.requests.last?["Content-Length"] == nil)
            }
        }
        #expect(server.acceptedConnections == 1)
    }

    @Test func `a stream of unknown length must match the caller's Content-Length`() async throws {
        let server = try LocalServer { .ok($0.text) }
        func stream(_ chunks: String...) -> BodySource { .stream(PiecewiseStream(chunks.map { Array($0.utf8) })) }
        let exact = try await send(["Content-Length:5"], body: stream("abc", "de"), to: server)
        #expect(exact.text == "abcde")
        #expect(server.requests.first?.values(for: "Content-Length") == ["5"])
        #expect(server.requests.first?["Transfer-Encoding"] == nil)
        for body in [stream("abcdef"), stream("abcde", "f"), stream("a", "bcde", "f"), stream("abcd", "e", "f")] {
            let failure = try await send(["Content-Length:5"], body: body, to: server).failure
            #expect(failure?.detail == "the body is longer than its announced length of 5 bytes")
        }
        for body in [stream("abc"), stream()] {
            #expect(try await send(["Content-Length:5"], body: body, to: server).failure?.kind == .bodyUnreadable)
        }
        #expect(server.requests.filter(\.isComplete).count == 1)
        for body in [BodySource.parts([stream("abc"), Self.abc]), stream("a")] {
            let length = if case .parts = body { "6" } else { "0" }
            let failure = try await send(["Content-Length:\(length)"], body: body, to: server).failure
            #expect(failure?.kind == .invalidRequest)
            #expect(failure?.detail.hasSuffix("but the length of the body is not known before it is sent") == true)
        }
    }

    @Test func `a body is correctly framed even if Content-Length and Transfer-Encoding are removed`() async throws {
        let server = try LocalServer { .ok($0.text) }
        for body in [Self.abc, .parts([Self.abc]), .stream(PiecewiseStream([Array("abc".utf8)]))] {
            let record = try await transport.fetch(server.url(), method: .post, body: body) {
                $0.removedHeaders = ["Content-Length", "Transfer-Encoding"]
            }
            #expect(record.text == "abc")
        }
        #expect(server.acceptedConnections == 1)
    }

    @Test func `chunked encoding is rejected for HTTP/1.0`() async throws {
        let server = try LocalServer { _ in .ok() }
        let record = try await transport.fetch(
            server.url(), method: .post, headers: [HTTPHeader(name: "Transfer-Encoding", value: "chunked")],
            body: Self.abc
        ) { $0.httpVersion = .http1_0 }
        #expect(record.failure?.kind == .invalidRequest)
    }
}
