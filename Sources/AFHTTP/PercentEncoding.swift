// Percent-encoding (RFC 3986 §2.1).

extension [UInt8] {
    /// Returns the bytes as text, in which the matching ones are percent-encoded.
    ///
    /// - Parameter mustBeEncoded: Called for each byte in order, with its index.
    @inlinable
    package func percentEncoded(
        uppercase: Bool = true,
        _ mustBeEncoded: (_ byte: UInt8, _ index: Int) -> Bool
    ) -> String {
        String(unsafeUninitializedCapacity: 3 * count) { buffer in
            var end = 0
            for (index, byte) in enumerated() {
                if mustBeEncoded(byte, index) {
                    buffer[end] = UInt8(ascii: "%")
                    buffer[end + 1] = (byte >> 4).hexadecimalDigit(uppercase: uppercase)
                    buffer[end + 2] = (byte & 0xF).hexadecimalDigit(uppercase: uppercase)
                    end += 3
                } else {
                    buffer[end] = byte
                    end += 1
                }
            }
            return end
        }
    }

    /// Whether the index has a percent sign that two hexadecimal digits follow.
    package func isPercentEscape(at index: Int) -> Bool {
        self[index] == UInt8(ascii: "%") && index + 2 < count && self[index + 1].hexadecimalValue != nil
            && self[index + 2].hexadecimalValue != nil
    }
}

extension StringProtocol {
    /// The string with its percent escapes (`%XX`) decoded; `nil` if an escape is malformed or the result is not UTF-8.
    public var percentDecoded: String? { percentDecodedBytes.flatMap { String(validating: $0, as: UTF8.self) } }

    /// The bytes of the string with its percent escapes decoded; `nil` if an escape is malformed.
    package var percentDecodedBytes: [UInt8]? {
        var bytes: [UInt8] = []
        var rest = Array(utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst()?.hexadecimalValue, let low = rest.popFirst()?.hexadecimalValue else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}

extension UInt8 {
    /// Whether the byte is unreserved (RFC 3986 §2.3): a letter, a digit or one of `-._~`.
    package var isUnreserved: Bool {
        switch self {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: isASCIILetter || isASCIIDigit
        }
    }
}
