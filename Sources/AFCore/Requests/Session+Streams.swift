public import AFHTTP

/// Making requests whose response is streamed. Each call returns at once; nothing is sent before a handler is added or
/// `resume()` is called.
extension Session {
    /// Hands over the response body as it comes.
    ///
    /// - Parameter automaticallyCancelOnStreamError: Whether a piece that no serializer can make a value of cancels the
    ///   request.
    public func streamRequest(
        _ convertible: any URLConvertible,
        method: HTTPMethod = .get,
        headers: HTTPHeaders? = nil,
        automaticallyCancelOnStreamError: Bool = false,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        requestModifier: RequestModifier? = nil
    ) -> DataStreamRequest {
        let request = RequestConvertible(
            url: convertible,
            method: method,
            headers: headers,
            requestModifier: requestModifier
        )
        return streamRequest(
            request,
            automaticallyCancelOnStreamError: automaticallyCancelOnStreamError,
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume
        )
    }

    /// With parameters of a type of the caller's own.
    public func streamRequest<Parameters: Encodable & Sendable>(
        _ convertible: any URLConvertible,
        method: HTTPMethod = .get,
        parameters: Parameters? = nil,
        encoder: any ParameterEncoder = URLEncodedFormParameterEncoder.default,
        headers: HTTPHeaders? = nil,
        automaticallyCancelOnStreamError: Bool = false,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        requestModifier: RequestModifier? = nil
    ) -> DataStreamRequest {
        let request = EncodedRequestConvertible(
            url: convertible,
            method: method,
            parameters: parameters,
            encoder: encoder,
            headers: headers,
            requestModifier: requestModifier
        )
        return streamRequest(
            request,
            automaticallyCancelOnStreamError: automaticallyCancelOnStreamError,
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume
        )
    }

    /// Streams the response to a request, which may carry a body of any size (``UploadConvertible``).
    public func streamRequest(
        _ convertible: any URLRequestConvertible,
        automaticallyCancelOnStreamError: Bool = false,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil
    ) -> DataStreamRequest {
        begin(
            DataStreamRequest(
                convertible,
                automaticallyCancelOnStreamError: automaticallyCancelOnStreamError,
                origin(interceptor, shouldAutomaticallyResume)
            )
        )
    }
}
