public import AFCore
internal import AFFoundation
public import AFHTTP
public import Foundation
internal import FoundationNetworking

// Overloads that take Foundation's types where the core has its own.

extension DateFormatter: DateTextFormatting {}

extension AllowedCharacters {
    /// Creates a set from the ASCII characters of a Foundation set; others are always escaped.
    public init(_ characters: CharacterSet) {
        let scalars = (0..<128).compactMap(Unicode.Scalar.init).filter(characters.contains)
        self.init(charactersIn: String(String.UnicodeScalarView(scalars)))
    }
}

extension CharacterSet {
    /// The characters of ``AFCore/AllowedCharacters/afURLQueryAllowed``.
    public static let afURLQueryAllowed = CharacterSet(
        (0..<128).compactMap(Unicode.Scalar.init).filter(AllowedCharacters.afURLQueryAllowed.contains))
}

extension URLEncodedFormEncoder {
    /// Creates an encoder with a Foundation set of the characters that are not escaped.
    @_disfavoredOverload
    public convenience init(
        alphabetizeKeyValuePairs: Bool = true,
        arrayEncoding: ArrayEncoding = .brackets,
        boolEncoding: BoolEncoding = .numeric,
        dataEncoding: DataEncoding = .base64,
        dateEncoding: DateEncoding = .deferredToDate,
        keyEncoding: KeyEncoding = .useDefaultKeys,
        keyPathEncoding: KeyPathEncoding = .brackets,
        nilEncoding: NilEncoding = .dropKey,
        spaceEncoding: SpaceEncoding = .percentEscaped,
        allowedCharacters: CharacterSet
    ) {
        self.init(
            alphabetizeKeyValuePairs: alphabetizeKeyValuePairs,
            arrayEncoding: arrayEncoding,
            boolEncoding: boolEncoding,
            dataEncoding: dataEncoding,
            dateEncoding: dateEncoding,
            keyEncoding: keyEncoding,
            keyPathEncoding: keyPathEncoding,
            nilEncoding: nilEncoding,
            spaceEncoding: spaceEncoding,
            allowedCharacters: AllowedCharacters(allowedCharacters)
        )
    }
}

extension AFHTTP.URLProtectionSpace {
    /// Creates a space with Foundation's name of a method, such as `NSURLAuthenticationMethodHTTPBasic`; other names
    /// match any method.
    @_disfavoredOverload
    public init(host: String, port: Int, protocol: String?, realm: String?, authenticationMethod: String?) {
        let method: AuthenticationMethod? =
            switch authenticationMethod {
            case NSURLAuthenticationMethodHTTPBasic: .basic
            case NSURLAuthenticationMethodHTTPDigest: .digest
            case NSURLAuthenticationMethodNTLM: .ntlm
            case NSURLAuthenticationMethodNegotiate: .negotiate
            default: nil
            }
        self.init(
            host: host,
            port: port == 0 ? (`protocol` == "https" ? 443 : 80) : port,
            protocol: `protocol` ?? "http",
            realm: realm,
            authenticationMethod: method
        )
    }
}

extension AFHTTP.HTTPCookie {
    /// Creates a cookie from Foundation's properties; `nil` if a required one is missing.
    public init?(properties: [HTTPCookiePropertyKey: Any]) {
        guard let cookie = FoundationNetworking.HTTPCookie(properties: properties) else { return nil }
        self.init(cookie)
    }
}

extension Request {
    /// Returns the task of every attempt.
    public func urlSessionTasks(
        bufferingPolicy: StreamOf<URLSessionTask>.BufferingPolicy = .unbounded
    ) -> StreamOf<URLSessionTask> {
        transferTasks(bufferingPolicy: bufferingPolicy)
    }
}

extension Session {
    /// The monitors of a session that is created without others.
    public var defaultEventMonitors: [any AFCore.EventMonitor] { [AlamofireNotifications()] }
}
