extension HTTPURL {
    /// Resolves a reference of `Location` or `Link` against this URL (RFC 3986 §5.2).
    ///
    /// The result has no user info: neither the base's nor the reference's, as credentials in a redirect come from the
    /// server and not from the user.
    ///
    /// - Throws: ``InvalidURL`` if the result is not an http or https URL.
    public func resolving(_ reference: String) throws(InvalidURL) -> HTTPURL {
        let text = reference.sendable
        let resolved: String
        if let colon = text.firstIndex(of: ":"), let scheme = Parts.scheme(text[..<colon]) {
            guard text[colon...].hasPrefix("://") else {
                throw InvalidURL(Scheme(rawValue: scheme) == nil ? .unsupportedScheme(scheme) : .emptyHost, in: text)
            }
            resolved = text
        } else if text.hasPrefix("//") {
            resolved = "\(scheme.rawValue):\(text)"
        } else if text.hasPrefix("/") {
            resolved = origin.description + text
        } else if text.hasPrefix("?") {
            resolved = origin.description + path + text
        } else if text.isEmpty || text.hasPrefix("#") {
            resolved = self.text
        } else {
            let directory = path[...(path.lastIndex(of: "/") ?? path.startIndex)]
            resolved = origin.description + directory + text
        }
        let url = try HTTPURL(parsing: resolved)
        return url.withTarget(url.target.removingDotSegments).withoutUserInfo
    }

    /// The URL without user and password.
    public var withoutUserInfo: HTTPURL {
        HTTPURL(scheme: scheme, user: nil, password: nil, host: host, port: port, target: target)
    }

    private func withTarget(_ target: String) -> HTTPURL {
        HTTPURL(scheme: scheme, user: user, password: password, host: host, port: port, target: target)
    }
}

extension String {
    /// The text without surrounding blanks, in ASCII: servers send blanks and any other octets, which are percent-encoded.
    fileprivate var sendable: String {
        Array(octets[...].trimmed).percentEncoded { byte, _ in byte == 0x20 || byte >= 0x80 }
    }

    /// The path and query with `.` and `..` segments removed (RFC 3986 §5.2.4).
    package var removingDotSegments: String {
        guard mayHaveDotSegments else { return self }
        let path = prefix { $0 != "?" }
        let query = self[path.endIndex...]
        var result: [Substring] = []
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment.lowercased() {
            case ".", "%2e":
                if isLast { result.append("") }
            case "..", ".%2e", "%2e.", "%2e%2e":
                _ = result.popLast()
                if isLast { result.append("") }
            default: result.append(segment)
            }
        }
        return "/" + result.joined(separator: "/") + query
    }

    /// Whether a path segment begins with a dot, encoded or not, or the path does not begin with a slash.
    private var mayHaveDotSegments: Bool {
        guard utf8.first == UInt8(ascii: "/") else { return true }
        var previous: UInt8 = 0
        for byte in utf8 {
            if byte == UInt8(ascii: "?") { return false }
            if previous == UInt8(ascii: "/"), byte == UInt8(ascii: ".") || byte == UInt8(ascii: "%") { return true }
            previous = byte
        }
        return false
    }
}
