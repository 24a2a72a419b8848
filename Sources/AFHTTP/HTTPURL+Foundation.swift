public import FoundationEssentials

extension HTTPURL {
    /// The URL as a `URL`; `nil` if Foundation rejects the host.
    public var foundationURL: URL? {
        if let url = URL(string: text, encodingInvalidCharacters: false) { return url }
        return URL(string: origin.description + target.encodingIllegalCharacters(), encodingInvalidCharacters: false)
    }
}

extension URL {
    /// Creates a URL from a text in which the characters that RFC 3986 forbids are percent-encoded; existing escapes stay.
    ///
    /// Foundation itself encodes such a component completely: `?a=%20&b[]=1` becomes `?a=%2520&b%5B%5D=1`.
    package init?(encoding text: String) {
        let start = text.firstRange(of: "://")?.upperBound ?? text.startIndex
        let authority = start > text.startIndex ? text[start...].prefix { !"/?#".contains($0) } : ""
        let userInfo = authority.lastIndex(of: "@").map { authority[..<$0] } ?? authority.prefix(0)
        let rest = text[(start > text.startIndex ? authority.endIndex : start)...]
        let hash = rest.firstIndex(of: "#")
        let target = String(rest[..<(hash ?? rest.endIndex)]).encodingIllegalCharacters()
        let fragment = hash.map { "#" + String(rest[rest.index(after: $0)...]).encodingIllegalCharacters() } ?? ""
        self.init(
            string: String(text[..<start]) + String(userInfo).encodingIllegalCharacters()
                + authority[userInfo.endIndex...] + target + fragment)
    }
}

extension String {
    /// The text with the characters that RFC 3986 forbids in user info, path and query percent-encoded; existing escapes
    /// stay.
    fileprivate func encodingIllegalCharacters() -> String {
        let bytes = Array(utf8)
        return bytes.percentEncoded { byte, index in
            !byte.isUnreserved && !"!$&'()*+,;=:@/?".utf8.contains(byte) && !bytes.isPercentEscape(at: index)
        }
    }
}
