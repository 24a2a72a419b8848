extension AFError {
    /// The reason why a `ParameterEncoder` could not encode a value into a request.
    public enum ParameterEncoderFailureReason: Sendable {
        /// A component that a request needs before parameters can be encoded into it.
        public enum RequiredComponent: Sendable, Hashable {
            /// The URL, for a query.
            case url
            /// The method, which determines the destination of parameters.
            case httpMethod(rawValue: String)
        }

        /// The request lacks a component.
        case missingRequiredComponent(RequiredComponent)
        /// The encoder threw an error.
        case encoderFailed(error: any Error)
    }
}

extension AFError.ParameterEncoderFailureReason {
    var underlyingError: (any Error)? {
        switch self {
        case .encoderFailed(let error): error
        case .missingRequiredComponent: nil
        }
    }

    var sentence: String {
        switch self {
        case .missingRequiredComponent(.url): "The request has no URL to put the parameters into."
        case .missingRequiredComponent(.httpMethod(let method)):
            "The request's method, \"\(method)\", does not say where the parameters go."
        case .encoderFailed(let error): "The parameters cannot be encoded: \(error.explanation)."
        }
    }
}
