public import AFHTTP
public import FoundationEssentials

extension String: URLConvertible {
    /// Returns the URL of the text; characters that a path or a query must not contain are percent-encoded, and escapes
    /// stay.
    ///
    /// - Throws: ``AFError/invalidURL(url:)`` if the text is not a URL, contains control characters or has an invalid
    ///   host, percent-encoded or not, a backslash before it, or two `@` in its authority.
    public func asURL() throws -> URL {
        guard utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }), !Safety.refuses("16-library", hasAmbiguousHost),
            let url = URL(encoding: self), url.hasPlausibleHost
        else { throw AFError.invalidURL(url: self) }
        return url
    }

    /// Browsers end the host at a backslash, other programs treat the text before it as user info. The host may begin at
    /// either of two `@`.
    private var hasAmbiguousHost: Bool {
        guard let start = firstRange(of: "://")?.upperBound else { return false }
        let authority = self[start...].utf8.prefix { !"/?#".utf8.contains($0) }
        return authority.contains(UInt8(ascii: "\\")) || authority.filter { $0 == UInt8(ascii: "@") }.count > 1
    }
}

extension HTTPURL: URLConvertible {
    /// Returns the URL.
    ///
    /// - Throws: ``AFError/invalidURL(url:)`` if Foundation rejects the host.
    public func asURL() throws -> URL {
        guard let url = foundationURL else { throw AFError.invalidURL(url: text) }
        return url
    }
}

extension URLComponents: URLConvertible {
    /// Returns the URL of the components.
    ///
    /// - Throws: ``AFError/invalidURL(url:)`` if they do not form a URL, such as a relative path after a host.
    public func asURL() throws -> URL {
        guard let url else { throw AFError.invalidURL(url: self) }
        return url
    }
}

extension URL {
    /// Whether the decoded host is free of separators, spaces and control characters.
    ///
    /// A host is decoded before it is resolved, so that `a%2Fb` would be `a/b` to the resolver.
    fileprivate var hasPlausibleHost: Bool {
        guard let host = self.host(percentEncoded: false) else { return true }
        // Only an IPv6 address in brackets, which URL validates, contains a colon.
        if self.host(percentEncoded: true)?.contains(":") == true { return true }
        return !host.utf8.contains { byte in
            byte <= 0x20 || byte == 0x7F || "\"#%/:<>?@[\\]^`{|}".utf8.contains(byte)
        }
    }
}
