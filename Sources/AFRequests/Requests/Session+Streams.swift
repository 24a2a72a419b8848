public import AFHTTP

/// Creation of streamed requests. Each method returns immediately; the request starts with a handler or
/// `resume()`.
extension Session {
    /// Creates a request whose response body is delivered in chunks.
    ///
    /// - Parameter automaticallyCancelOnStreamError: Whether a chunk that cannot be serialized cancels the request.
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

    /// Creates a streamed request with `Encodable` parameters.
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

    /// Creates a streamed request, which may have a body of any size (``UploadConvertible``).
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
