import AFHTTP
import AFTransport
import Glibc
import TestSupport
import Testing

/// Processes that can open almost no more descriptors. Each test runs in its own process.
@Suite(.timeLimit(.minutes(5))) struct ResourceTests {
    @Test func `a transport without descriptors reports too many open files`() async {
        await #expect(processExitsWith: .success) {
            try await startDispatch()
            // For the eventfd, and for epoll.
            for count in 0...1 {
                let held = ProcessResources.takeDescriptors(leaving: count)
                let failure = try await CurlTransport().fetch("http://127.0.0.1:1/").failure
                ProcessResources.closeDescriptors(held)
                #expect(failure?.kind == .outOfResources)
                #expect(failure?.osErrorNumber == EMFILE)
                #expect(failure?.detail == "too many open files")
            }
        }
    }

    @Test func `a socket that cannot be opened fails as outOfResources, and later transfers work`() async {
        await #expect(processExitsWith: .success) {
            try await startDispatch()
            let server = try LocalServer { _ in .ok("there") }
            let transport = CurlTransport()
            // The thread has its own descriptors then.
            _ = try await transport.fetch("http://127.0.0.1:1/")
            for options in [TransferOptions(), proxied(by: server)] {
                let held = ProcessResources.takeDescriptors(leaving: 0)
                let failure = try await transport.fetch(server.url()) { $0 = options }.failure
                ProcessResources.closeDescriptors(held)
                #expect(failure?.kind == .outOfResources)
                #expect(failure?.osErrorNumber == EMFILE)
            }
            #expect(try await transport.fetch(server.url()).text == "there")
            let port = try RefusingPort()
            #expect(try await transport.fetch(port.url()).failure?.kind == .cannotConnect)
        }
    }

    @Test(arguments: [0, 1, 2])
    func `a lookup without descriptors fails as outOfResources, not as an unknown host`(count: Int) async {
        await #expect(processExitsWith: .success) { [count] in
            try await startDispatch()
            let transport = CurlTransport()
            // The thread has its own descriptors then.
            _ = try await transport.fetch("http://127.0.0.1:1/")
            let held = ProcessResources.takeDescriptors(leaving: count)
            let failure = try await transport.fetch("http://nothing.invalid/") { $0.timeouts.connect = 20 }.failure
            ProcessResources.closeDescriptors(held)
            #expect(failure?.kind == .outOfResources)
            #expect(failure?.osErrorNumber == EMFILE)
            let unknown = try await transport.fetch("http://nothing.invalid/") { $0.timeouts.connect = 20 }
            #expect(unknown.failure?.kind == .unresolvedHost)
        }
    }

    @Test func `authorities that cannot be opened without descriptors fail as outOfResources`() async {
        await #expect(processExitsWith: .success) {
            try await startDispatch()
            let certificates = try await TestCertificates.shared
            let nginx = try await NginxServer()
            let transport = CurlTransport()
            #expect(try await transport.fetch(nginx.url("/sink")).failure == nil)
            for authorities in [TLSOptions.Authorities.file(certificates.root), .directory(certificates.rootFolder)] {
                // Only for the connection.
                let held = ProcessResources.takeDescriptors(leaving: 1)
                let failure = try await transport.fetch(nginx.secureURL("/sink")) {
                    $0.tls.authorities = authorities
                }.failure
                ProcessResources.closeDescriptors(held)
                #expect(failure?.kind == .outOfResources, "\(failure.debugDescription)")
            }
        }
    }
}

/// Dispatch opens descriptors for its first timer, and ends the process if it cannot.
private func startDispatch() async throws { try await Task.sleep(for: .milliseconds(1)) }

private func proxied(by server: LocalServer) -> TransferOptions {
    var options = TransferOptions()
    options.proxy = ProxyOptions(url: server.url())
    return options
}
