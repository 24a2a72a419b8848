#if DEBUG
    internal import Glibc
    internal import Synchronization
#else
    package import Synchronization
#endif

/// The state of an ``OrderedMutex``.
package protocol OrderedState {
    /// The state inside whose lock this one's may be taken; `nil` for none, the default.
    static var outerState: (any OrderedState.Type)? { get }
    /// Whether the program's code runs with this state's lock held, which may take any other; `false` by default.
    static var runsProgram: Bool { get }
}

extension OrderedState {
    package static var outerState: (any OrderedState.Type)? { nil }
    package static var runsProgram: Bool { false }
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
            precondition(outer == nil || outer == State.outerState?.address, "\(State.self): a lock inside another one")
            pthread_setspecific(taken, UnsafeMutableRawPointer(bitPattern: UInt(orderedLockCount) + 1))
            pthread_setspecific(innermost, State.runsProgram ? nil : State.address)
            defer { pthread_setspecific(innermost, outer) }
            return try mutex.withLock(body)
        }
    }

    /// The number of times that the thread has taken ordered locks, for the test of a chunk's locks.
    package var orderedLockCount: Int { Int(bitPattern: pthread_getspecific(taken)) }
    private let taken = makeThreadKey()
    /// The key of each thread's innermost ordered lock.
    private let innermost = makeThreadKey()
    private func makeThreadKey() -> pthread_key_t {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }

    extension OrderedState {
        fileprivate static var address: UnsafeMutableRawPointer? {
            UnsafeMutableRawPointer(bitPattern: UInt(bitPattern: ObjectIdentifier(self)))
        }
    }
#else
    package typealias OrderedMutex<State: OrderedState> = Mutex<State>
#endif
