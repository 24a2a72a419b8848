internal import AFCore
internal import AFHTTP
internal import Synchronization

/// The cookie engine of a curl command: all its transfers share the cookies of a transport.
final class CurlCookies: Sendable {
    private let transport: any Transport
    /// The cookies of files that were added.
    private let added = Mutex<Set<HTTPCookie>>([])

    init(_ transport: any Transport) { self.transport = transport }

    /// Adds the cookies of files. As in curl, those of responses take precedence; a cookie that a response has removed
    /// does not return.
    func add(_ cookies: [HTTPCookie]) {
        guard !cookies.isEmpty else { return }
        let stored = current
        let new = added.withLock { added in
            let received = Set(stored.filter { !added.contains($0) }.map(\.identity))
            return cookies.filter { added.insert($0).inserted && !received.contains($0.identity) }
        }
        transport.setCookies(new)
    }

    /// Removes all cookies.
    func removeAll() {
        added.withLock { $0 = [] }
        transport.deleteAllCookies()
    }

    /// The lines of a cookie file. As in curl, the latest cookie comes first.
    var lines: [String] { current.reversed().map(\.withSlash).compactMap(\.netscapeLine) }

    /// The contents of a cookie file.
    var jar: [UInt8] { (["# Netscape HTTP Cookie File", ""] + lines).flatMap { $0.octets + [0x0A] } }

    private var current: [HTTPCookie] { waitFor { [transport] in await transport.cookies() } }
}

extension HTTPCookie {
    /// The cookie with a slash at the end of a default path, as in curl's files.
    fileprivate var withSlash: HTTPCookie {
        var cookie = self
        if hasDefaultPath, path.utf8.last != UInt8(ascii: "/") { cookie.path += "/" }
        return cookie
    }
}
