public import FoundationEssentials

/// Why a request did not end with the value that was asked for.
///
/// Cases and reasons are Alamofire's, so that `switch` statements move over unchanged.
public enum AFError: Error, Sendable {
    /// An `UploadableConvertible` threw while it made the body of an upload.
    case createUploadableFailed(error: any Error)
    /// A `URLRequestConvertible` or a request modifier threw something else than an `AFError`.
    case createURLRequestFailed(error: any Error)
    /// The downloaded file could not be put at its destination. What was downloaded is still at `source`, unless it was
    /// but a part, or the page of an error.
    case downloadedFileMoveFailed(error: any Error, source: URL, destination: URL)
    /// `cancel()` was called before anything else ended the request.
    case explicitlyCancelled
    /// There is no URL in the value that was given as one.
    case invalidURL(url: any URLConvertible)
    /// A part of a form cannot be read, or its head must not be sent; nothing was sent, or not all of the body.
    case multipartEncodingFailed(reason: MultipartEncodingFailureReason)
    /// A `ParameterEncoding` could not put the parameters into the request.
    case parameterEncodingFailed(reason: ParameterEncodingFailureReason)
    /// A `ParameterEncoder` could not put the parameters into the request.
    case parameterEncoderFailed(reason: ParameterEncoderFailureReason)
    /// A `RequestAdapter` refused the request.
    case requestAdaptationFailed(error: any Error)
    /// A `RequestRetrier` gave an error of its own in answer to `originalError`.
    case requestRetryFailed(retryError: any Error, originalError: any Error)
    /// `validate` refused the response.
    case responseValidationFailed(reason: ResponseValidationFailureReason)
    /// The response is there, but is not what the handler asked for.
    case responseSerializationFailed(reason: ResponseSerializationFailureReason)
    /// The server could not prove who it is to an evaluator of the program's own.
    case serverTrustEvaluationFailed(reason: ServerTrustFailureReason)
    /// The `Session` went away before the request was finished.
    case sessionDeinitialized
    /// The `Session` was shut down, by `error` where there was one, before the request was finished.
    case sessionInvalidated(error: (any Error)?)
    /// The transfer failed: no response came, or not all of it.
    case sessionTaskFailed(error: any Error)
    /// The request is one that must not be sent.
    case urlRequestValidationFailed(reason: URLRequestValidationFailureReason)
}

extension Error {
    /// The error, if it is an `AFError`.
    public var asAFError: AFError? { self as? AFError }

    /// The error as an `AFError`; traps with the message when it is none, which is for mistakes in a program only.
    public func asAFError(
        orFailWith message: @autoclosure () -> String,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> AFError {
        guard let error = self as? AFError else { preconditionFailure(message(), file: file, line: line) }
        return error
    }

    /// The error, if it is an `AFError`, else the one given, which usually wraps it.
    package func asAFError(or wrapping: @autoclosure () -> AFError) -> AFError {
        self as? AFError ?? wrapping()
    }
}
