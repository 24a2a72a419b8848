extension AFError {
    /// Why a `ParameterEncoder` could not put an `Encodable` value into a request.
    public enum ParameterEncoderFailureReason: Sendable {
        /// What a request must have before parameters can be encoded into it.
        public enum RequiredComponent: Sendable, Hashable {
            /// There is no URL to put a query into.
            case url
            /// The request has no method, or not one that says where parameters go.
            case httpMethod(rawValue: String)
        }

        /// The request is not far enough to take parameters.
        case missingRequiredComponent(RequiredComponent)
        /// The encoder threw.
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
