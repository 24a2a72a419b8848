/// Ready-made checks of the response. They run once the body is in, in order, until one fails.
extension DataRequest {
    /// The status must be one of these.
    @discardableResult
    public func validate<Codes: Sequence<Int> & Sendable>(statusCode acceptable: Codes) -> Self {
        validate { _, response, _ in ResponseValidation.status(response.statusCode, acceptable: acceptable) }
    }

    /// The media type must be one of these, where `*` stands for anything. Evaluated when the response is there.
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

    /// A status from 200 to 299, and a media type that the request's own `Accept` asks for.
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

/// Ready-made checks of the response. They run once the body is in, before the file gets its name, until one fails.
extension DownloadRequest {
    /// The status must be one of these.
    @discardableResult
    public func validate<Codes: Sequence<Int> & Sendable>(statusCode acceptable: Codes) -> Self {
        validate { _, response, _ in ResponseValidation.status(response.statusCode, acceptable: acceptable) }
    }

    /// The media type must be one of these, where `*` stands for anything. Evaluated when the response is there.
    @discardableResult
    public func validate<Types: Sequence<String> & SendableMetatype>(
        contentType acceptable: @escaping @Sendable @autoclosure () -> Types
    ) -> Self {
        validate { _, response, fileURL in
            ResponseValidation.contentType(of: response, acceptable: acceptable(), fileURL: fileURL)
        }
    }

    /// A status from 200 to 299, and a media type that the request's own `Accept` asks for.
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

/// Ready-made checks of the response. They run once the body has been handed over, and cannot tell whether it was empty.
extension DataStreamRequest {
    /// The status must be one of these.
    @discardableResult
    public func validate<Codes: Sequence<Int> & Sendable>(statusCode acceptable: Codes) -> Self {
        validate { _, response in ResponseValidation.status(response.statusCode, acceptable: acceptable) }
    }

    /// The media type must be one of these, where `*` stands for anything. Evaluated when the response is there.
    @discardableResult
    public func validate<Types: Sequence<String> & SendableMetatype>(
        contentType acceptable: @escaping @Sendable @autoclosure () -> Types
    ) -> Self {
        validate { _, response in
            ResponseValidation.contentType(of: response, acceptable: acceptable(), isBodyEmpty: false)
        }
    }

    /// A status from 200 to 299, and a media type that the request's own `Accept` asks for.
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
