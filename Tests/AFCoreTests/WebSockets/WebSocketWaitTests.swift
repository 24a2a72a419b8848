import AFCore
import Dispatch
import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing

/// Waits of WebSocket connections: pings, back-pressure and ends.
@Suite(.timeLimit(.minutes(5))) struct WebSocketWaitTests {
    private let session = Session()

    @Test func `a ping receives a pong, is unsent before the connection, or times out`() async throws {
        try await withScriptedServer { connection in
            try WebSocketPeer(accepting: connection).echo()
        } _: { server in
            let request = session.webSocketRequest(to: server.webSocketURL, configuration: .pingInterval(0.05))
            let unsent = await withCheckedContinuation { waiter in
                request.sendPing(respondingOn: .global()) { waiter.resume(returning: $0) }
            }
            if case .unsent = unsent {} else { Issue.record("a ping before the connection") }
            let latency = Mutex<Double?>(nil)
            let notes = await request.notes { event in
                guard case .connected = event.kind else { return }
                event.sendPing(respondingOn: .global()) { response in
                    if case .pong(let pong) = response { latency.withLock { $0 = pong.latency } }
                }
                // Longer than several intervals: the server responds to pings.
                DispatchQueue.global().asyncAfter(deadline: .now() + 0.4) { event.close(sending: .normalClosure) }
            }
            #expect(notes.last == .completed(nil))
            #expect(latency.withLock { $0 } ?? -1 >= 0)
        }
        try await withScriptedServer { connection in
            _ = try WebSocketPeer(accepting: connection)
            try connection.waitForClose()
        } _: { server in
            let request = session.webSocketRequest(to: server.webSocketURL, configuration: .pingInterval(0.1))
            _ = await request.notes()
            #expect(request.failure?.kind == .pingTimedOut)
        }
    }

    @Test func `canceling ends the connection immediately, with its error`() async throws {
        try await withScriptedServer { connection in
            _ = try WebSocketPeer(accepting: connection)
            try connection.waitForClose()
        } _: { server in
            let request = session.webSocketRequest(to: server.webSocketURL)
            let notes = await request.notes { if case .connected = $0.kind { $0.cancel() } }
            #expect(notes.count == 2)
            #expect(request.error?.isExplicitlyCancelledError == true)
        }
    }

    @Test func `a slow handler pauses the server's messages, and receives all of them`() async throws {
        let sent = Atomic(0)
        try await withScriptedServer { connection in
            let peer = try WebSocketPeer(accepting: connection)
            let message = [UInt8](repeating: 1, count: 100_000)
            for _ in 0..<400 {
                try peer.send(2, message)
                sent.add(1, ordering: .relaxed)
            }
            try peer.close(1000)
            _ = try peer.receive()
        } _: { server in
            let request = session.webSocketRequest(to: server.webSocketURL)
            let gate = Gate()
            let count = Atomic(0)
            let task = Task {
                await request.notes { event in
                    if count.add(1, ordering: .relaxed).newValue == 2 { gate.block(atMost: .seconds(20)) }
                }
            }
            try await eventually("the server sends") { sent.load(ordering: .relaxed) > 20 }
            try await remains("the server is paused", for: .milliseconds(300)) { sent.load(ordering: .relaxed) < 300 }
            gate.open()
            #expect(await task.value.count == 403)
        }
    }

    @Test func `a server that does not read suspends the sender`() async throws {
        let gate = Gate()
        try await withScriptedServer { connection in
            let peer = try WebSocketPeer(accepting: connection)
            try connection.wait(for: gate)
            try peer.echo()
        } _: { server in
            let request = session.webSocketRequest(to: server.webSocketURL).resume()
            let done = Atomic(0)
            let message = WebSocketMessage.data(Data(repeating: 1, count: 1 << 20))
            let sender = Task {
                for _ in 0..<40 {
                    try await request.send(message)
                    done.add(1, ordering: .relaxed)
                }
                request.close(sending: .normalClosure)
            }
            try await remains("the sender is suspended", for: .milliseconds(500)) {
                done.load(ordering: .relaxed) < 30
            }
            gate.open()
            try await sender.value
            _ = await request.notes()
            #expect(request.error == nil)
        }
    }

    @Test func `messages are decoded, and an undecodable one is reported`() async throws {
        struct Value: Codable, Equatable, Sendable { var n: Int }
        try await withScriptedServer { connection in
            let peer = try WebSocketPeer(accepting: connection)
            try peer.send(#"{"n": 1}"#)
            try peer.send("no JSON")
            try peer.send(2, Array(#"{"n": 2}"#.utf8))
            try peer.close(1000)
            _ = try peer.receive()
        } _: { server in
            let request = session.webSocketRequest(to: server.webSocketURL)
            let task = request.webSocketTask()
            let values = task.streamingDecodable(Value.self)
            var failures = 0
            for await event in task.streamingDecodableEvents(Value.self) {
                if case .serializerFailed = event.kind { failures += 1 }
            }
            var found: [Value] = []
            for await value in values { found.append(value) }
            #expect(found == [Value(n: 1), Value(n: 2)] && failures == 1)
        }
    }

    @Test func `leaving the loop over messages cancels the request`() async throws {
        try await withScriptedServer { connection in
            try WebSocketPeer(accepting: connection).echo()
        } _: { server in
            let request = session.webSocketRequest(to: server.webSocketURL)
            let task = request.webSocketTask()
            let messages = task.streamingMessages()
            try await task.send(.string("x"))
            for await message in messages {
                #expect(message == .string("x"))
                break
            }
            try await eventually("the request is canceled") { request.isCancelled }
        }
    }

    @Test func `messages fail if the request is canceled while a retry takes them over`() async throws {
        let monitor = ClosureEventMonitor(queue: .global())
        monitor.requestIsRetrying = { $0.cancel() }
        let retrier = Retrier { _, _, _, completion in completion(.retry) }
        let interceptor = Interceptor(adapters: [], retriers: [retrier])
        let request = session.webSocketRequest(to: "ws://127.0.0.1:1/", interceptor: interceptor).eventMonitor(monitor)
        let failed = Atomic(0)
        let queue = DispatchQueue(label: "completions")
        // So many that taking them over lasts longer than it takes to cancel.
        let count = 20_000
        for _ in 0..<count {
            request.send(.string("late"), queue: queue) { result in
                if case .failure = result { failed.add(1, ordering: .relaxed) }
            }
        }
        _ = await request.notes()
        #expect(request.isCancelled)
        try await eventually("all messages have failed") { failed.load(ordering: .relaxed) == count }
    }

    @Test func `other methods than GET, and closed ports, fail`() async throws {
        var post = URLRequest(url: URL(string: "ws://127.0.0.1:1/")!)
        #expect(await session.webSocketRequest(performing: post).notes().count == 1)
        post.method = .post
        let request = session.webSocketRequest(performing: post)
        _ = await request.notes()
        #expect(request.failure?.kind == .invalidRequest)
    }
}
