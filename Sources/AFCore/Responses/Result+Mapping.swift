extension Result where Success: Sendable {
    /// The result with another value, or with the error that making it threw.
    func tryMap<NewSuccess>(_ transform: (Success) throws -> NewSuccess) -> Result<NewSuccess, any Error> {
        switch self {
        case .success(let value): Result<NewSuccess, any Error> { try transform(value) }
        case .failure(let error): .failure(error)
        }
    }

    /// The result with another error, or with the one that making it threw.
    func tryMapError(_ transform: (Failure) throws -> some Error) -> Result<Success, any Error> {
        switch self {
        case .success(let value): .success(value)
        case .failure(let error): Result<Success, any Error> { throw try transform(error) }
        }
    }
}
