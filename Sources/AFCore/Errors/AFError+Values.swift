public import FoundationEssentials

extension AFError {
    /// What should have been a URL.
    public var urlConvertible: (any URLConvertible)? {
        if case .invalidURL(let url) = self { url } else { nil }
    }

    /// The file that a multipart body could not be made from or written to.
    public var url: URL? {
        if case .multipartEncodingFailed(let reason) = self { reason.url } else { nil }
    }

    /// What another part of the program threw; of a failed retry, the retrier's error.
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

    /// The content types that would have passed validation, sorted.
    public var acceptableContentTypes: [String]? {
        switch self {
        case .responseValidationFailed(.missingContentType(let acceptable)): acceptable
        case .responseValidationFailed(.unacceptableContentType(let acceptable, _)): acceptable
        default: nil
        }
    }

    /// The content type that did not pass validation.
    public var responseContentType: String? {
        if case .responseValidationFailed(.unacceptableContentType(_, let found)) = self { found } else { nil }
    }

    /// The status that did not pass validation.
    public var responseCode: Int? {
        if case .responseValidationFailed(.unacceptableStatusCode(let code)) = self { code } else { nil }
    }

    /// The encoding that the body is not text in.
    public var failedStringEncoding: String.Encoding? {
        if case .responseSerializationFailed(let reason) = self { reason.failedStringEncoding } else { nil }
    }

    /// Where the download is that could not be moved.
    public var sourceURL: URL? {
        if case .downloadedFileMoveFailed(_, let source, _) = self { source } else { nil }
    }

    /// Where the download should have been moved.
    public var destinationURL: URL? {
        if case .downloadedFileMoveFailed(_, _, let destination) = self { destination } else { nil }
    }

    /// What the transfer's error says about going on with the download.
    public var downloadResumeData: Data? {
        (underlyingError as? any ResumableError)?.resumeData
    }
}

/// An error that knows how to go on with the download it ended.
public protocol ResumableError: Error {
    /// What `Session.download(resumingWith:)` takes; `nil` when nothing can be resumed.
    var resumeData: Data? { get }
}
