import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct LocalServerTests {
    @Test func `a responder's response arrives unchanged`() async throws {
        try await withServer { _ in
            .ok("hello").header("X-One", "1").header("X-One", "2")
        } _: { server in
            let client = try RawClient(server)
            client.send("GET / HTTP/1.1\r\nConnection: close\r\n\r\n")
            #expect(
                client.receiveAll()
                    == "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nX-One: 1\r\nX-One: 2\r\nContent-Length: 5\r\n\r\nhello"
            )
        }
    }

    @Test func `a request is recorded unchanged`() async throws {
        try await withServer { _ in
            .ok()
        } _: { server in
            let client = try RawClient(server)
            let wire = "pUT /a?b=c HTTP/1.1\r\nx-a:  1 \r\nX-A: 2\r\nContent-Length: 4\r\n\r\nbody"
            client.send(wire)
            try await server.waitForRequests()
            let request = try #require(server.requests.first)
            #expect(request.wire == Array(wire.utf8))
            #expect(request.method == "pUT")
            #expect(request.path == "/a" && request.query == "b=c")
            #expect(request.headers == [.init("x-a", "1"), .init("X-A", "2"), .init("Content-Length", "4")])
            #expect(request.text == "body" && request.isComplete)
        }
    }

    @Test func `a chunked request is recorded with and without its framing`() async throws {
        try await withServer {
            .ok($0.text)
        } _: { server in
            let client = try RawClient(server)
            let body = "4\r\nbody\r\n3;note=x\r\n no\r\n0\r\nDigest: 7\r\n\r\n"
            client.send("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + body)
            #expect(client.receive(until: "body no").hasSuffix("\r\n\r\nbody no"))
            let request = try #require(server.requests.first)
            #expect(request.bodyOnWire == Array(body.utf8))
            #expect(request.bodyLength == 7)
            #expect(request.trailers == [.init("Digest", "7")])
        }
    }

    @Test func `bodies that are not stored are counted`() async throws {
        try await withServer(keepsBodies: false) {
            .ok("\($0.bodyLength)")
        } _: { server in
            let client = try RawClient(server)
            client.send("POST / HTTP/1.1\r\nContent-Length: 4\r\n\r\nbody")
            #expect(client.receive(until: "4").hasSuffix("\r\n\r\n4"))
            #expect(server.requests.first?.body.isEmpty == true)
        }
    }

    @Test func `a connection serves many requests, and many connections at once`() async throws {
        try await withServer {
            .ok($0.target + ";")
        } _: { server in
            let clients = try (0..<50).map { _ in try RawClient(server) }
            for round in 0..<3 {
                clients.forEach { $0.send("GET /\(round) HTTP/1.1\r\n\r\n") }
                #expect(clients.allSatisfy { $0.receive(until: ";").hasSuffix("/\(round);") })
            }
            #expect(server.acceptedConnections == 50)
            #expect(server.peakConnections == 50)
            #expect(server.requests.count == 150)
            #expect(server.requests.last.map(\.connection) != nil)
            clients.forEach { $0.finishSending() }
            try await server.waitUntilIdle()
        }
    }

    @Test func `a body is sent after 100 Continue`() async throws {
        try await withServer {
            .ok($0.text)
        } _: { server in
            let client = try RawClient(server)
            client.send("POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
            #expect(client.receive(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
            client.send("ok")
            #expect(client.receive(until: "ok").hasPrefix("HTTP/1.1 200 OK\r\n"))
        }
    }

    @Test func `chunks and trailers are framed`() async throws {
        try await withServer { _ in
            .bytes(Array("abcde".utf8)).chunked(of: 4).trailer("T", "1").closing()
        } _: { server in
            let client = try RawClient(server)
            client.send("GET / HTTP/1.1\r\n\r\n")
            #expect(client.receiveAll().hasSuffix("\r\n\r\n4\r\nabcd\r\n1\r\ne\r\n0\r\nT: 1\r\n\r\n"))
        }
    }

    @Test func `a response to HEAD has no body`() async throws {
        try await withServer { _ in
            .ok("four")
        } _: { server in
            let client = try RawClient(server)
            client.send("HEAD / HTTP/1.1\r\nConnection: close\r\n\r\n")
            #expect(client.receiveAll().hasSuffix("Content-Length: 4\r\n\r\n"))
        }
    }

    @Test func `raw text is sent unchanged, and the connection is closed`() async throws {
        try await withServer { _ in
            .raw("nonsense")
        } _: { server in
            let client = try RawClient(server)
            client.send("GET / HTTP/1.1\r\n\r\n")
            #expect(client.receiveAll() == "nonsense")
        }
    }

    @Test func `an error of a responder is thrown by the scope`() async throws {
        struct Refusal: Error {}
        await #expect(throws: Refusal.self) {
            try await withServer { _ in
                throw Refusal()
            } _: { server in
                let client = try RawClient(server)
                client.send("GET / HTTP/1.1\r\n\r\n")
                #expect(client.receiveAll() == "")
            }
        }
    }

    @Test func `the server listens on a socket file, which is removed with it`() async throws {
        let folder = try ScratchFolder()
        let address = LocalServer.Address.unix(path: folder.file("socket"))
        try await withServer(on: address) { _ in
            .raw("here")
        } _: { server in
            let client = try RawClient(address)
            client.send("GET / HTTP/1.1\r\n\r\n")
            #expect(client.receiveAll() == "here")
        }
        #expect(folder.list() == [])
    }

    @Test(.enabled(if: LocalServer.Address.hasIPv6, "this machine has no ::1"))
    func `the server listens on IPv6`() async throws {
        try await withServer(on: .ipv6(port: 0)) {
            .raw($0["Host"] ?? "")
        } _: { server in
            let client = try RawClient(.ipv6(port: server.port))
            client.send("GET / HTTP/1.1\r\nHost: \(server.authority)\r\n\r\n")
            #expect(client.receiveAll() == "[::1]:\(server.port)")
        }
    }
}
