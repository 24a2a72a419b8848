internal import Glibc
internal import Synchronization

/// A one-time event for synchronizing a test with a server's script.
///
/// ```swift
/// let secondHalf = Gate()
/// try await withScriptedServer { connection in
///     _ = try connection.readRequest()
///     try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nhalf")
///     try connection.wait(for: secondHalf)
///     try connection.send("half")
/// } _: { server in
///     …
///     secondHalf.open()
/// }
/// ```
public final class Gate: Sendable {
    private let opened = Atomic(false)
    private let condition = Condition()

    public init() {}

    public var isOpen: Bool { opened.load(ordering: .acquiring) }

    public func open() {
        opened.store(true, ordering: .releasing)
        condition.signalAll()
    }

    /// Waits until the gate is open.
    public nonisolated(nonsending) func waitUntilOpen(within limit: Duration = Deadline.timeout) async throws {
        try await eventually("the gate is open", within: limit) { isOpen }
    }

    /// Blocks the calling thread until the gate is open, at most for the given time.
    public func block(atMost limit: Duration) {
        condition.wait(atMost: limit) { self.isOpen }
    }
}
