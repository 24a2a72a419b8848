/// The method of a request, exactly as it is spelled on the wire (RFC 9110 §9).
///
/// Methods are case-sensitive: `HTTPMethod(rawValue: "get")` is not ``get``.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable {
    /// The method as it is spelled.
    public let rawValue: String

    /// A method of any name; ``isValid`` tells whether it may be sent.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Opens a tunnel.
    public static let connect = HTTPMethod(rawValue: "CONNECT")
    /// Removes the resource.
    public static let delete = HTTPMethod(rawValue: "DELETE")
    /// Asks for the resource.
    public static let get = HTTPMethod(rawValue: "GET")
    /// Asks for the head of what GET gives.
    public static let head = HTTPMethod(rawValue: "HEAD")
    /// Asks what can be done.
    public static let options = HTTPMethod(rawValue: "OPTIONS")
    /// Changes a part of the resource.
    public static let patch = HTTPMethod(rawValue: "PATCH")
    /// Has the resource work on the body.
    public static let post = HTTPMethod(rawValue: "POST")
    /// Replaces the resource by the body.
    public static let put = HTTPMethod(rawValue: "PUT")
    /// Asks with a body, safely.
    public static let query = HTTPMethod(rawValue: "QUERY")
    /// Asks for the request as it arrived.
    public static let trace = HTTPMethod(rawValue: "TRACE")

    /// Whether sending the request again has the effect of sending it once (RFC 9110 §9.2.2).
    public var isIdempotent: Bool {
        switch self {
        case .get, .head, .options, .trace, .put, .delete, .query: true
        default: false
        }
    }

    /// Whether the method is a token (RFC 9110 §5.6.2), the only thing that may be sent.
    public var isValid: Bool {
        !rawValue.isEmpty && rawValue.utf8.allSatisfy(\.isTokenByte)
    }
}

extension UInt8 {
    /// `tchar` of RFC 9110 §5.6.2: what method and header names are made of.
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
