internal import Dispatch
internal import Synchronization

/// Returns the result of an asynchronous operation. Blocks the calling thread.
func waitFor<Result: Sendable>(_ operation: @escaping @Sendable () async -> Result) -> Result {
    let result = Mutex<Result?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    Task {
        let value = await operation()
        result.withLock { $0 = value }
        isDone.signal()
    }
    isDone.wait()
    guard let value = result.withLock(\.self) else { preconditionFailure("the operation has ended") }
    return value
}
