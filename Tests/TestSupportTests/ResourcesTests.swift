import Glibc
import TestSupport
import Testing

/// In separate processes, where no other test opens descriptors.
@Suite(.timeLimit(.minutes(5))) struct ResourcesTests {
    @Test func `a server leaks neither threads nor descriptors`() async {
        await #expect(processExitsWith: .success) {
            let left = try await ProcessResources.leaks {
                try await withServer { _ in
                    .ok("x")
                } _: { server in
                    let clients = try (0..<20).map { _ in try RawClient(server) }
                    clients.forEach { $0.send("GET / HTTP/1.1\r\n\r\n") }
                    try await server.waitForRequests(20)
                    #expect(ProcessResources.openDescriptors() > 40)
                    #expect(ProcessResources.threads() > 20)
                }
            }
            #expect(left == [])
        }
    }

    @Test func `programs leak neither threads nor descriptors`() async {
        await #expect(processExitsWith: .success) {
            let left = try await ProcessResources.leaks {
                _ = try shell("cat").onTerminal().start()
                _ = try await Program("/bin/cat", input: .text("x")).run()
                _ = try? await Program("/nowhere", input: .pipe).onTerminal().run()
                try await withNginx { _ in }
            }
            #expect(left == [])
        }
    }

    @Test func `leaked threads and descriptors are detected`() async {
        await #expect(processExitsWith: .success) {
            let left = try await ProcessResources.leaks(within: .milliseconds(50)) {
                _ = open("/dev/null", O_RDONLY)
            }
            #expect(left.count == 1)
            #expect(left.first?.contains("→ /dev/null") == true)
        }
    }
}
