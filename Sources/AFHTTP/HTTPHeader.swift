import FoundationEssentials

/// One header field: a name and a value, as they were written.
public struct HTTPHeader: Hashable, Sendable, CustomStringConvertible {
    /// The name, as it was written.
    public let name: String
    /// The value, as it was written. Of octets that are not UTF-8, each byte beyond ASCII is a private-use character, U+10FE80
    /// to U+10FEFF, and is sent as that byte.
    public let value: String

    /// Creates a field; ``isValid`` shows whether it may be sent.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// Whether both have the same octets.
    public static func == (left: HTTPHeader, right: HTTPHeader) -> Bool {
        left.name.isSame(as: right.name) && left.value.isSame(as: right.value)
    }

    /// `Name: value`, including secrets.
    public var description: String { "\(name): \(value)" }

    /// The field in curl's notation, which libcurl shares: `Name;` if the value is empty or blank, because `Name:` removes
    /// a field.
    package var curlDescription: String {
        value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 } ? "\(name);" : description
    }

    /// Whether the field may be sent: its name is a token, and its value has no control characters but tab (RFC 9110
    /// §5).
    public var isValid: Bool {
        !name.isEmpty && Safety.requires("15-header-name", name.utf8.allSatisfy(\.isTokenByte))
            && Safety.requires("15-header", value.utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) })
    }
}

extension HTTPHeader {
    /// Returns an `Accept` field.
    public static func accept(_ value: String) -> HTTPHeader { HTTPHeader(name: "Accept", value: value) }

    /// Returns an `Accept-Charset` field.
    public static func acceptCharset(_ value: String) -> HTTPHeader {
        HTTPHeader(name: "Accept-Charset", value: value)
    }

    /// Returns an `Accept-Language` field.
    public static func acceptLanguage(_ value: String) -> HTTPHeader {
        HTTPHeader(name: "Accept-Language", value: value)
    }

    /// Returns an `Accept-Encoding` field.
    public static func acceptEncoding(_ value: String) -> HTTPHeader {
        HTTPHeader(name: "Accept-Encoding", value: value)
    }

    /// Returns an `Authorization` field with Basic credentials (RFC 7617): UTF-8, or the octets that they have, then
    /// base64.
    public static func authorization(username: String, password: String) -> HTTPHeader {
        authorization("Basic " + Data("\(username):\(password)".octets).base64EncodedString())
    }

    /// Returns an `Authorization` field with a bearer token (RFC 6750 §2.1), passed through unchanged.
    public static func authorization(bearerToken: String) -> HTTPHeader {
        authorization("Bearer \(bearerToken)")
    }

    /// Returns an `Authorization` field with a value of any scheme.
    public static func authorization(_ value: String) -> HTTPHeader {
        HTTPHeader(name: "Authorization", value: value)
    }

    /// Returns a `Content-Disposition` field.
    public static func contentDisposition(_ value: String) -> HTTPHeader {
        HTTPHeader(name: "Content-Disposition", value: value)
    }

    /// Returns a `Content-Encoding` field.
    public static func contentEncoding(_ value: String) -> HTTPHeader {
        HTTPHeader(name: "Content-Encoding", value: value)
    }

    /// Returns a `Content-Type` field.
    public static func contentType(_ value: String) -> HTTPHeader { HTTPHeader(name: "Content-Type", value: value) }

    /// Returns a `User-Agent` field.
    public static func userAgent(_ value: String) -> HTTPHeader { HTTPHeader(name: "User-Agent", value: value) }

    /// Returns a `Sec-WebSocket-Protocol` field.
    public static func websocketProtocol(_ value: String) -> HTTPHeader {
        HTTPHeader(name: "Sec-WebSocket-Protocol", value: value)
    }
}

extension HTTPHeader {
    /// Whether the name indicates a password, a token or a cookie.
    ///
    /// Such fields are not forwarded to another origin after a redirect.
    public var holdsSecret: Bool { SecretNames().contains(name) }

    /// The field with a secret value replaced by `•••`.
    public var redactedDescription: String { holdsSecret ? "\(name): •••" : description }
}
