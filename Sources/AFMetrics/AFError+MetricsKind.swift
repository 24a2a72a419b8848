#if Metrics
    internal import AFCore
    internal import AFTransport

    extension AFError {
        /// The kind of the failure: the transport's kind if it failed, else the case's name; about forty values.
        var metricsKind: String {
            switch self {
            case .createUploadableFailed: "createUploadableFailed"
            case .createURLRequestFailed: "createURLRequestFailed"
            case .downloadedFileMoveFailed: "downloadedFileMoveFailed"
            case .explicitlyCancelled: "explicitlyCancelled"
            case .invalidURL: "invalidURL"
            case .multipartEncodingFailed: "multipartEncodingFailed"
            case .parameterEncodingFailed: "parameterEncodingFailed"
            case .parameterEncoderFailed: "parameterEncoderFailed"
            case .requestAdaptationFailed: "requestAdaptationFailed"
            case .requestRetryFailed: "requestRetryFailed"
            case .responseValidationFailed: "responseValidationFailed"
            case .responseSerializationFailed: "responseSerializationFailed"
            case .serverTrustEvaluationFailed: "serverTrustEvaluationFailed"
            case .sessionDeinitialized: "sessionDeinitialized"
            case .sessionInvalidated: "sessionInvalidated"
            case .sessionTaskFailed(let error): error.transferFailure?.kind.name ?? "sessionTaskFailed"
            case .urlRequestValidationFailed: "urlRequestValidationFailed"
            }
        }
    }
#endif
