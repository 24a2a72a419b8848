extension AFError {
    /// The reason why a `ParameterEncoding` could not encode parameters into a request.
    public enum ParameterEncodingFailureReason: Sendable {
        /// The request has no URL for a query.
        case missingURL
        /// The parameters, or values in them, have no JSON form.
        case jsonEncodingFailed(error: any Error)
        /// A custom encoding failed.
        case customEncodingFailed(error: any Error)
    }
}

extension AFError.ParameterEncodingFailureReason {
    var underlyingError: (any Error)? {
        switch self {
        case .jsonEncodingFailed(let error), .customEncodingFailed(let error): error
        case .missingURL: nil
        }
    }

    var sentence: String {
        switch self {
        case .missingURL: "The request has no URL to put the parameters into."
        case .jsonEncodingFailed(let error): "The parameters cannot be written as JSON: \(error.explanation)."
        case .customEncodingFailed(let error): "The parameters cannot be encoded: \(error.explanation)."
        }
    }
}
