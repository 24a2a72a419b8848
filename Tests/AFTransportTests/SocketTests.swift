import AFHTTP
import Glibc
import TestSupport
import Testing

@testable import AFTransport

/// Sockets while child processes run, which inherit all descriptors without FD_CLOEXEC.
@Suite(.timeLimit(.minutes(5))) struct SocketTests {
    @Test func `a child process inherits no socket of a connection`() async {
        await #expect(processExitsWith: .success) {
            let folder = try ScratchFolder()
            let plain = try LocalServer { _ in .ok() }
            let unix = try LocalServer(on: .unix(path: folder.file("s"))) { _ in .ok() }
            let transport = CurlTransport()
            #expect(try await transport.fetch(plain.url()).failure == nil)
            let overUnix = try await transport.fetch("http://any.example/") {
                $0.network.unixSocketPath = folder.file("s")
            }
            #expect(overUnix.failure == nil)
            // Both connections stay open in the pool.
            #expect(plain.openConnections == 1 && unix.openConnections == 1)
            #expect(inheritedConnections() == [])
            transport.shutdown()
        }
    }

    @Test func `a child process inherits no socket of a look-up over HTTPS`() async {
        await #expect(processExitsWith: .success) {
            let certificates = try await TestCertificates.shared
            let names = try SecureNameServer(["name.invalid": "127.0.0.1"], identity: certificates.server)
            let server = try LocalServer { _ in .ok() }
            let transport = CurlTransport()
            let record = try await transport.fetch("http://name.invalid:\(server.port)/") {
                $0.network.dohURL = names.url
                $0.tls.authorities = .file(certificates.root)
            }
            #expect(record.failure == nil)
            #expect(inheritedConnections() == [])
            transport.shutdown()
        }
    }

    @Test func `a closed socket of which a child process holds a copy is not watched any more`() throws {
        var ends: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
        let copy = dup(ends[0])
        defer {
            close(copy)
            close(ends[1])
        }
        let poller = try #require(Poller())
        poller.opened(ends[0])
        poller.watch(ends[0], for: 1, group: 1, isNew: true)
        // The connection waits for its next transfer.
        poller.forget(ends[0])
        poller.closed(ends[0])
        close(ends[0])
        try #require(write(ends[1], "x", 1) == 1)
        poller.wait(0)
        #expect(poller.readyCount == 0)
    }
}

/// The sockets of connections to servers that a child process would inherit.
private func inheritedConnections() -> [String] {
    (Int32(0)..<1024).compactMap { descriptor in
        let flags = fcntl(descriptor, F_GETFD)
        guard flags >= 0, flags & FD_CLOEXEC == 0 else { return nil }
        var peer = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let status = withUnsafeMutablePointer(to: &peer) { place in
            place.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) }
        }
        // libcurl's own socket pairs, which are not connected to a server, have no name.
        guard status == 0, length > MemoryLayout<sa_family_t>.size else { return nil }
        return "descriptor \(descriptor), family \(peer.ss_family)"
    }
}
