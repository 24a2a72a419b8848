public import FoundationEssentials

extension HTTPURL {
    /// The same place as a `URL`; `nil` where Foundation knows no such host.
    ///
    /// Left to itself, Foundation encodes brackets in a query and, together with them, every percent sign that is there
    /// already: `?a=%20&b[]=1` would ask for `%2520`.
    public var foundationURL: URL? {
        if let url = URL(string: text, encodingInvalidCharacters: false) { return url }
        return URL(string: origin.description + target.encodingIllegalCharacters, encodingInvalidCharacters: false)
    }
}

extension String {
    /// A path and a query with what RFC 3986 does not allow in them encoded, escapes left alone.
    fileprivate var encodingIllegalCharacters: String {
        let bytes = Array(utf8)
        var encoded = ""
        for (index, byte) in bytes.enumerated() {
            let isEscape =
                byte == UInt8(ascii: "%") && index + 2 < bytes.count && bytes[index + 1].hexadecimalValue != nil
                && bytes[index + 2].hexadecimalValue != nil
            if isEscape || byte.isASCIILetter || byte.isASCIIDigit || "-._~!$&'()*+,;=:@/?".utf8.contains(byte) {
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                encoded += HTTPURL.percentEncoded(byte)
            }
        }
        return encoded
    }
}
