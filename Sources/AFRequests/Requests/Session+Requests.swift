public import AFHTTP

/// Creation of requests. Each method returns immediately; the request starts with a handler or `resume()`.
extension Session {
    /// A closure that changes a request before its parameters are encoded.
    public typealias RequestModifier = RequestConvertible.RequestModifier

    /// Creates a request with a response body in memory.
    public func request(
        _ convertible: any URLConvertible,
        method: HTTPMethod = .get,
        parameters: Parameters? = nil,
        encoding: any ParameterEncoding = URLEncoding.default,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        requestModifier: RequestModifier? = nil
    ) -> DataRequest {
        let request = RequestConvertible(
            url: convertible,
            method: method,
            parameters: parameters,
            encoding: encoding,
            headers: headers,
            requestModifier: requestModifier
        )
        let origin = origin(interceptor, shouldAutomaticallyResume)
        return begin(DataRequest(request, isImmediate: request.runsNoUserCode, origin))
    }

    /// Creates a request with `Encodable` parameters and a response body in memory.
    public func request<Parameters: Encodable & Sendable>(
        _ convertible: any URLConvertible,
        method: HTTPMethod = .get,
        parameters: Parameters? = nil,
        encoder: any ParameterEncoder = URLEncodedFormParameterEncoder.default,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        requestModifier: RequestModifier? = nil
    ) -> DataRequest {
        let request = EncodedRequestConvertible(
            url: convertible,
            method: method,
            parameters: parameters,
            encoder: encoder,
            headers: headers,
            requestModifier: requestModifier
        )
        return self.request(
            request,
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume
        )
    }

    /// Creates a request with a response body in memory.
    public func request(
        _ convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil
    ) -> DataRequest {
        let isImmediate =
            convertible is URLRequest || (convertible as? RequestConvertible)?.runsNoUserCode == true
        return begin(
            DataRequest(convertible, isImmediate: isImmediate, origin(interceptor, shouldAutomaticallyResume)))
    }

    package func origin(_ interceptor: (any RequestInterceptor)?, _ resumes: Bool?) -> RequestOrigin {
        RequestOrigin(session: self, interceptor: interceptor, shouldAutomaticallyResume: resumes)
    }

    package func begin<Kind: Request>(_ request: Kind) -> Kind {
        eventMonitor?.didCreate(request)
        if requestSetup == .eager { request.prepareEarly() }
        return request
    }
}
