/// Standard validations. They run after the body was received, in order, until one fails.
extension DataRequest {
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
        validate { _, response, data in
            ResponseValidation.contentType(
                of: response,
                acceptable: acceptable(),
                isBodyEmpty: data?.isEmpty ?? true
            )
        }
    }

    /// Requires a status from 200 to 299, and a media type that the request's `Accept` field lists.
    @discardableResult
    public func validate() -> Self {
        validate(statusCode: ResponseValidation.acceptableStatusCodes).validate { request, response, data in
            ResponseValidation.contentType(
                of: response,
                acceptable: ResponseValidation.acceptableContentTypes(of: request),
                isBodyEmpty: data?.isEmpty ?? true
            )
        }
    }
}

/// Standard validations. They run after the body was delivered, and do not know whether it was empty.
extension DataStreamRequest {
    /// Requires one of the status codes.
    @discardableResult
    public func validate<Codes: Sequence<Int> & Sendable>(statusCode acceptable: Codes) -> Self {
        validate { _, response in ResponseValidation.status(response.statusCode, acceptable: acceptable) }
    }

    /// Requires one of the media types, in which `*` matches anything. Evaluated after the response was received.
    @discardableResult
    public func validate<Types: Sequence<String> & SendableMetatype>(
        contentType acceptable: @escaping @Sendable @autoclosure () -> Types
    ) -> Self {
        validate { _, response in
            ResponseValidation.contentType(of: response, acceptable: acceptable(), isBodyEmpty: false)
        }
    }

    /// Requires a status from 200 to 299, and a media type that the request's `Accept` field lists.
    @discardableResult
    public func validate() -> Self {
        validate(statusCode: ResponseValidation.acceptableStatusCodes).validate { request, response in
            ResponseValidation.contentType(
                of: response,
                acceptable: ResponseValidation.acceptableContentTypes(of: request),
                isBodyEmpty: false
            )
        }
    }
}
