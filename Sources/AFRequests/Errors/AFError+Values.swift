public import FoundationEssentials

extension AFError {
    /// The value that is not a URL.
    public var urlConvertible: (any URLConvertible)? {
        if case .invalidURL(let url) = self { url } else { nil }
    }

    /// The file that a multipart body could not be created from or written to.
    public var url: URL? {
        if case .multipartEncodingFailed(let reason) = self { reason.url } else { nil }
    }

    /// The underlying error; of a failed retry, the retrier's error.
    public var underlyingError: (any Error)? {
        switch self {
        case .createUploadableFailed(let error), .createURLRequestFailed(let error),
            .downloadedFileMoveFailed(let error, _, _), .requestAdaptationFailed(let error),
            .requestRetryFailed(let error, _), .sessionTaskFailed(let error):
            error
        case .multipartEncodingFailed(let reason): reason.underlyingError
        case .parameterEncodingFailed(let reason): reason.underlyingError
        case .parameterEncoderFailed(let reason): reason.underlyingError
        case .responseValidationFailed(let reason): reason.underlyingError
        case .responseSerializationFailed(let reason): reason.underlyingError
        case .serverTrustEvaluationFailed(let reason): reason.underlyingError
        case .sessionInvalidated(let error): error
        case .explicitlyCancelled, .invalidURL, .sessionDeinitialized, .urlRequestValidationFailed: nil
        }
    }

    /// The content types that validation accepts, sorted.
    public var acceptableContentTypes: [String]? {
        switch self {
        case .responseValidationFailed(.missingContentType(let acceptable)): acceptable
        case .responseValidationFailed(.unacceptableContentType(let acceptable, _)): acceptable
        default: nil
        }
    }

    /// The content type that validation rejected.
    public var responseContentType: String? {
        if case .responseValidationFailed(.unacceptableContentType(_, let found)) = self { found } else { nil }
    }

    /// The status code that validation rejected.
    public var responseCode: Int? {
        if case .responseValidationFailed(.unacceptableStatusCode(let code)) = self { code } else { nil }
    }

    /// The encoding in which the body is not valid text.
    public var failedStringEncoding: String.Encoding? {
        if case .responseSerializationFailed(let reason) = self { reason.failedStringEncoding } else { nil }
    }

    /// The URL of the download that could not be moved.
    public var sourceURL: URL? {
        if case .downloadedFileMoveFailed(_, let source, _) = self { source } else { nil }
    }

    /// The destination of the download that could not be moved.
    public var destinationURL: URL? {
        if case .downloadedFileMoveFailed(_, _, let destination) = self { destination } else { nil }
    }

    /// The resume data of the transfer's error.
    public var downloadResumeData: Data? {
        (underlyingError as? any ResumableError)?.resumeData
    }
}

/// An error with resume data for the download that it ended.
public protocol ResumableError: Error {
    /// The data for `Session.download(resumingWith:)`; `nil` if the download cannot be resumed.
    var resumeData: Data? { get }
}
