public import AFHTTP
internal import AFTransport
internal import FoundationEssentials

/// The stored cookies of a session.
extension Session {
    /// Returns the stored cookies, oldest first.
    public func cookies() async -> [HTTPCookie] { await transport.cookies() }

    /// Adds cookies; a cookie with the same name, domain and path is replaced.
    public func setCookies(_ cookies: [HTTPCookie]) { transport.setCookies(cookies) }

    /// Deletes the cookies with these names, domains and paths.
    public func deleteCookies(_ cookies: [HTTPCookie]) {
        // An expired cookie replaces the stored one, and is neither listed nor sent.
        let expired = cookies.map { cookie in
            var cookie = cookie
            cookie.expiresDate = Date(timeIntervalSince1970: 1)
            return cookie
        }
        setCookies(expired)
    }

    /// Deletes all cookies.
    public func deleteAllCookies() { transport.deleteAllCookies() }
}
