public import FoundationEssentials

/// Encodes parameters as a JSON body.
///
/// Values may be strings, numbers, `Bool`, ``JSONNull``, `nil` (as `null`), arrays, dictionaries with `String` keys,
/// and types that are ``ParameterConvertible``, such as Foundation's with AFFoundation. The method is not checked: a
/// GET with a JSON body fails when the request is validated.
public struct JSONEncoding: ParameterEncoding {
    /// The options for writing JSON.
    public struct WritingOptions: OptionSet, Sendable {
        /// The bits of the options.
        public let rawValue: Int

        /// Creates options from their bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Writes several lines, indented by two spaces per level.
        public static let prettyPrinted = WritingOptions(rawValue: 1 << 0)
        /// Sorts members by key. Without it, their order is a dictionary's, which differs between runs.
        public static let sortedKeys = WritingOptions(rawValue: 1 << 1)
    }

    /// The reason why parameters cannot be encoded as JSON.
    public enum Error: Swift.Error, Sendable {
        /// The top-level value is neither an array nor a dictionary, or a nested value has no JSON form.
        case invalidJSONObject
    }

    /// An encoding on one line with members in any order.
    public static let `default` = JSONEncoding()
    /// An encoding on several lines.
    public static let prettyPrinted = JSONEncoding(options: .prettyPrinted)

    /// The options for writing.
    public let options: WritingOptions

    /// Creates an encoding with options.
    public init(options: WritingOptions = []) {
        self.options = options
    }

    /// Returns the request with the parameters as its body and, unless it has one, JSON's `Content-Type`.
    ///
    /// - Throws: `AFError.parameterEncodingFailed` if the parameters have no JSON form.
    public func encode(_ urlRequest: any URLRequestConvertible, with parameters: Parameters?) throws -> URLRequest {
        try encode(urlRequest, withJSONObject: parameters)
    }

    /// Returns the request with an array or a dictionary as its body and, unless it has one, JSON's `Content-Type`.
    ///
    /// - Throws: `AFError.parameterEncodingFailed` if the object has no JSON form.
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
    /// The ``localizedDescription``.
    public var errorDescription: String? { localizedDescription }

    /// The message: lower case, without full stop, in English regardless of the locale.
    public var localizedDescription: String { "the value, or something in it, has no JSON form" }
}
