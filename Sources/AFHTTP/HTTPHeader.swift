import FoundationEssentials

/// One header field: a name and a value, in the spelling they were given.
public struct HTTPHeader: Hashable, Sendable, CustomStringConvertible {
    /// The name, as it is spelled.
    public let name: String
    /// The value, as it is spelled.
    public let value: String

    /// A field; ``isValid`` tells whether it may be sent.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// `Name: value`, even where the value is a secret.
    public var description: String { "\(name): \(value)" }

    /// The field in curl's notation, which libcurl shares: `Name;` if the value is empty or blank, because `Name:` removes
    /// a field.
    package var curlDescription: String {
        value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 } ? "\(name);" : description
    }

    /// Whether the field may be sent: a token as name, no control characters but tab in the value (RFC 9110 §5).
    public var isValid: Bool {
        !name.isEmpty && name.utf8.allSatisfy(\.isTokenByte)
            && value.utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }
    }
}

extension HTTPHeader {
    /// Which types of body are wanted.
    public static func accept(_ value: String) -> HTTPHeader { HTTPHeader(name: "Accept", value: value) }

    /// Which character sets are wanted.
    public static func acceptCharset(_ value: String) -> HTTPHeader {
        HTTPHeader(name: "Accept-Charset", value: value)
    }

    /// Which languages are wanted.
    public static func acceptLanguage(_ value: String) -> HTTPHeader {
        HTTPHeader(name: "Accept-Language", value: value)
    }

    /// Which codings of the body are wanted.
    public static func acceptEncoding(_ value: String) -> HTTPHeader {
        HTTPHeader(name: "Accept-Encoding", value: value)
    }

    /// Basic credentials (RFC 7617): UTF-8, then base64.
    public static func authorization(username: String, password: String) -> HTTPHeader {
        authorization("Basic " + Data("\(username):\(password)".utf8).base64EncodedString())
    }

    /// A bearer token (RFC 6750 §2.1), passed through unchanged.
    public static func authorization(bearerToken: String) -> HTTPHeader {
        authorization("Bearer \(bearerToken)")
    }

    /// Who asks, in any scheme.
    public static func authorization(_ value: String) -> HTTPHeader {
        HTTPHeader(name: "Authorization", value: value)
    }

    /// What to do with the body, and its name.
    public static func contentDisposition(_ value: String) -> HTTPHeader {
        HTTPHeader(name: "Content-Disposition", value: value)
    }

    /// How the body is coded.
    public static func contentEncoding(_ value: String) -> HTTPHeader {
        HTTPHeader(name: "Content-Encoding", value: value)
    }

    /// What the body is.
    public static func contentType(_ value: String) -> HTTPHeader { HTTPHeader(name: "Content-Type", value: value) }

    /// Which program asks.
    public static func userAgent(_ value: String) -> HTTPHeader { HTTPHeader(name: "User-Agent", value: value) }

    /// Which protocols are wanted above WebSocket.
    public static func websocketProtocol(_ value: String) -> HTTPHeader {
        HTTPHeader(name: "Sec-WebSocket-Protocol", value: value)
    }
}
