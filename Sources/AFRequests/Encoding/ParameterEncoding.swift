/// Parameters by name; values may be nested dictionaries and arrays.
public typealias Parameters = [String: any Sendable]

/// An encoding of untyped parameters into a request.
public protocol ParameterEncoding: Sendable {
    /// Returns the request with the encoded parameters; with `nil` it is unchanged.
    ///
    /// - Throws: `AFError.parameterEncodingFailed`, or errors of creating the request.
    func encode(_ urlRequest: any URLRequestConvertible, with parameters: Parameters?) throws -> URLRequest
}

/// An encoding of `Encodable` values into a request.
public protocol ParameterEncoder: Sendable {
    /// Returns the request with the encoded parameters; with `nil` it is unchanged.
    ///
    /// - Throws: Any error; one that is not an `AFError` is reported as `createURLRequestFailed`.
    func encode<Parameters: Encodable & Sendable>(_ parameters: Parameters?, into request: URLRequest) throws
        -> URLRequest
}
