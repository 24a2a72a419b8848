package import FoundationEssentials

extension String {
    /// The text with characters percent-encoded that have a meaning in a query or are not allowed in one.
    ///
    /// Letters, digits, `-._~` and, according to RFC 3986 §3.4, `/` and `?` stay.
    package var queryEscaped: String { percentEncoded(keeping: .afURLQueryAllowed) }

    /// Returns the text with all bytes percent-encoded except the allowed characters.
    public func percentEncoded(keeping allowed: AllowedCharacters) -> String {
        let bytes = utf8.count
        return withUTF8Bytes { text in
            String(unsafeUninitializedCapacity: 3 * bytes) { buffer in
                var end = 0
                for byte in text {
                    if allowed.contains(byte) {
                        buffer[end] = byte
                        end += 1
                    } else {
                        (buffer[end], buffer[end + 1], buffer[end + 2]) = (
                            UInt8(ascii: "%"), (byte >> 4).hexadecimalDigit, (byte & 0xF).hexadecimalDigit
                        )
                        end += 3
                    }
                }
                return end
            }
        }
    }

    private func withUTF8Bytes(_ body: (UnsafeBufferPointer<UInt8>) -> String) -> String {
        var text = self
        return text.withUTF8(body)
    }
}

extension UInt8 {
    /// The uppercase hexadecimal digit of a number below 16.
    fileprivate var hexadecimalDigit: UInt8 { self < 10 ? self + UInt8(ascii: "0") : self - 10 + UInt8(ascii: "A") }
}

extension URL {
    /// Returns the URL with escaped pairs appended to its query.
    package func appending(escapedQuery pairs: String) -> URL {
        guard !pairs.isEmpty, var components = URLComponents(url: self, resolvingAgainstBaseURL: true) else {
            return self
        }
        let query = components.percentEncodedQuery ?? ""
        components.percentEncodedQuery = query.isEmpty || query.hasSuffix("&") ? query + pairs : "\(query)&\(pairs)"
        return components.url ?? self
    }
}
