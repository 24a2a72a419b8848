public import AFHTTP
public import AFRequests

/// Creation of WebSocket requests. Each method returns immediately; the request starts with a handler or `resume()`.
///
/// URLs may have the schemes `ws` and `wss`; the requests have `http` and `https` instead (RFC 6455 §3). A server with
/// HTTP/2 is asked for HTTP/1.1. Of the authentication schemes of credentials, only Basic is used.
extension Session {
    /// Creates a request that opens a WebSocket connection.
    public func webSocketRequest(
        to url: any URLConvertible,
        configuration: WebSocketRequest.Configuration = .default,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        requestModifier: RequestModifier? = nil
    ) -> WebSocketRequest {
        webSocketRequest(
            performing: RequestConvertible(url: url, headers: headers, requestModifier: requestModifier),
            configuration: configuration,
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume
        )
    }

    /// Creates a request that opens a WebSocket connection, with `Encodable` parameters in its query.
    public func webSocketRequest<Parameters: Encodable & Sendable>(
        to url: any URLConvertible,
        configuration: WebSocketRequest.Configuration = .default,
        parameters: Parameters? = nil,
        encoder: any ParameterEncoder = URLEncodedFormParameterEncoder.default,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        requestModifier: RequestModifier? = nil
    ) -> WebSocketRequest {
        let request = EncodedRequestConvertible(
            url: url,
            method: .get,
            parameters: parameters,
            encoder: encoder,
            headers: headers,
            requestModifier: requestModifier
        )
        return webSocketRequest(
            performing: request,
            configuration: configuration,
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume
        )
    }

    /// Creates a request that opens a WebSocket connection.
    public func webSocketRequest(
        performing convertible: any URLRequestConvertible,
        configuration: WebSocketRequest.Configuration = .default,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil
    ) -> WebSocketRequest {
        begin(WebSocketRequest(convertible, configuration, origin(interceptor, shouldAutomaticallyResume)))
    }
}
