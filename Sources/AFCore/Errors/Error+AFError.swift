extension Error {
    /// The error, if it is an `AFError`.
    public var asAFError: AFError? { self as? AFError }

    /// The error as an `AFError`; traps with the message when it is none, which is for mistakes in a program only.
    public func asAFError(
        orFailWith message: @autoclosure () -> String,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> AFError {
        guard let error = self as? AFError else { preconditionFailure(message(), file: file, line: line) }
        return error
    }

    /// The error, if it is an `AFError`, else the one given, which usually wraps it.
    package func asAFError(or wrapping: @autoclosure () -> AFError) -> AFError {
        self as? AFError ?? wrapping()
    }
}
