public import FoundationEssentials

/// Puts parameters into the body as JSON.
///
/// Values may be strings, numbers, `Bool`, ``JSONNull``, missing optionals (`null`), arrays, dictionaries with
/// `String` keys, and types that are ``ParameterConvertible``, such as Foundation's with AFFoundation. The method is not looked at: a GET with a JSON body fails when the request is validated.
public struct JSONEncoding: ParameterEncoding {
    /// How the JSON is written.
    public struct WritingOptions: OptionSet, Sendable {
        /// The options as bits.
        public let rawValue: Int

        /// Options from bits.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// On several lines, indented by two spaces a level.
        public static let prettyPrinted = WritingOptions(rawValue: 1 << 0)
        /// Members by key. Otherwise their order is a dictionary's, different from run to run.
        public static let sortedKeys = WritingOptions(rawValue: 1 << 1)
    }

    /// Why parameters are no JSON.
    public enum Error: Swift.Error, Sendable {
        /// The top is neither array nor dictionary, or something inside has no JSON form.
        case invalidJSONObject
    }

    /// On one line, members in any order.
    public static let `default` = JSONEncoding()
    /// On several lines.
    public static let prettyPrinted = JSONEncoding(options: .prettyPrinted)

    /// How the JSON is written.
    public let options: WritingOptions

    /// An encoding that writes as the options say.
    public init(options: WritingOptions = []) {
        self.options = options
    }

    /// The request with the parameters as its body, with JSON's `Content-Type` unless it has one.
    ///
    /// - Throws: `AFError.parameterEncodingFailed` for parameters that are no JSON.
    public func encode(_ urlRequest: any URLRequestConvertible, with parameters: Parameters?) throws -> URLRequest {
        try encode(urlRequest, withJSONObject: parameters)
    }

    /// The request with an array or a dictionary as its body, with JSON's `Content-Type` unless it has one.
    ///
    /// - Throws: `AFError.parameterEncodingFailed` for an object that is no JSON.
    public func encode(_ urlRequest: any URLRequestConvertible, withJSONObject object: Any? = nil) throws -> URLRequest
    {
        var request = try urlRequest.asURLRequest()
        guard let object else { return request }
        let body: Data
        do {
            body = try JSONWriter.data(object, options: options)
        } catch {
            throw AFError.parameterEncodingFailed(reason: .jsonEncodingFailed(error: error))
        }
        if request.headers["Content-Type"] == nil {
            request.headers.update(.contentType("application/json"))
        }
        request.httpBody = body
        return request
    }
}

extension JSONEncoding.Error: LocalizedError {
    /// The same as ``localizedDescription``.
    public var errorDescription: String? { localizedDescription }

    /// A clause without capital and full stop, in English whatever the locale.
    public var localizedDescription: String { "the value, or something in it, has no JSON form" }
}
