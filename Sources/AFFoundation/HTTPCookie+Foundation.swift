public import AFHTTP
internal import Foundation
public import FoundationNetworking

extension AFHTTP.HTTPCookie {
    /// Converts a cookie of Foundation; its ports, comment and version are dropped.
    public init(_ cookie: FoundationNetworking.HTTPCookie) {
        self.init(
            name: cookie.name,
            value: cookie.value,
            domain: cookie.domain,
            path: cookie.path,
            expiresDate: cookie.isSessionOnly ? nil : cookie.expiresDate,
            isSecure: cookie.isSecure,
            isHTTPOnly: cookie.isHTTPOnly
        )
    }
}

extension FoundationNetworking.HTTPCookie {
    /// Creates Foundation's cookie; `nil` if Foundation rejects the cookie, for example if its name is empty.
    public convenience init?(_ cookie: AFHTTP.HTTPCookie) {
        var properties: [HTTPCookiePropertyKey: Any] = [
            .name: cookie.name,
            .value: cookie.value,
            .domain: cookie.domain,
            .path: cookie.path,
        ]
        properties[.expires] = cookie.expiresDate
        if cookie.isSecure { properties[.secure] = "TRUE" }
        // Foundation reads the flag from a key that it does not publish.
        if cookie.isHTTPOnly { properties[HTTPCookiePropertyKey("HttpOnly")] = "TRUE" }
        self.init(properties: properties)
    }
}
