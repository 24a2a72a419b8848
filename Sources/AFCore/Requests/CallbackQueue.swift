public import Dispatch

/// Where handlers are called: a dispatch queue, or anything else that runs closures one after the other.
///
/// A program that has a loop of its own needs no thread of Dispatch's for its handlers.
public struct CallbackQueue: Sendable {
    private let enqueue: @Sendable (@escaping @Sendable () -> Void) -> Void

    /// - Parameter enqueue: Runs the closure later, after the ones handed over before; may be called on any thread.
    public init(_ enqueue: @escaping @Sendable (_ work: @escaping @Sendable () -> Void) -> Void) {
        self.enqueue = enqueue
    }

    /// A dispatch queue.
    public init(_ queue: DispatchQueue) {
        self.init { queue.async(execute: $0) }
    }

    /// Runs the closure later, after the ones handed over before.
    public func async(_ work: @escaping @Sendable () -> Void) { enqueue(work) }

    /// Runs closures where they are handed over: for those that only pass something on.
    static let inline = CallbackQueue { $0() }
}
