extension AFError {
    /// Why a `ParameterEncoding` could not put parameters into a request.
    public enum ParameterEncodingFailureReason: Sendable {
        /// The request has no URL to put a query into.
        case missingURL
        /// The parameters, or something in them, have no JSON form.
        case jsonEncodingFailed(error: any Error)
        /// For encodings that are not part of this library.
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
