public import FoundationEssentials

extension HTTPURL {
    /// The URL as a `URL`; `nil` if Foundation rejects the host.
    ///
    /// Foundation itself would encode brackets in a query together with every percent sign: `?a=%20&b[]=1` would become
    /// `%2520`.
    public var foundationURL: URL? {
        if let url = URL(string: text, encodingInvalidCharacters: false) { return url }
        return URL(string: origin.description + target.encodingIllegalCharacters, encodingInvalidCharacters: false)
    }
}

extension String {
    /// The path and query with the characters that RFC 3986 forbids percent-encoded; existing escapes stay.
    fileprivate var encodingIllegalCharacters: String {
        let bytes = Array(utf8)
        return bytes.percentEncoded { byte, index in
            !byte.isUnreserved && !"!$&'()*+,;=:@/?".utf8.contains(byte) && !bytes.isPercentEscape(at: index)
        }
    }
}
