/// Names and values to encode into a request; values may be dictionaries and arrays, to any depth.
public typealias Parameters = [String: any Sendable]

/// A way to put loosely typed parameters into a request.
public protocol ParameterEncoding: Sendable {
    /// The request with the parameters in it; `nil` leaves it as it is.
    ///
    /// - Throws: `AFError.parameterEncodingFailed`, or whatever making the request throws.
    func encode(_ urlRequest: any URLRequestConvertible, with parameters: Parameters?) throws -> URLRequest
}

/// A way to put an `Encodable` value into a request.
public protocol ParameterEncoder: Sendable {
    /// The request with the parameters in it; `nil` leaves it as it is.
    func encode<Parameters: Encodable & Sendable>(_ parameters: Parameters?, into request: URLRequest) throws
        -> URLRequest
}
