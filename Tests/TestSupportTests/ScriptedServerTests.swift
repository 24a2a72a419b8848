import Glibc
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct ScriptedServerTests {
    @Test func `a test decides when the server continues`() async throws {
        let goOn = Gate()
        try await withScriptedServer { connection in
            try connection.send("first")
            try connection.wait(for: goOn)
            try connection.send("second")
        } _: { server in
            let client = try RawClient(server)
            #expect(client.receive() == "first")
            goOn.open()
            #expect(client.receiveAll() == "second")
        }
    }

    @Test func `a script reports its progress to the test`() async throws {
        let arrived = Gate()
        try await withScriptedServer { connection in
            _ = try connection.readHead()
            arrived.open()
            try connection.waitForClose()
        } _: { server in
            let client = try RawClient(server)
            client.send("POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\n")
            try await arrived.waitUntilOpen()
            #expect(server.requests.first?.isComplete == false)
        }
    }

    @Test func `bytes sent slowly arrive in chunks`() async throws {
        try await withScriptedServer { connection in
            try connection.sendSlowly("abcdef", pieces: 2, every: .milliseconds(100))
        } _: { server in
            let client = try RawClient(server)
            let first = client.receive() ?? ""
            // One more chunk may have arrived while the client did not run, but not all.
            #expect(first == "ab" || first == "abcd")
            #expect(first + client.receiveAll() == "abcdef")
        }
    }

    @Test func `a reset differs from an orderly end`() async throws {
        try await withScriptedServer {
            $0.reset()
        } _: { server in
            let client = try RawClient(server)
            #expect(client.receive() == nil)
        }
        try await withScriptedServer {
            $0.close()
        } _: { server in
            let client = try RawClient(server)
            #expect(client.receive() == "")
        }
    }

    @Test func `a script detects a closed client connection`() async throws {
        let endings = Mutex<[LocalServer.Connection.Ending]>([])
        try await withScriptedServer { connection in
            let ending = try connection.waitForClose()
            endings.withLock { $0.append(ending) }
        } _: { server in
            _ = try RawClient(server)
            try await eventually("the script has seen it") { endings.withLock { $0 } == [.closed] }
        }
    }

    @Test func `idle connections are closed or reset on demand`() async throws {
        try await withServer { _ in
            .ok("x")
        } _: { server in
            let closed = try RawClient(server)
            closed.send("GET / HTTP/1.1\r\n\r\n")
            _ = closed.receive(until: "x")
            server.closeConnections()
            #expect(closed.receive() == "")
            let reset = try RawClient(server)
            reset.send("GET / HTTP/1.1\r\n\r\n")
            _ = reset.receive(until: "x")
            server.resetConnections()
            #expect(reset.receive() == nil)
        }
    }

    @Test func `stopping ends a waiting script without an error`() async throws {
        try await withScriptedServer {
            try $0.wait(for: Gate())
        } _: { server in
            let client = try RawClient(server)
            try await eventually("it is accepted") { server.openConnections == 1 }
            server.stop()
            #expect(client.receive() == "")
        }
    }

    @Test func `a silent server sends nothing`() async throws {
        try await withSilentServer { server in
            let client = try RawClient(server)
            client.send("GET / HTTP/1.1\r\n\r\n")
            try await eventually("it is accepted") { server.openConnections == 1 }
            server.stop()
            #expect(client.receive() == "")
        }
    }

    @Test func `one port refuses connections, another does not respond`() throws {
        let refusing = try RefusingPort()
        #expect(throws: SystemFailure.self) { _ = try RawClient(.ipv4(port: refusing.port)) }

        let unanswering = try UnresponsivePort()
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = unanswering.port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        #expect(poll(&request, 1, 300) == 0)
    }
}
