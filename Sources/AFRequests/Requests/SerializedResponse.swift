/// A ``DataResponse`` or a ``DownloadResponse``.
public protocol SerializedResponse<Success, Failure>: Sendable {
    /// The type of the value.
    associatedtype Success: Sendable
    /// The type of the error.
    associatedtype Failure: Error

    /// The value or the error.
    var result: Result<Success, Failure> { get }
}

extension SerializedResponse {
    /// The value; `nil` after a failure.
    public var value: Success? { try? result.get() }

    /// The error; `nil` after a success.
    public var error: Failure? {
        if case .failure(let error) = result { error } else { nil }
    }
}
