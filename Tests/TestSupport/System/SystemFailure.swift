internal import Glibc

/// The error of a system call of the test environment, not of the code under test.
public struct SystemFailure: Error, CustomStringConvertible {
    /// The failed call: `bind 127.0.0.1:8080`.
    public let call: String
    public let errorNumber: Int32

    /// Reads `errno`, so it must be called immediately after the system call.
    init(_ call: String) {
        self.init(call, errorNumber: errno)
    }

    init(_ call: String, errorNumber: Int32) {
        self.call = call
        self.errorNumber = errorNumber
    }

    public var description: String { "\(call): \(String(cString: strerror(errorNumber)))" }
}

/// Returns the result of a system call; throws if it is negative.
@discardableResult
func checked<Result: SignedInteger>(_ call: @autoclosure () -> String, _ result: Result) throws -> Result {
    // The name is evaluated after that, as creating a string may change `errno`.
    let errorNumber = errno
    guard result >= 0 else { throw SystemFailure(call(), errorNumber: errorNumber) }
    return result
}
