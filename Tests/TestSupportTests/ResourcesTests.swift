import TestSupport
import Testing

/// In processes of their own, where no other test opens anything.
@Suite(.timeLimit(.minutes(1))) struct ResourcesTests {
    @Test func `a server leaves neither threads nor descriptors behind`() async {
        await #expect(processExitsWith: .success) {
            try await expectNothingLeftBehind {
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
        }
    }

    @Test func `programs leave neither threads nor descriptors behind`() async {
        await #expect(processExitsWith: .success) {
            try await expectNothingLeftBehind {
                _ = try shell("cat").onTerminal().start()
                _ = try await Program("/bin/cat", input: .text("x")).run()
                _ = try? await Program("/nowhere", input: .pipe).onTerminal().run()
                try await withNginx { _ in }
            }
        }
    }
}

/// Runs something twice, the first time to let libraries open what they keep, and compares.
private func expectNothingLeftBehind(_ body: () async throws -> Void) async throws {
    try await body()
    let descriptors = ProcessResources.descriptorTargets()
    let threads = ProcessResources.threads()
    try await body()
    // The concurrency runtime may add a thread of its own up to the number of processors.
    try await eventually("threads are gone") { ProcessResources.threads() <= threads + 2 }
    try await eventually("\(ProcessResources.descriptorTargets()) is \(descriptors)") {
        ProcessResources.openDescriptors() <= descriptors.count
    }
}
