internal import CGNUExtensions
internal import Glibc

/// A bound socket.
struct Listener: Sendable {
    let descriptor: Int32
    /// The port that the system chose, or zero for a unix socket.
    let port: UInt16

    /// - Parameter backlog: Connections that may wait to be accepted; `nil` binds without listening.
    init(on address: LocalServer.Address, backlog: Int32?) throws {
        var place = try SocketAddress(address)
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        descriptor = try checked("socket", socket(place.family, kind, 0))
        do {
            // A test that stops a server and starts another on its port must not wait for old connections.
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

    /// Makes a thread that is blocked in ``accept()`` return.
    func interrupt() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// The next connection's descriptor, or `nil` when the listener was interrupted.
    func accept() throws -> Int32? {
        let start = ContinuousClock.now
        while true {
            let descriptor = accept4(descriptor, nil, nil, Int32(SOCK_CLOEXEC.rawValue))
            if descriptor >= 0 { return descriptor }
            switch errno {
            case EINTR, ECONNABORTED: continue
            case EINVAL: return nil
            // The system takes a descriptor before it waits for a connection; a test that holds all of them returns them.
            case EMFILE where start.duration(to: .now) < Deadline.timeout: usleep(10_000)
            default: throw SystemFailure("accept")
            }
        }
    }

    func close() {
        Glibc.close(descriptor)
    }
}
