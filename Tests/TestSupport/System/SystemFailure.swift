internal import Glibc

/// A system call that failed while a test was being set up: never the thing under test, always the surroundings.
public struct SystemFailure: Error, CustomStringConvertible {
    /// The failed call: `bind 127.0.0.1:8080`.
    public let call: String
    public let errorNumber: Int32

    /// Takes `errno` as it stands, so it must be made right after the call.
    init(_ call: String) {
        self.init(call, errorNumber: errno)
    }

    init(_ call: String, errorNumber: Int32) {
        self.call = call
        self.errorNumber = errorNumber
    }

    public var description: String { "\(call): \(String(cString: strerror(errorNumber)))" }
}

/// Passes a call's result on, or throws when it is negative, which is how system calls report failure.
@discardableResult
func checked<Result: SignedInteger>(_ call: @autoclosure () -> String, _ result: Result) throws -> Result {
    // The name is only put together on failure: building a string may change `errno`.
    let errorNumber = errno
    guard result >= 0 else { throw SystemFailure(call(), errorNumber: errorNumber) }
    return result
}
