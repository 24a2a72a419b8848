/// The exit status of the program, as listed in the manual.
public struct ExitStatus: Hashable, Sendable {
    /// The status, 0 to 255; 128 plus the number of the signal that ended the program.
    public let code: Int32

    static let success = ExitStatus(code: 0)
    static let failure = ExitStatus(code: 1)
    static let timeout = ExitStatus(code: 2)
    static let redirected = ExitStatus(code: 3)
    static let clientError = ExitStatus(code: 4)
    static let serverError = ExitStatus(code: 5)
    static let redirects = ExitStatus(code: 6)
    static let unresolved = ExitStatus(code: 10)
    static let unconnected = ExitStatus(code: 11)
    static let security = ExitStatus(code: 12)
    static let broken = ExitStatus(code: 13)
    static let expectation = ExitStatus(code: 14)
    static let checksum = ExitStatus(code: 15)
    static let file = ExitStatus(code: 16)
    static let usage = ExitStatus(code: 64)
    static let interrupted = ExitStatus(code: 130)
    static let outputClosed = ExitStatus(code: 141)
    static let terminated = ExitStatus(code: 143)

    /// Returns the exit status for a response's status code, if that is checked.
    ///
    /// 304 is the result of a conditional request. Undefined classes count as server errors (RFC 9110 §15).
    static func ofResponse(_ status: Int) -> ExitStatus {
        switch status {
        case 304: .success
        case 300..<400: .redirected
        case 400..<500: .clientError
        case 500...: .serverError
        default: .success
        }
    }
}
