internal import AFRequests

/// Standard validations. They run after the body was received and before the file is renamed, until one fails.
extension DownloadRequest {
    /// Requires one of the status codes.
    @discardableResult
    public func validate<Codes: Sequence<Int> & Sendable>(statusCode acceptable: Codes) -> Self {
        validate { _, response, _ in ResponseValidation.status(response.statusCode, acceptable: acceptable) }
    }

    /// Requires one of the media types, in which `*` matches anything. Evaluated after the response was received.
    @discardableResult
    public func validate<Types: Sequence<String> & SendableMetatype>(
        contentType acceptable: @escaping @Sendable @autoclosure () -> Types
    ) -> Self {
        validate { _, response, fileURL in
            ResponseValidation.contentType(of: response, acceptable: acceptable(), fileURL: fileURL)
        }
    }

    /// Requires a status from 200 to 299, and a media type that the request's `Accept` field lists.
    @discardableResult
    public func validate() -> Self {
        validate(statusCode: ResponseValidation.acceptableStatusCodes).validate { request, response, fileURL in
            ResponseValidation.contentType(
                of: response,
                acceptable: ResponseValidation.acceptableContentTypes(of: request),
                fileURL: fileURL
            )
        }
    }
}
