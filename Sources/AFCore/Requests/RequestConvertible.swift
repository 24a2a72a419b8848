public import AFHTTP
internal import FoundationEssentials

/// A request from its components, as ``Session`` takes them.
public struct RequestConvertible: URLRequestConvertible {
    /// Called once the URL, the method and the headers are set, before the parameters are encoded, for each attempt.
    public typealias RequestModifier = @Sendable (inout URLRequest) throws -> Void

    /// Where the request goes.
    public var url: any URLConvertible
    /// What is asked for.
    public var method: HTTPMethod
    /// Encoded by ``encoding``; `nil` for none.
    public var parameters: Parameters?
    /// Puts the parameters into URL or body.
    public var encoding: any ParameterEncoding
    /// Those of the request; the session's come behind them.
    public var headers: HTTPHeaders?
    /// The last word before the parameters are encoded.
    public var requestModifier: RequestModifier?

    /// A request of these components; nothing is made yet.
    public init(
        url: any URLConvertible,
        method: HTTPMethod = .get,
        parameters: Parameters? = nil,
        encoding: any ParameterEncoding = URLEncoding.default,
        headers: HTTPHeaders? = nil,
        requestModifier: RequestModifier? = nil
    ) {
        self.url = url
        self.method = method
        self.parameters = parameters
        self.encoding = encoding
        self.headers = headers
        self.requestModifier = requestModifier
    }

    /// Whether making the request runs nobody's code.
    var isPlain: Bool { parameters == nil && requestModifier == nil && (url is String || url is URL) }

    /// Makes the request anew: URL, method and headers, then the modifier, then the parameters.
    ///
    /// - Throws: What the URL's conversion, the modifier and the encoding throw.
    public func asURLRequest() throws -> URLRequest {
        var request = try URLRequest(url: url, method: method, headers: headers)
        try requestModifier?(&request)
        return try parameters == nil ? request : encoding.encode(request, with: parameters)
    }
}

/// A request from its components, with parameters of a type of the caller's own.
struct EncodedRequestConvertible<Parameters: Encodable & Sendable>: URLRequestConvertible {
    var url: any URLConvertible
    var method: HTTPMethod
    var parameters: Parameters?
    var encoder: any ParameterEncoder
    var headers: HTTPHeaders?
    var requestModifier: RequestConvertible.RequestModifier?

    func asURLRequest() throws -> URLRequest {
        var request = try URLRequest(url: url, method: method, headers: headers)
        try requestModifier?(&request)
        guard let parameters else { return request }
        return try encoder.encode(parameters, into: request)
    }
}

extension URLRequest {
    /// A request for a place; an ``AFHTTP/HTTPURL`` is asked for in its own spelling.
    ///
    /// - Throws: What the URL's conversion throws.
    public init(url: any URLConvertible, method: HTTPMethod, headers: HTTPHeaders? = nil) throws {
        if let text = url as? String, let url = HTTPURL(plain: text) {
            self.init(url: url)
        } else if let url = url as? HTTPURL {
            self.init(url: url.withoutUserInfo)
        } else {
            self.init(url: try url.asURL())
        }
        self.method = method
        if let headers { self.headers = headers }
    }

    /// - Throws: `AFError.urlRequestValidationFailed` for a GET with a body, even an empty one.
    public func validate() throws {
        guard method ?? .get == .get, let httpBody else { return }
        throw AFError.urlRequestValidationFailed(reason: .bodyDataInGETRequest(httpBody))
    }
}
