public import AFHTTP

extension DataStreamRequest {
    /// Request and head; a failure ends the attempt, after its body has been streamed.
    public typealias Validation = @Sendable (_ request: URLRequest?, _ response: HTTPURLResponse) -> ValidationResult

    /// Adds a check of the response; checks run in order until one fails.
    @discardableResult
    public func validate(_ validation: @escaping Validation) -> Self {
        addValidator { request in
            guard let response = request.response else { return nil }
            return validation(request.request, response).validationError
        }
        return self
    }
}
