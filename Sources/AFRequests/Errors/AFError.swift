public import FoundationEssentials

/// The error of a request.
///
/// Cases and reasons are Alamofire's, so that `switch` statements need no change.
public enum AFError: Error, Sendable {
    /// An `UploadableConvertible` threw an error while it created the body of an upload.
    case createUploadableFailed(error: any Error)
    /// A `URLRequestConvertible` or a request modifier threw an error that is not an `AFError`.
    case createURLRequestFailed(error: any Error)
    /// The downloaded file could not be moved to its destination. It is still at `source`, unless it was a part, or an
    /// error page, or the destination was found unusable before the end of the transfer.
    case downloadedFileMoveFailed(error: any Error, source: URL, destination: URL)
    /// `cancel()` was called before the request ended.
    case explicitlyCancelled
    /// The value is not a URL.
    case invalidURL(url: any URLConvertible)
    /// A part of a form cannot be read, or its header is invalid; the body was not sent, or not completely.
    case multipartEncodingFailed(reason: MultipartEncodingFailureReason)
    /// A `ParameterEncoding` could not encode the parameters into the request.
    case parameterEncodingFailed(reason: ParameterEncodingFailureReason)
    /// A `ParameterEncoder` could not encode the parameters into the request.
    case parameterEncoderFailed(reason: ParameterEncoderFailureReason)
    /// A `RequestAdapter` rejected the request.
    case requestAdaptationFailed(error: any Error)
    /// A `RequestRetrier` returned an error for `originalError`.
    case requestRetryFailed(retryError: any Error, originalError: any Error)
    /// `validate` rejected the response.
    case responseValidationFailed(reason: ResponseValidationFailureReason)
    /// The response was received, but could not be serialized.
    case responseSerializationFailed(reason: ResponseSerializationFailureReason)
    /// The server was rejected by a trust evaluator of the program.
    case serverTrustEvaluationFailed(reason: ServerTrustFailureReason)
    /// The `Session` was deallocated before the request finished.
    case sessionDeinitialized
    /// The `Session` was invalidated before the request finished, with `error` if there was one.
    case sessionInvalidated(error: (any Error)?)
    /// The transfer failed: no response was received, or not all of it.
    case sessionTaskFailed(error: any Error)
    /// The request is invalid and was not sent.
    case urlRequestValidationFailed(reason: URLRequestValidationFailureReason)
}

extension Error {
    /// The error, if it is an `AFError`.
    public var asAFError: AFError? { self as? AFError }

    /// Returns the error as an `AFError`; stops the program with the message if it is not one.
    public func asAFError(
        orFailWith message: @autoclosure () -> String,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> AFError {
        guard let error = self as? AFError else { preconditionFailure(message(), file: file, line: line) }
        return error
    }

    /// Returns the error if it is an `AFError`, else the given one, which usually wraps it.
    package func asAFError(or wrapping: @autoclosure () -> AFError) -> AFError {
        self as? AFError ?? wrapping()
    }
}
