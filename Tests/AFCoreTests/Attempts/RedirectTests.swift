import AFCore
import FoundationEssentials
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct RedirectTests {
    let session = Session()

    @Test func `every hop has its own metrics, and the response is that of the last hop`() async throws {
        let server = try LocalServer { request in
            switch request.path {
            case "/1": .redirect(to: "/2", status: 301)
            case "/2": .redirect(to: "3", status: 303)
            default: .ok("there")
            }
        }
        let request = session.request(server.url("/1"), method: .put)
        let response = await request.serializingString().response
        #expect(response.value == "there")
        let hops = try #require(response.metrics?.transactionMetrics)
        #expect(hops.map(\.statusCode) == [301, 303, 200])
        #expect(hops.map(\.method) == [.put, .put, .get])
        #expect(hops.map(\.url) == ["/1", "/2", "/3"].map(server.url))
        #expect(response.metrics?.redirectCount == 2)
        #expect(response.response?.url?.absoluteString == server.url("/3"))
        #expect(request.performedRequests.first?.url?.absoluteString == server.url("/3"))
        #expect(response.request?.url?.absoluteString == server.url("/1"))
        #expect(server.acceptedConnections == 1)
    }

    @Test func `an explicit Host stays for another port of its server, and for no other server`() async throws {
        for (target, host) in [
            ("http://a.test:81/2", "b.test"), ("https://a.test/2", "b.test"), ("http://c.test/2", nil),
            ("http://a.test/2", "b.test"),
        ] as [(String, String?)] {
            let transport = ScriptedTransport { exchange in
                let isFirst = exchange.transfer.url.text == "http://a.test/1"
                exchange.respond(isFirst ? 302 : 200, headers: isFirst ? ["Location": target] : [:])
            }
            let session = Session(transport: transport)
            _ = await session.request("http://a.test/1", headers: ["Host": "b.test"]).serializingData().response
            try #require(transport.exchanges.count == 2)
            #expect(transport.exchanges[1].transfer.headers.value(for: "Host") == host, "\(target)")
        }
    }

    @Test func `the total timeout covers all hops of an attempt`() async throws {
        let server = try LocalServer { _ in .redirect(to: "/") }
        var configuration = SessionConfiguration()
        configuration.redirects.limit = .max
        configuration.timeouts.total = 0.3
        let session = Session(configuration: configuration)
        let response = await session.request(server.url()).serializingData().response
        let failure = response.error?.underlyingError as? TransferFailure
        #expect(failure?.kind == .totalTimedOut)
        #expect(failure?.detail == "the transfer took longer than 0.3 s")
    }

    @Test func `the elapsed time includes earlier hops, and restarts at zero for each attempt`() async throws {
        let transport = ScriptedTransport { exchange in
            switch exchange.transfer.url.text {
            case "http://a.test/1": exchange.respond(302, headers: ["Location": "/2"])
            case "http://a.test/2": exchange.respond(302, headers: ["Location": "/3"])
            default: exchange.respond(503)
            }
        }
        let session = Session(transport: transport, interceptor: RetryPolicy(retryLimit: 1, exponentialBackoffScale: 0))
        _ = await session.request("http://a.test/1").validate().serializingData().response
        let times = transport.exchanges.map(\.transfer.elapsedTime)
        try #require(times.count == 6)
        #expect(times[0] == 0 && times[0] < times[1] && times[1] < times[2])
        #expect(times[3] == 0 && times[3] < times[4] && times[4] < times[5])
    }

    @Test func `the body of a redirect is not delivered`() async throws {
        let server = try LocalServer { request in
            request.path == "/" ? .status(302, "not this").header("Location", "/there") : .ok("this")
        }
        #expect(try await session.request(server.url()).serializingString().value == "this")
    }

    @Test func `a redirect with an endless body is followed`() async throws {
        let server = try LocalServer.scripted { connection in
            while let request = try connection.readRequest() {
                guard request.path == "/" else {
                    try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nthere")
                    continue
                }
                try connection.send("HTTP/1.1 302 Found\r\nLocation: /there\r\nContent-Length: 999999999\r\n\r\n")
                while true { try connection.send([UInt8](repeating: 0, count: 1 << 16)) }
            }
        }
        #expect(try await session.request(server.url()).serializingString().value == "there")
    }

    @Test func `a redirect whose body never arrives is followed`() async throws {
        let server = try LocalServer.scripted { connection in
            guard let request = try connection.readRequest() else { return }
            guard request.path == "/" else {
                return try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nthere")
            }
            try connection.send("HTTP/1.1 302 Found\r\nLocation: /there\r\nContent-Length: 10\r\n\r\n")
            try connection.waitForClose()
        }
        // Only the core's own time limit ends the wait for the body.
        var configuration = SessionConfiguration()
        configuration.timeouts.idle = nil
        let session = Session(configuration: configuration)
        #expect(try await session.request(server.url()).serializingString().value == "there")
    }

    @Test func `a redirect with a truncated body is followed`() async throws {
        let server = try LocalServer { request in
            request.path == "/"
                ? .raw("HTTP/1.1 302 Found\r\nLocation: /there\r\nContent-Length: 10\r\n\r\nhalf") : .ok("there")
        }
        #expect(try await session.request(server.url()).serializingString().value == "there")
    }

    @Test func `a redirect loop ends with an error at the limit`() async throws {
        let server = try LocalServer { _ in .redirect(to: "/") }
        var configuration = SessionConfiguration()
        configuration.redirects.limit = 4
        let session = Session(configuration: configuration)
        let response = await session.request(server.url()).serializingData().response
        #expect((response.error?.underlyingError as? RedirectFailure)?.reason == .tooMany(limit: 4))
        #expect(server.requests.count == 5)
    }

    @Test func `a body is sent again from its first byte`() async throws {
        let server = try LocalServer { request in
            request.path == "/" ? .redirect(to: "/there", status: 307) : .ok("\(request.method) \(request.text)")
        }
        let stream = ScriptedStream([.bytes("str"), .pause, .bytes("eamed")])
        let upload = session.upload(.stream(stream, length: 8), to: server.url())
        #expect(try await upload.serializingString().value == "POST streamed")
        let data = session.upload(Data("in memory".utf8), to: server.url(), method: .put)
        #expect(try await data.serializingString().value == "PUT in memory")
    }

    @Test func `a redirect of a body that can be sent only once is an error, and nothing is sent again`() async throws {
        let server = try LocalServer { $0.path == "/" ? .redirect(to: "/there", status: 307) : .ok("x") }
        let stream = ScriptedStream([.bytes("streamed")], canRewind: false)
        let response = await session.upload(.stream(stream, length: 8), to: server.url()).serializingData().response
        #expect((response.error?.underlyingError as? RedirectFailure)?.reason == .bodyNotRewindable)
        #expect(server.requests.count == 1)
    }

    @Test func `stored cookies are sent to their hosts, cookies in header fields only to their origin`() async throws {
        let other = try LocalServer { .ok("[\($0.values(for: "Cookie").joined())]") }
        let server = try LocalServer { request in
            switch request.path {
            case "/": LocalServer.Response.redirect(to: "/2").header("Set-Cookie", "kept=1; Path=/")
            case "/2": .redirect(to: other.url("/?\((request["Cookie"] ?? "").split(separator: ";").count)"))
            default: .ok()
            }
        }
        let request = session.request(server.url(), headers: ["Cookie": "typed=1"])
        let text = try await request.serializingString().value
        #expect(text == "[kept=1]")
        #expect(other.requests.first?.query == "2")
    }

    @Test func `canceling between two hops ends the request`() async throws {
        let transport = ScriptedTransport()
        let session = Session(transport: transport)
        let request = session.request("http://scripted.test/")
        let task = request.serializingData()
        let first = try await transport.exchange(1)
        first.receiveHead(302, headers: ["Location": "/next"])
        request.cancel()
        #expect(await task.response.error?.isExplicitlyCancelledError == true)
        #expect(transport.exchanges.count == 1)
    }

    @Test func `requests canceled during an immediate redirect all end`() async throws {
        let transport = ScriptedTransport { exchange in
            exchange.respond(exchange.transfer.url.path == "/" ? 302 : 200, headers: ["Location": "/next"], body: "x")
        }
        let session = Session(transport: transport)
        for _ in 0..<300 {
            let request = session.request("http://scripted.test/")
            let task = request.serializingData()
            async let ended = task.response
            request.cancel()
            _ = await ended
        }
    }
}
