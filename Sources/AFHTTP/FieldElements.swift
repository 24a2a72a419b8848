extension BidirectionalCollection<UInt8> {
    /// The bytes without spaces and tabs at both ends.
    @inlinable package var trimmed: SubSequence {
        guard let first = firstIndex(where: { $0 != 0x20 && $0 != 0x09 }),
            let last = lastIndex(where: { $0 != 0x20 && $0 != 0x09 })
        else { return self[endIndex...] }
        return self[first...last]
    }
}

extension Substring {
    /// The text without spaces and tabs at both ends.
    package var trimmed: Substring { Substring(utf8.trimmed) }
}

extension StringProtocol {
    /// The elements of a list (RFC 9110 §5.6.1) without blanks at both ends; empty ones do not count.
    package var listElements: [ArraySlice<UInt8>] { elements(separatedBy: UInt8(ascii: ",")) }

    /// Returns the elements between separators.
    package func elements(separatedBy separator: UInt8) -> [ArraySlice<UInt8>] {
        Array(utf8)[...].elements(separatedBy: separator)
    }
}

extension ArraySlice<UInt8> {
    /// Returns the elements between separators without blanks at both ends; empty ones do not count.
    ///
    /// In quoted strings are no separators, unless a quote is not closed: it must not hide the elements after it.
    package func elements(separatedBy separator: UInt8) -> [ArraySlice<UInt8>] {
        let isSound = count { $0 == UInt8(ascii: "\"") }.isMultiple(of: 2)
        let parts = isSound ? splitOutsideQuotes(at: separator) : split(separator: separator)
        return parts.map(\.trimmed).filter { !$0.isEmpty }
    }

    package func splitOutsideQuotes(at separator: UInt8) -> [ArraySlice<UInt8>] {
        var parts: [ArraySlice<UInt8>] = []
        var start = startIndex
        var isQuoted = false
        var index = startIndex
        while index < endIndex {
            switch self[index] {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: "\\") where isQuoted: index += 1
            case separator where !isQuoted:
                parts.append(self[start..<index])
                start = index + 1
            default: break
            }
            index += 1
        }
        parts.append(self[start..<endIndex])
        return parts
    }

    /// The trimmed bytes on both sides of the first equals sign; `nil` if it is missing.
    package var pair: (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)? {
        firstIndex(of: UInt8(ascii: "=")).map { (self[..<$0].trimmed, self[($0 + 1)...].trimmed) }
    }

    /// The text of a token or quoted string (RFC 9110 §5.6.4).
    package var unquoted: String {
        guard count >= 2, first == UInt8(ascii: "\""), last == UInt8(ascii: "\"") else {
            return String(decoding: self, as: UTF8.self)
        }
        var text: [UInt8] = []
        var isEscaped = false
        for byte in dropFirst().dropLast() {
            if byte == UInt8(ascii: "\\"), !isEscaped {
                isEscaped = true
            } else {
                text.append(byte)
                isEscaped = false
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
