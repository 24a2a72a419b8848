import Testing

@testable import AFRequests

#if DEBUG
    /// The assertion of debug builds about the order of locks.
    struct OrderedMutexTests {
        private struct Outer: OrderedState { var value = 1 }

        private struct Inner: OrderedState {
            static var outerState: (any OrderedState.Type)? { Outer.self }
            var value = 2
        }

        private struct Program: OrderedState { static var runsProgram: Bool { true } }

        private struct Failure: Error {}

        private final class Locks: Sendable {
            private let outer = OrderedMutex(Outer())
            private let inner = OrderedMutex(Inner())
            private let program = OrderedMutex(Program())

            func takeInOrder() -> Int { outer.withLock { outer in inner.withLock { $0.value + outer.value } } }
            func takeInWrongOrder() -> Int { inner.withLock { inner in outer.withLock { $0.value + inner.value } } }
            func takeEach() -> Int { inner.withLock { $0.value } + outer.withLock { $0.value } }
            func takeInProgram() -> Int { program.withLock { _ in outer.withLock { $0.value } } }
            func runProgramInside() -> Int { outer.withLock { outer in program.withLock { _ in outer.value } } }
            func fail() throws { try inner.withLock { _ in throw Failure() } }
        }

        @Test func `a lock may be taken inside the one that its state names, and after it`() {
            let locks = Locks()
            #expect(locks.takeInOrder() == 3)
            #expect(locks.takeEach() == 3)
        }

        @Test func `an error releases the lock`() {
            let locks = Locks()
            #expect(throws: Failure.self) { try locks.fail() }
            #expect(locks.takeInOrder() == 3)
        }

        @Test func `locks in the wrong order stop the process`() async {
            await #expect(processExitsWith: .failure) { _ = Locks().takeInWrongOrder() }
        }

        @Test func `the program's code may take a lock inside one, and is never called inside another`() async {
            #expect(Locks().takeInProgram() == 1)
            await #expect(processExitsWith: .failure) { _ = Locks().runProgramInside() }
        }

        @Test func `the lock of a task may be taken inside the one of its request, not outside of it`() {
            #expect(TransferTask.MutableState.outerState == Request.MutableState.self)
            #expect(Request.MutableState.outerState == Request.MutableState.self)
        }
    }
#endif
