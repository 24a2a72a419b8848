import AFCore
import Dispatch
import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct WebSocketRequestTests {
    private let session = Session()

    @Test func `events are delivered in order, and end with the Close frame of the server`() async throws {
        try await withScriptedServer { connection in
            let peer = try WebSocketPeer(accepting: connection, fields: "Sec-WebSocket-Protocol: chat\r\n")
            try peer.send("one")
            try peer.send(2, [1, 2])
            try peer.send(9, Array("p".utf8))
            #expect(try peer.receive().payload == Array("p".utf8))
            try peer.close(1001, "bye")
            #expect(try peer.receive().closeCode == 1001)
        } _: { server in
            let request = session.webSocketRequest(to: server.webSocketURL, configuration: .protocol("chat, other"))
            let notes = await request.notes()
            #expect(
                notes == [
                    .connected("chat"), .text("one"), .message(.data(Data([1, 2]))), .disconnected(1001, "bye"),
                    .completed(nil),
                ])
            let head = try #require(server.requests.first)
            #expect(head.method == "GET" && head["Upgrade"] == "websocket" && head["Connection"] == "Upgrade")
            #expect(head["Sec-WebSocket-Version"] == "13" && head["Sec-WebSocket-Protocol"] == "chat, other")
            #expect(head["Content-Length"] == nil && head["Transfer-Encoding"] == nil && head["Expect"] == nil)
            #expect(request.response?.statusCode == 101)
            #expect(request.metrics?.transactionMetrics.last?.statusCode == 101)
            #expect(request.isFinished)
        }
    }

    @Test(arguments: [false, true])
    func `echoed messages are received in order, and the client closes`(isCompressed: Bool) async throws {
        let fields = isCompressed ? "Sec-WebSocket-Extensions: permessage-deflate\r\n" : ""
        try await withScriptedServer { connection in
            try WebSocketPeer(accepting: connection, fields: fields).echo()
        } _: { server in
            let request = session.webSocketRequest(to: server.webSocketURL)
            let sent = (0..<200).map { index -> WebSocketMessage in
                let text = String(repeating: "grüß \(index) ", count: index * 5)
                return index % 2 == 0 ? .string(text) : .data(Data(text.utf8))
            }
            for message in sent { request.send(message) { _ in } }
            let left = Atomic(sent.count)
            let notes = await request.notes { event in
                guard event.message != nil else { return }
                if left.subtract(1, ordering: .relaxed).newValue == 0 { event.close(sending: .normalClosure) }
            }
            #expect(
                notes == [.connected(nil)] + sent.map(WebSocketNote.message) + [
                    .disconnected(1000, nil), .completed(nil),
                ])
        }
    }

    @Test func `a message of 16 MiB is echoed`() async throws {
        try await withScriptedServer { connection in
            try WebSocketPeer(accepting: connection).echo()
        } _: { server in
            let request = session.webSocketRequest(
                to: server.webSocketURL, configuration: .maximumMessageSize(16 << 20))
            let message = WebSocketMessage.data(Data((0..<(16 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 7) }))
            request.send(message) { _ in }
            let notes = await request.notes { if $0.message != nil { $0.close(sending: .normalClosure) } }
            #expect(notes.contains(.message(message)))
            #expect(notes.last == .completed(nil))
        }
    }

    @Test(arguments: [1000, 1001, 1008, 1011, 3000, 4999])
    func `the client's close code and reason are sent after its messages`(code: Int) async throws {
        try await withScriptedServer { connection in
            let peer = try WebSocketPeer(accepting: connection)
            #expect(try peer.receive().text == "last")
            let frame = try peer.receive()
            #expect(frame.opcode == 8 && frame.closeCode == code)
            #expect(frame.payload.dropFirst(2).elementsEqual("done".utf8))
            try peer.send(8, frame.payload)
        } _: { server in
            let request = session.webSocketRequest(to: server.webSocketURL)
            let notes = await request.notes { event in
                guard case .connected = event.kind else { return }
                request.send(.string("last")) { _ in }
                event.close(sending: WebSocketCloseCode(rawValue: code), reason: Data("done".utf8))
            }
            #expect(notes == [.connected(nil), .disconnected(code, "done"), .completed(nil)])
        }
    }

    @Test(arguments: [
        ([0x83, 0x00] as [UInt8], 1002), ([0x81, 0x01, 0xFF], 1007), ([0x82, 0x7F, 0, 0, 0, 0, 1, 0, 0, 0], 1009),
    ])
    func `a protocol violation closes the connection with its code, and fails`(bytes: [UInt8], code: Int) async throws {
        try await withScriptedServer { connection in
            let peer = try WebSocketPeer(accepting: connection)
            try peer.send(bytes: bytes)
            #expect(try peer.receive().closeCode == code)
        } _: { server in
            let request = session.webSocketRequest(to: server.webSocketURL)
            let notes = await request.notes()
            #expect(notes.count == 2)
            #expect(request.failure?.closeCode?.rawValue == code)
        }
    }

    @Test func `a connection that ends without a Close frame fails`() async throws {
        try await withScriptedServer { connection in
            let peer = try WebSocketPeer(accepting: connection)
            try peer.send("x")
        } _: { server in
            let request = session.webSocketRequest(to: server.webSocketURL)
            let notes = await request.notes()
            #expect(notes.prefix(2) == [.connected(nil), .text("x")])
            #expect(request.failure?.kind == .noCloseFrame)
        }
    }

    @Test func `a reset connection fails with the transport's error`() async throws {
        try await withScriptedServer { connection in
            let peer = try WebSocketPeer(accepting: connection)
            #expect(try peer.receive().text == "x")
            connection.reset()
        } _: { server in
            let request = session.webSocketRequest(to: server.webSocketURL)
            request.send(.string("x")) { _ in }
            _ = await request.notes()
            #expect((request.error?.underlyingError as? TransferFailure)?.kind == .truncated)
        }
    }

    @Test func `a refused handshake completes with the response`() async throws {
        try await withServer { _ in
            .status(403, "no sockets here")
        } _: { server in
            let request = session.webSocketRequest(to: server.webSocketURL)
            let results = Mutex<[Result<Void, any Error>]>([])
            request.send(.string("x")) { result in results.withLock { $0.append(result) } }
            let notes = await request.notes()
            #expect(notes.count == 1)
            #expect(request.error?.responseCode == 403)
            #expect(request.response?.statusCode == 403)
            try await eventually("the message failed") { results.withLock { $0.count } == 1 }
            await #expect(throws: AFError.self) { try await request.send(.string("y")) }
        }
    }

    @Test(arguments: ["", "HTTP/1.1 101 Swi"])
    func `a connection that closes before a response fails`(start: String) async throws {
        try await withScriptedServer { connection in
            _ = try connection.readRequest()
            if !start.isEmpty { try connection.send(start) }
        } _: { server in
            let request = session.webSocketRequest(to: server.webSocketURL)
            _ = await request.notes()
            #expect((request.error?.underlyingError as? TransferFailure)?.kind == .connectionLost)
        }
    }

    @Test func `a rejected handshake does not wait for the end of its body`() async throws {
        try await withScriptedServer { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
            try connection.sendSlowly(String(repeating: "data: x\n\n", count: 500), every: .milliseconds(10))
        } _: { server in
            let request = session.webSocketRequest(to: server.webSocketURL)
            #expect(await request.notes().count == 1)
            #expect(request.error?.responseCode == 200)
        }
    }

    @Test func `a session with HTTP/2 opens WebSockets over HTTP/1.1`() async throws {
        var configuration = SessionConfiguration()
        configuration.httpVersion = .http2
        let session = Session(configuration: configuration)
        try await withScriptedServer { connection in
            try WebSocketPeer(accepting: connection).close(1000)
        } _: { server in
            let notes = await session.webSocketRequest(to: server.webSocketURL).notes()
            #expect(notes == [.connected(nil), .disconnected(1000, nil), .completed(nil)])
        }
    }

    @Test func `a large message sent before the connection is echoed before the close`() async throws {
        try await withScriptedServer { connection in
            try WebSocketPeer(accepting: connection).echo()
        } _: { server in
            let request = session.webSocketRequest(
                to: server.webSocketURL, configuration: .maximumMessageSize(4 << 20))
            let message = WebSocketMessage.data(Data(repeating: 7, count: 2 << 20))
            request.send(message) { _ in }
            let notes = await request.notes { event in
                if case .connected = event.kind { event.close(sending: .normalClosure) }
            }
            #expect(notes == [.connected(nil), .message(message), .disconnected(1000, nil), .completed(nil)])
        }
    }

    @Test func `neither a slow handler nor a slow close causes a ping timeout`() async throws {
        try await withScriptedServer { connection in
            let peer = try WebSocketPeer(accepting: connection)
            for _ in 0..<30 { try peer.send(2, [UInt8](repeating: 1, count: 100_000)) }
            try peer.echo()
            usleep(600_000)
        } _: { server in
            // Longer than a busy machine needs for a pong.
            let request = session.webSocketRequest(to: server.webSocketURL, configuration: .pingInterval(0.25))
            let count = Atomic(0)
            let notes = await request.notes { event in
                if count.add(1, ordering: .relaxed).newValue == 2 { usleep(800_000) }
                if event.message != nil, count.load(ordering: .relaxed) == 31 { event.close(sending: .normalClosure) }
            }
            #expect(notes.last == .completed(nil))
        }
    }

    @Test func `a wrong Sec-WebSocket-Accept field is an invalid handshake`() async throws {
        try await withScriptedServer { connection in
            _ = try connection.readRequest()
            try connection.send(
                "HTTP/1.1 101 OK\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: x\r\n\r\n")
            try connection.waitForClose()
        } _: { server in
            let request = session.webSocketRequest(to: server.webSocketURL)
            let notes = await request.notes()
            #expect(notes.count == 1)
            #expect(request.failure?.kind == .invalidHandshake)
        }
    }

    @Test func `a retry reconnects with a new key, and sends the messages that were not sent`() async throws {
        try await withScriptedServer { connection in
            guard connection.number > 1 else {
                _ = try connection.readRequest()
                return try connection.send("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            }
            try WebSocketPeer(accepting: connection).echo()
        } _: { server in
            let retrier = Retrier { _, _, _, completion in completion(.retry) }
            let interceptor = Interceptor(adapters: [], retriers: [retrier])
            let request = session.webSocketRequest(to: server.webSocketURL, interceptor: interceptor)
            request.send(.string("late")) { _ in }
            let notes = await request.notes { if $0.message != nil { $0.close(sending: .normalClosure) } }
            #expect(notes == [.connected(nil), .text("late"), .disconnected(1000, nil), .completed(nil)])
            #expect(request.retryCount == 1)
            let keys = server.requests.map { $0["Sec-WebSocket-Key"] }
            #expect(keys.count == 2 && keys[0] != keys[1])
        }
    }

    @Test func `redirects are followed, with a new key, and cookies are sent`() async throws {
        try await withScriptedServer { connection in
            let peer = try WebSocketPeer(accepting: connection)
            #expect(peer.request["Cookie"] == "a=b")
            try peer.close(1000)
        } _: { target in
            let place = target.webSocketURL + "x"
            try await withServer { _ in
                .redirect(to: place).header("Set-Cookie", "a=b")
            } _: { server in
                let request = session.webSocketRequest(to: server.webSocketURL)
                #expect(await request.notes() == [.connected(nil), .disconnected(1000, nil), .completed(nil)])
                #expect(target.requests.first?.target == "/x")
                #expect(
                    server.requests.first?["Sec-WebSocket-Key"] != target.requests.first?["Sec-WebSocket-Key"])
            }
        }
    }

    @Test func `an adapter and credentials add their fields to the handshake`() async throws {
        try await withScriptedServer { connection in
            let peer = try WebSocketPeer(accepting: connection)
            #expect(peer.request["Authorization"] == "Basic YTpi" && peer.request["X-Signed"] == "1")
            try peer.close(nil)
        } _: { server in
            let adapter = Adapter { request, _, completion in
                var request = request
                request.headers["X-Signed"] = "1"
                completion(.success(request))
            }
            let interceptor = Interceptor(adapters: [adapter], retriers: [])
            let request = session.webSocketRequest(to: server.webSocketURL, interceptor: interceptor)
                .authenticate(username: "a", password: "b")
            #expect(await request.notes() == [.connected(nil), .disconnected(1005, nil), .completed(nil)])
        }
    }

    @Test func `a connection through a proxy uses a CONNECT tunnel`() async throws {
        let proxy = try TunnelProxy()
        var configuration = SessionConfiguration()
        configuration.proxies = ProxyRules(ProxyOptions(url: proxy.url))
        let session = Session(configuration: configuration)
        try await withScriptedServer { connection in
            try WebSocketPeer(accepting: connection).echo()
        } _: { server in
            let request = session.webSocketRequest(to: server.webSocketURL)
            request.send(.string("x")) { _ in }
            let notes = await request.notes { if $0.message != nil { $0.close(sending: .normalClosure) } }
            #expect(notes == [.connected(nil), .text("x"), .disconnected(1000, nil), .completed(nil)])
            #expect(proxy.heads.first?.hasPrefix("CONNECT \(server.authority) ") == true)
        }
    }

    @Test func `connections do not count toward a host's limit, and have no idle timeout`() async throws {
        var configuration = SessionConfiguration()
        configuration.timeouts.idle = 0.3
        let session = Session(configuration: configuration)
        try await withScriptedServer { connection in
            try WebSocketPeer(accepting: connection).echo()
        } _: { server in
            let requests = (0..<12).map { _ in session.webSocketRequest(to: server.webSocketURL) }
            for request in requests { request.resume() }
            try await eventually("all are connected") { requests.allSatisfy { $0.response?.statusCode == 101 } }
            try await remains("all stay connected", for: .milliseconds(700)) { !requests.contains { $0.isFinished } }
            let notes = await withTaskGroup(of: [WebSocketNote].self) { group in
                for request in requests {
                    group.addTask {
                        request.close(sending: .normalClosure)
                        return await request.notes()
                    }
                }
                return await group.reduce(into: []) { $0.append($1.last) }
            }
            #expect(notes == Array(repeating: .completed(nil), count: 12))
        }
    }

    @Test func `a handshake without a response times out`() async throws {
        var configuration = SessionConfiguration()
        configuration.timeouts.idle = 0.2
        let session = Session(configuration: configuration)
        try await withSilentServer { server in
            let request = session.webSocketRequest(to: server.webSocketURL)
            _ = await request.notes()
            #expect((request.error?.underlyingError as? TransferFailure)?.kind == .idleTimedOut)
        }
    }
}
