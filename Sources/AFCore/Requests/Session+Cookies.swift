public import AFHTTP
internal import AFTransport
internal import FoundationEssentials

/// The cookies that a session keeps, as values.
extension Session {
    /// The cookies kept for the session, in no particular order.
    public func cookies() async -> [HTTPCookie] { await transport.cookies() }

    /// Adds cookies; one of the same name, domain and path is replaced.
    public func setCookies(_ cookies: [HTTPCookie]) {
        transport.setCookies(cookies)
        cookieMark.renew()
    }

    /// Deletes the cookies of these names, domains and paths.
    public func deleteCookies(_ cookies: [HTTPCookie]) {
        // One that has expired takes the place of the one that is kept, and is neither listed nor sent.
        let expired = cookies.map { cookie in
            var cookie = cookie
            cookie.expiresDate = Date(timeIntervalSince1970: 1)
            return cookie
        }
        setCookies(expired)
    }

    /// Deletes all of them.
    public func deleteAllCookies() {
        transport.deleteAllCookies()
        cookieMark.renew()
    }
}
