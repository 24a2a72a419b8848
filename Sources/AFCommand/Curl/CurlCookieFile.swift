internal import AFHTTP
internal import AFTransport

/// The files of curl's `--cookie`: lines in Netscape's format, or response headers with `Set-Cookie`.
enum CurlCookieFile {
    /// Returns the cookies of a file. As in curl, other lines are ignored.
    ///
    /// - Parameters:
    ///   - url: The URL of the transfer, to whose host the cookies of headers are sent.
    ///   - host: The host that cookies of the URL are for.
    static func cookies(_ content: [UInt8], for url: HTTPURL?, host: String) -> [HTTPCookie] {
        content.withoutByteOrderMark.split(separator: 0x0A)
            .compactMap { line in
                let text = String(octets: line.last == 0x0D ? line.dropLast() : line)
                guard let (name, value) = text.halves(around: ":"), name.lowercased() == "set-cookie" else {
                    let fields = String(text.drop { $0 == " " || $0 == "\t" })
                    guard let cookie = HTTPCookie(netscapeLine: fields), cookie.isSecure || !cookie.hasSecureName,
                        !cookie.isForPublicSuffix
                    else { return nil }
                    return cookie.withoutSlash
                }
                guard let url else { return nil }
                return HTTPCookie(
                    setCookie: String(value), from: url, host: host, isPublicSuffix: PublicSuffixList.contains)
            }
    }
}

extension HTTPCookie {
    /// The cookie without the slash at the end of its path, with which it would not replace that of a response.
    fileprivate var withoutSlash: HTTPCookie {
        var cookie = self
        guard path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") else { return cookie }
        cookie.path.removeLast()
        cookie.hasDefaultPath = true
        return cookie
    }
}
