internal import Glibc
internal import Synchronization

/// The descriptor of a connection: used by its own thread, interrupted from any thread.
final class ConnectionSocket: Sendable {
    /// The descriptor; `nil` after it was closed, as its number may be reused.
    private let descriptor: Mutex<Int32?>
    private let interrupted = Atomic(false)

    init(_ descriptor: Int32) {
        self.descriptor = Mutex(descriptor)
        var yes: Int32 = 1
        // Otherwise TCP may combine chunks that tests send separately. Fails for Unix sockets, which need it not.
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Whether the connection was interrupted.
    var isInterrupted: Bool { interrupted.load(ordering: .acquiring) }

    /// Ends blocking calls of its thread and closes the connection.
    func interrupt() {
        interrupted.store(true, ordering: .releasing)
        shutdown(Int32(SHUT_RDWR))
    }

    /// Ends blocking calls of its thread and resets the connection.
    func interruptWithReset() {
        interrupted.store(true, ordering: .releasing)
        resetOnClose()
        // Closing the receiving side sends nothing; the reset is sent when the thread closes the descriptor.
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
        resetOnClose()
        close()
    }

    /// Receives available bytes, and blocks until there are some; returns 0 at the end of the stream.
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
            // Without the flag, a connection closed by the peer would end the test process with SIGPIPE.
            let count = Glibc.send(try open(), rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
            if count >= 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            } else if errno != EINTR {
                throw ConnectionLost(errorNumber: errno)
            }
        }
    }

    /// Whether the peer's system has not acknowledged all sent bytes yet.
    var hasUndeliveredBytes: Bool {
        var count: Int32 = 0
        return descriptor.withLock { $0.map { ioctl($0, UInt(TIOCOUTQ), &count) == 0 && count > 0 } ?? false }
    }

    /// Waits until a read does not block; returns `false` at the limit.
    func isReadable(within limit: Duration) throws(ConnectionLost) -> Bool {
        let milliseconds = limit.components.seconds * 1000 + limit.components.attoseconds / 1_000_000_000_000_000
        var request = pollfd(fd: try open(), events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, Int32(clamping: milliseconds)) > 0
    }

    private func open() throws(ConnectionLost) -> Int32 {
        guard let descriptor = descriptor.withLock({ $0 }) else { throw ConnectionLost(errorNumber: EBADF) }
        return descriptor
    }

    /// Sets the linger time to 0, so that closing discards unsent bytes and sends RST instead of FIN.
    private func resetOnClose() {
        descriptor.withLock { descriptor in
            guard let descriptor else { return }
            var none = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &none, socklen_t(MemoryLayout<linger>.size))
        }
    }
}

/// The error if the peer closes or resets the connection, or the server is stopped, during a call of the script.
///
/// A script may throw it: the server treats it as the normal end of the connection.
public struct ConnectionLost: Error {
    public let errorNumber: Int32

    /// Whether the peer sent a reset.
    public var wasReset: Bool { errorNumber == ECONNRESET }
}
