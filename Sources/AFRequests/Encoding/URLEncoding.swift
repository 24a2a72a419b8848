internal import FoundationEssentials

/// Encodes parameters into the query or, as a form, into the body.
///
/// Keys are sorted at every level, so that equal parameters produce equal requests. `nil` values are omitted,
/// ``JSONNull`` is `null`, and an integral number has no fraction, regardless of its type. Other types can provide
/// their own form (``ParameterConvertible``), as Foundation's do with AFFoundation.
public struct URLEncoding: ParameterEncoding {
    /// The destination of parameters.
    public enum Destination: Sendable {
        /// The query of GET, HEAD and DELETE requests, the body of others.
        case methodDependent
        case queryString
        case httpBody
    }

    /// The encoding of the key of an array's element.
    public enum ArrayEncoding: Sendable {
        /// `key[]=a&key[]=b`
        case brackets
        /// `key=a&key=b`
        case noBrackets
        /// `key[0]=a&key[1]=b`
        case indexInBrackets
        /// Derived from the array's key and the element's index.
        case custom(@Sendable (_ key: String, _ index: Int) -> String)
    }

    /// The encoding of a `Bool`.
    public enum BoolEncoding: Sendable {
        /// `1` and `0`
        case numeric
        /// `true` and `false`
        case literal
    }

    /// The default encoding: destination by method, arrays with brackets, numeric `Bool`s.
    public static let `default` = URLEncoding()
    /// The ``default`` encoding with the query as destination for any method.
    public static let queryString = URLEncoding(destination: .queryString)
    /// The ``default`` encoding with the body as destination for any method.
    public static let httpBody = URLEncoding(destination: .httpBody)

    /// The destination of parameters.
    public let destination: Destination
    /// The encoding of the key of an array's element.
    public let arrayEncoding: ArrayEncoding
    /// The encoding of a `Bool`.
    public let boolEncoding: BoolEncoding

    /// Creates an encoding.
    public init(
        destination: Destination = .methodDependent,
        arrayEncoding: ArrayEncoding = .brackets,
        boolEncoding: BoolEncoding = .numeric
    ) {
        self.destination = destination
        self.arrayEncoding = arrayEncoding
        self.boolEncoding = boolEncoding
    }

    /// Returns the request with the parameters in its query or its body. A body gets the `Content-Type` of a form unless
    /// the request has one.
    ///
    /// - Throws: `AFError.parameterEncodingFailed` if the parameters belong in the URL and the request has no URL.
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

    /// Returns the percent-encoded pairs of a parameter: several for arrays and dictionaries, none for `nil`.
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
        case .number(let number), .nonFiniteNumber(let number): text = number
        case .string(let string), .other(let string): text = string
        }
        return [(escape(key), escape(text))]
    }

    /// Returns the text with characters percent-encoded that have a meaning in a query or are not allowed in one.
    public func escape(_ string: String) -> String { string.queryEscaped }

    private func query(_ parameters: Parameters) -> String {
        parameters.sorted { $0.key < $1.key }
            .flatMap { queryComponents(fromKey: $0.key, value: $0.value) }
            .map { "\($0)=\($1)" }
            .joined(separator: "&")
    }
}

extension URLEncoding.Destination {
    /// Whether the parameters of a request with this method belong in its URL.
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
