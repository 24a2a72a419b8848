/// Calls a closure when it is deallocated: when the reader or the producer of a stream no longer exists.
package final class OnDeinit: Sendable {
    private let action: @Sendable () -> Void

    /// Creates an object.
    ///
    /// - Parameter action: Called once more after ``run()``.
    package init(_ action: @escaping @Sendable () -> Void) { self.action = action }

    deinit { action() }

    /// Calls the closure now.
    package func run() { action() }
}
