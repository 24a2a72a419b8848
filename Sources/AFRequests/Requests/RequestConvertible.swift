public import AFHTTP
internal import FoundationEssentials

/// A request from its components, as ``Session`` methods take them.
public struct RequestConvertible: URLRequestConvertible {
    /// A closure that changes each attempt's request after URL, method and header fields are set and before the
    /// parameters are encoded.
    public typealias RequestModifier = @Sendable (inout URLRequest) throws -> Void

    /// The URL.
    public var url: any URLConvertible
    /// The method.
    public var method: HTTPMethod
    /// The parameters, encoded by ``encoding``; `nil` for none.
    public var parameters: Parameters?
    /// The encoding of the parameters into URL or body.
    public var encoding: any ParameterEncoding
    /// The header fields of the request; a session adds its default ones for other names.
    public var headers: HTTPHeaders?
    /// A closure that changes the request before the parameters are encoded.
    public var requestModifier: RequestModifier?

    /// Stores the components; the request is created later.
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

    /// Whether creating the request runs no user code.
    var runsNoUserCode: Bool {
        // Metatypes, as each cast takes 250 instructions.
        parameters == nil && requestModifier == nil && (type(of: url) == String.self || type(of: url) == URL.self)
    }

    /// Creates the request: URL, method and header fields, then the modifier, then the parameters.
    ///
    /// - Throws: Errors of the URL's conversion, the modifier and the encoding.
    public func asURLRequest() throws -> URLRequest {
        var request = try URLRequest(url: url, method: method, headers: headers)
        try requestModifier?(&request)
        return try parameters == nil ? request : encoding.encode(request, with: parameters)
    }
}

/// A request from its components, with `Encodable` parameters.
package struct EncodedRequestConvertible<Parameters: Encodable & Sendable>: URLRequestConvertible {
    var url: any URLConvertible
    var method: HTTPMethod
    var parameters: Parameters?
    var encoder: any ParameterEncoder
    var headers: HTTPHeaders?
    var requestModifier: RequestConvertible.RequestModifier?

    package init(
        url: any URLConvertible,
        method: HTTPMethod,
        parameters: Parameters?,
        encoder: any ParameterEncoder,
        headers: HTTPHeaders?,
        requestModifier: RequestConvertible.RequestModifier?
    ) {
        self.url = url
        self.method = method
        self.parameters = parameters
        self.encoder = encoder
        self.headers = headers
        self.requestModifier = requestModifier
    }

    package func asURLRequest() throws -> URLRequest {
        var request = try URLRequest(url: url, method: method, headers: headers)
        try requestModifier?(&request)
        guard let parameters else { return request }
        return try encoder.encode(parameters, into: request)
    }
}

extension URLRequestConvertible {
    /// Returns the request.
    ///
    /// - Throws: The error of ``asURLRequest()``, which may be the program's code.
    package func makeURLRequest() throws(AFError) -> URLRequest {
        do { return try asURLRequest() } catch { throw error.asAFError(or: .createURLRequestFailed(error: error)) }
    }
}

extension URLRequest {
    /// Creates a request; an ``AFHTTP/HTTPURL`` is sent as written.
    ///
    /// - Throws: Errors of the URL's conversion.
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

    /// Checks the request.
    ///
    /// - Throws: `AFError.urlRequestValidationFailed` for a GET with a body, even an empty one.
    public func validate() throws(AFError) {
        guard method ?? .get == .get, let httpBody else { return }
        throw AFError.urlRequestValidationFailed(reason: .bodyDataInGETRequest(httpBody))
    }
}
