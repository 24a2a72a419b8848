internal import CGNUExtensions
internal import Glibc

/// A bound socket.
struct Listener: Sendable {
    let descriptor: Int32
    /// The port; 0 for a Unix socket.
    let port: UInt16

    /// Binds a socket.
    ///
    /// - Parameter backlog: The maximum number of pending connections; `nil` to bind without listening.
    init(on address: LocalServer.Address, backlog: Int32?) throws {
        var place = try SocketAddress(address)
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        descriptor = try checked("socket", socket(place.family, kind, 0))
        do {
            // A restarted server must not wait for the end of old connections on its port.
            var yes: Int32 = 1
            setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
            try checked("bind \(address)", place.bind(descriptor))
            if let backlog { try checked("listen", listen(descriptor, backlog)) }
            port = try SocketAddress.bound(descriptor).port
        } catch {
            Glibc.close(descriptor)
            throw error
        }
    }

    /// Ends a blocking ``accept()``.
    func interrupt() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Returns the next connection's descriptor; `nil` if the listener was interrupted.
    func accept() throws -> Int32? {
        let start = ContinuousClock.now
        while true {
            let descriptor = accept4(descriptor, nil, nil, Int32(SOCK_CLOEXEC.rawValue))
            if descriptor >= 0 { return descriptor }
            switch errno {
            case EINTR, ECONNABORTED: continue
            case EINVAL: return nil
            // accept(2) reserves a descriptor before it waits. A test that uses all descriptors will close them.
            case EMFILE where start.duration(to: .now) < Deadline.timeout: usleep(10_000)
            default: throw SystemFailure("accept")
            }
        }
    }

    func close() {
        Glibc.close(descriptor)
    }
}
