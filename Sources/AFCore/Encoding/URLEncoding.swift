internal import FoundationEssentials

/// Puts parameters into the query or, as a form, into the body.
///
/// Keys are sorted at every level, so that equal parameters make equal requests. A missing optional is left out,
/// ``JSONNull`` is `null`, and a whole number is spelled without a fraction whatever its type. Other types can supply
/// their own form (``ParameterConvertible``), as Foundation's do with AFFoundation.
public struct URLEncoding: ParameterEncoding {
    /// Where parameters go.
    public enum Destination: Sendable {
        /// Into the query of GET, HEAD and DELETE requests, else into the body.
        case methodDependent
        case queryString
        case httpBody
    }

    /// How the key of an array's element is spelled.
    public enum ArrayEncoding: Sendable {
        /// `key[]=a&key[]=b`
        case brackets
        /// `key=a&key=b`
        case noBrackets
        /// `key[0]=a&key[1]=b`
        case indexInBrackets
        /// From the array's key and the element's place.
        case custom(@Sendable (_ key: String, _ index: Int) -> String)
    }

    /// How a `Bool` is spelled.
    public enum BoolEncoding: Sendable {
        /// `1` and `0`
        case numeric
        /// `true` and `false`
        case literal
    }

    /// Where the method wants them, arrays with brackets, `Bool`s as numbers.
    public static let `default` = URLEncoding()
    /// As ``default``, into the query whatever the method.
    public static let queryString = URLEncoding(destination: .queryString)
    /// As ``default``, into the body whatever the method.
    public static let httpBody = URLEncoding(destination: .httpBody)

    /// Where parameters go.
    public let destination: Destination
    /// How the key of an array's element is spelled.
    public let arrayEncoding: ArrayEncoding
    /// How a `Bool` is spelled.
    public let boolEncoding: BoolEncoding

    /// An encoding with rules of its own.
    public init(
        destination: Destination = .methodDependent,
        arrayEncoding: ArrayEncoding = .brackets,
        boolEncoding: BoolEncoding = .numeric
    ) {
        self.destination = destination
        self.arrayEncoding = arrayEncoding
        self.boolEncoding = boolEncoding
    }

    /// The request with the parameters behind its query, or as its body with a form's `Content-Type` unless it has one.
    ///
    /// - Throws: `AFError.parameterEncodingFailed` when parameters belong into a URL that the request does not have.
    public func encode(_ urlRequest: any URLRequestConvertible, with parameters: Parameters?) throws -> URLRequest {
        var request = try urlRequest.asURLRequest()
        guard let parameters else { return request }
        if destination.isQuery(of: request.method ?? .get) {
            guard let url = request.url else { throw AFError.parameterEncodingFailed(reason: .missingURL) }
            request.url = url.appending(escapedQuery: query(parameters))
        } else {
            if request.headers["Content-Type"] == nil {
                request.headers.update(.contentType("application/x-www-form-urlencoded; charset=utf-8"))
            }
            request.httpBody = Data(query(parameters).utf8)
        }
        return request
    }

    /// The escaped pairs of one parameter: several for arrays and dictionaries, none for a missing optional.
    public func queryComponents(fromKey key: String, value: Any) -> [(String, String)] {
        let text: String
        switch ParameterTree(value) {
        case .missing: return []
        case .object(let members):
            return members.sorted { $0.key < $1.key }.flatMap { member in
                queryComponents(fromKey: "\(key)[\(member.key)]", value: member.value)
            }
        case .array(let elements):
            return elements.enumerated().flatMap { index, element in
                queryComponents(fromKey: arrayEncoding.key(key, index: index), value: element)
            }
        case .null: text = "null"
        case .bool(let bool): text = boolEncoding.text(bool)
        case .number(let number), .unspeakableNumber(let number): text = number
        case .string(let string), .other(let string): text = string
        }
        return [(escape(key), escape(text))]
    }

    /// The text with everything percent-encoded that has a meaning in a query or may not stand in one.
    public func escape(_ string: String) -> String { string.queryEscaped }

    private func query(_ parameters: Parameters) -> String {
        parameters.sorted { $0.key < $1.key }
            .flatMap { queryComponents(fromKey: $0.key, value: $0.value) }
            .map { "\($0)=\($1)" }
            .joined(separator: "&")
    }
}

extension URLEncoding.Destination {
    /// Whether parameters of a request with this method belong into its URL.
    func isQuery(of method: HTTPMethod) -> Bool {
        switch self {
        case .methodDependent: method == .get || method == .head || method == .delete
        case .queryString: true
        case .httpBody: false
        }
    }
}

extension URLEncoding.ArrayEncoding {
    func key(_ key: String, index: Int) -> String {
        switch self {
        case .brackets: "\(key)[]"
        case .noBrackets: key
        case .indexInBrackets: "\(key)[\(index)]"
        case .custom(let spell): spell(key, index)
        }
    }
}

extension URLEncoding.BoolEncoding {
    func text(_ bool: Bool) -> String {
        switch self {
        case .numeric: bool ? "1" : "0"
        case .literal: bool ? "true" : "false"
        }
    }
}
