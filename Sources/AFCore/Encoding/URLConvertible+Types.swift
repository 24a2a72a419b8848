public import AFHTTP
public import FoundationEssentials

extension String: URLConvertible {
    /// The URL that the text spells; characters that a path or a query may not hold are percent-encoded.
    ///
    /// - Throws: ``AFError/invalidURL(url:)`` for text that is no URL, that holds control characters, or whose host
    ///   holds, plain or percent-encoded, what no host may hold, or has a backslash before it.
    public func asURL() throws -> URL {
        guard utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }), !hasBackslashBeforePath, let url = URL(string: self),
            url.hasPlausibleHost
        else { throw AFError.invalidURL(url: self) }
        return url
    }

    /// Browsers end the host there, others take what stands before it for user info, and URL encodes it.
    private var hasBackslashBeforePath: Bool {
        guard let start = firstRange(of: "://")?.upperBound else { return false }
        return self[start...].utf8.prefix { !"/?#".utf8.contains($0) }.contains(UInt8(ascii: "\\"))
    }
}

extension HTTPURL: URLConvertible {
    /// - Throws: ``AFError/invalidURL(url:)`` where Foundation knows no such host.
    public func asURL() throws -> URL {
        guard let url = foundationURL else { throw AFError.invalidURL(url: text) }
        return url
    }
}

extension URLComponents: URLConvertible {
    /// - Throws: ``AFError/invalidURL(url:)`` for components that do not make a URL, such as a relative path behind a host.
    public func asURL() throws -> URL {
        guard let url else { throw AFError.invalidURL(url: self) }
        return url
    }
}

extension URL {
    /// Whether the decoded host is free of separators, spaces and control characters.
    ///
    /// A host is decoded before it is looked up, so that `a%2Fb` would be `a/b` to the resolver.
    fileprivate var hasPlausibleHost: Bool {
        guard let host = self.host(percentEncoded: false) else { return true }
        // Only an address in brackets, IPv6, holds a bare colon; URL has checked those.
        if self.host(percentEncoded: true)?.contains(":") == true { return true }
        return !host.utf8.contains { byte in
            byte <= 0x20 || byte == 0x7F || "\"#%/:<>?@[\\]^`{|}".utf8.contains(byte)
        }
    }
}
