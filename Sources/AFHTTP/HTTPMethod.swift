/// The method of a request, exactly as it is sent (RFC 9110 §9).
///
/// Methods are case-sensitive: `HTTPMethod(rawValue: "get")` is not ``get``.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable {
    /// The method as it was written.
    public let rawValue: String

    /// Creates a method of any name; ``isValid`` shows whether it may be sent.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The `CONNECT` method: establishes a tunnel.
    public static let connect = HTTPMethod(rawValue: "CONNECT")
    /// The `DELETE` method: removes the resource.
    public static let delete = HTTPMethod(rawValue: "DELETE")
    /// The `GET` method: requests the resource.
    public static let get = HTTPMethod(rawValue: "GET")
    /// The `HEAD` method: requests the header of the response that GET would have.
    public static let head = HTTPMethod(rawValue: "HEAD")
    /// The `OPTIONS` method: requests the communication options of the resource.
    public static let options = HTTPMethod(rawValue: "OPTIONS")
    /// The `PATCH` method: changes parts of the resource.
    public static let patch = HTTPMethod(rawValue: "PATCH")
    /// The `POST` method: the resource processes the body.
    public static let post = HTTPMethod(rawValue: "POST")
    /// The `PUT` method: replaces the resource with the body.
    public static let put = HTTPMethod(rawValue: "PUT")
    /// The `QUERY` method: sends a query in the body; safe, unlike POST.
    public static let query = HTTPMethod(rawValue: "QUERY")
    /// The `TRACE` method: requests an echo of the request.
    public static let trace = HTTPMethod(rawValue: "TRACE")

    /// Whether repeated requests have the effect of one (RFC 9110 §9.2.2).
    public var isIdempotent: Bool {
        switch self {
        case .get, .head, .options, .trace, .put, .delete, .query: true
        default: false
        }
    }

    /// Whether the method is a token (RFC 9110 §5.6.2); no other method may be sent.
    public var isValid: Bool {
        !rawValue.isEmpty && Safety.requires("15-method", rawValue.utf8.allSatisfy(\.isTokenByte))
    }
}

extension HTTPHeaders {
    /// Whether the server processes a request with these fields only once
    /// (draft-ietf-httpapi-idempotency-key-header).
    package var hasIdempotencyKey: Bool { value(for: "Idempotency-Key")?.isEmpty == false }
}

extension UInt8 {
    /// Whether the byte is a `tchar` of RFC 9110 §5.6.2, which methods and field names consist of.
    package var isTokenByte: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
