/// Runs a closure and measures its duration in seconds.
package func measured<Value>(_ body: () -> Value) -> (value: Value, seconds: Double) {
    let clock = ContinuousClock()
    let start = clock.now
    let value = body()
    let duration = (clock.now - start).components
    return (value, Double(duration.seconds) + Double(duration.attoseconds) * 1e-18)
}

extension Result where Failure == AFError {
    /// Creates the result of a serializer, with every error as an `AFError`.
    package init(serializing body: () throws -> Success) {
        do {
            self = .success(try body())
        } catch {
            self = .failure(
                error.asAFError(or: .responseSerializationFailed(reason: .customSerializationFailed(error: error)))
            )
        }
    }

    package var failure: AFError? { if case .failure(let error) = self { error } else { nil } }
}

extension Result where Success: Sendable {
    /// Returns the result with its value transformed, or with the error that the closure throws.
    package func tryMap<NewSuccess>(_ transform: (Success) throws -> NewSuccess) -> Result<NewSuccess, any Error> {
        switch self {
        case .success(let value): Result<NewSuccess, any Error> { try transform(value) }
        case .failure(let error): .failure(error)
        }
    }

    /// Returns the result with its error transformed, or with the error that the closure throws.
    package func tryMapError(_ transform: (Failure) throws -> some Error) -> Result<Success, any Error> {
        switch self {
        case .success(let value): .success(value)
        case .failure(let error): Result<Success, any Error> { throw try transform(error) }
        }
    }
}

/// The result of a request: a value or an ``AFError``.
public typealias AFResult<Success> = Result<Success, AFError>
