package import Synchronization

#if DEBUG
    internal import Glibc
#endif

/// The state of an ``OrderedMutex``.
package protocol OrderedState {
    /// The state inside whose lock this one's may be taken; `nil` for none, the default.
    static var outerState: (any OrderedState.Type)? { get }
}

extension OrderedState {
    package static var outerState: (any OrderedState.Type)? { nil }
}

#if DEBUG
    /// A mutex whose place in the order of `Documentation/threads.md` is asserted; in release builds a `Mutex`.
    package struct OrderedMutex<State: OrderedState>: ~Copyable, Sendable {
        private let mutex: Mutex<State>

        package init(_ state: consuming sending State) { mutex = Mutex(state) }

        /// Calls the closure with the lock held. The innermost ordered lock of the thread must permit that.
        package borrowing func withLock<Result, Failure: Error>(
            _ body: (inout sending State) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            let outer = pthread_getspecific(innermost)
            let isPermitted = outer == nil || outer == State.outerState?.address
            precondition(isPermitted, "the lock of \(State.self) is taken inside another one")
            orderedLockCount.add(1, ordering: .relaxed)
            pthread_setspecific(innermost, State.address)
            defer { pthread_setspecific(innermost, outer) }
            return try mutex.withLock(body)
        }
    }

    /// The number of times that ordered locks were taken, for the test of a chunk's locks.
    package let orderedLockCount = Atomic(0)

    /// The key of each thread's innermost ordered lock.
    private let innermost = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    extension OrderedState {
        fileprivate static var address: UnsafeMutableRawPointer? {
            UnsafeMutableRawPointer(bitPattern: UInt(bitPattern: ObjectIdentifier(self)))
        }
    }
#else
    package typealias OrderedMutex<State: OrderedState> = Mutex<State>
#endif
