internal import Glibc
internal import Synchronization

/// The descriptor of one connection: used by its own thread, interrupted by any.
final class ConnectionSocket: Sendable {
    /// `nil` once closed: the number is reused for the next file.
    private let descriptor: Mutex<Int32?>
    private let interrupted = Atomic(false)

    init(_ descriptor: Int32) {
        self.descriptor = Mutex(descriptor)
        var yes: Int32 = 1
        // Fails on unix sockets, which do not delay anything. Tests send pieces and want them seen as pieces.
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Whether the server is being stopped or has dropped this connection.
    var isInterrupted: Bool { interrupted.load(ordering: .acquiring) }

    /// Ends blocking calls of its thread; the peer sees a closed connection.
    func interrupt() {
        interrupted.store(true, ordering: .releasing)
        shutdown(Int32(SHUT_RDWR))
    }

    /// Ends blocking calls of its thread; the peer sees a connection reset.
    func interruptWithReset() {
        interrupted.store(true, ordering: .releasing)
        lingerForNothing()
        // Closing the reading half says nothing to the peer; the reset follows when the thread closes the descriptor.
        shutdown(Int32(SHUT_RD))
    }

    func shutdown(_ half: Int32) {
        descriptor.withLock { descriptor in
            if let descriptor { _ = Glibc.shutdown(descriptor, half) }
        }
    }

    func close() {
        descriptor.withLock { descriptor in
            if let open = descriptor { Glibc.close(open) }
            descriptor = nil
        }
    }

    func closeWithReset() {
        lingerForNothing()
        close()
    }

    /// Blocks until there is something; zero at the end of the stream.
    func receive(into buffer: UnsafeMutableRawBufferPointer) throws(ConnectionLost) -> Int {
        while true {
            let count = recv(try open(), buffer.baseAddress, buffer.count, 0)
            if count >= 0 { return count }
            if errno != EINTR { throw ConnectionLost(errorNumber: errno) }
        }
    }

    func send(_ bytes: UnsafeRawBufferPointer) throws(ConnectionLost) {
        var rest = bytes
        while !rest.isEmpty {
            // Without the flag a peer that has gone would end the whole test process with SIGPIPE.
            let count = Glibc.send(try open(), rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
            if count >= 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            } else if errno != EINTR {
                throw ConnectionLost(errorNumber: errno)
            }
        }
    }

    /// Waits until a read would not block; false when the time is over.
    func isReadable(within limit: Duration) throws(ConnectionLost) -> Bool {
        let milliseconds = limit.components.seconds * 1000 + limit.components.attoseconds / 1_000_000_000_000_000
        var request = pollfd(fd: try open(), events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, Int32(clamping: milliseconds)) > 0
    }

    private func open() throws(ConnectionLost) -> Int32 {
        guard let descriptor = descriptor.withLock({ $0 }) else { throw ConnectionLost(errorNumber: EBADF) }
        return descriptor
    }

    /// A close that lingers for zero seconds throws unsent bytes away and sends RST instead of FIN.
    private func lingerForNothing() {
        descriptor.withLock { descriptor in
            guard let descriptor else { return }
            var none = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &none, socklen_t(MemoryLayout<linger>.size))
        }
    }
}

/// The peer closed or reset the connection, or the server was stopped, while a script was sending or receiving.
///
/// A script that lets it pass is not at fault: the server takes it for the connection's ordinary end.
public struct ConnectionLost: Error {
    public let errorNumber: Int32

    /// Whether the peer sent a reset.
    public var wasReset: Bool { errorNumber == ECONNRESET }
}
