internal import Dispatch

/// Runs a closure that may block on a separate thread, and returns its result.
///
/// A test must not block its own thread: Swift's concurrency has one thread for each processor, which all tests of a
/// parallel run share. The same threads serve the concurrent queues of Dispatch, but not a serial queue.
public func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        DispatchQueue(label: "blocking").async { continuation.resume(with: Result { try body() }) }
    }
}
