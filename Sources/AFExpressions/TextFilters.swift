internal import AFHTTP
internal import FoundationEssentials

extension [UInt8] {
    /// The bytes as Base64 with the alphabet of URLs and without padding.
    var base64URLText: String {
        String(
            decoding: Data(self).base64EncodedString().utf8.compactMap { byte -> UInt8? in
                switch byte {
                case UInt8(ascii: "+"): UInt8(ascii: "-")
                case UInt8(ascii: "/"): UInt8(ascii: "_")
                case UInt8(ascii: "="): nil
                default: byte
                }
            }, as: UTF8.self)
    }
}

extension String {
    /// The text with character references for the characters of HTML's syntax.
    var htmlEscaped: String {
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "'": text += "&#x27;"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// The text with its character references decoded (HTML standard §13.2.5.72).
    var htmlUnescaped: String {
        var text: [UInt8] = []
        var rest = Array(utf8)[...]
        while let index = rest.firstIndex(of: UInt8(ascii: "&")) {
            text += rest[..<index]
            rest = rest[(index + 1)...]
            if let (characters, length) = HTMLReference.decode(rest) {
                text += characters.utf8
                rest = rest.dropFirst(length)
            } else {
                text.append(UInt8(ascii: "&"))
            }
        }
        return String(decoding: text + rest, as: UTF8.self)
    }

    /// Returns the text with its valid percent escapes decoded; `nil` if the result is not UTF-8.
    ///
    /// - Parameter decodingPlus: Whether a plus sign is a space, as in forms; then invalid UTF-8 becomes U+FFFD.
    func leniently(decodingPlus: Bool) -> String? {
        let bytes = Array(utf8)
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes.isPercentEscape(at: index), let high = bytes[index + 1].hexadecimalValue,
                let low = bytes[index + 2].hexadecimalValue
            {
                result.append(high << 4 | low)
                index += 3
            } else {
                result.append(decodingPlus && bytes[index] == UInt8(ascii: "+") ? UInt8(ascii: " ") : bytes[index])
                index += 1
            }
        }
        return decodingPlus ? String(decoding: result, as: UTF8.self) : String(validating: result, as: UTF8.self)
    }

    /// Returns the decoded value of the first query parameter of this name in a URL; `nil` if the query has no such parameter.
    func queryValue(_ name: String) -> String? {
        let beforeFragment = prefix { $0 != "#" }
        guard let mark = beforeFragment.firstIndex(of: "?") else { return nil }
        for parameter in beforeFragment[beforeFragment.index(after: mark)...].split(separator: "&") {
            let halves = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard String(halves[0]).leniently(decodingPlus: true) == name else { continue }
            return halves.count > 1 ? String(halves[1]).leniently(decodingPlus: true) : ""
        }
        return nil
    }

    /// Returns the text with each occurrence of another one replaced, compared by bytes.
    func replacing(_ old: String, byText new: String) -> String {
        pieces(separatedBy: old).joined(separator: new)
    }

    /// Returns the texts between occurrences of a separator; an empty one separates all characters.
    func pieces(separatedBy separator: String) -> [String] {
        guard !separator.isEmpty else { return [""] + unicodeScalars.map { String($0) } + [""] }
        let (bytes, mark) = (Array(utf8), Array(separator.utf8))
        var pieces: [String] = []
        var (start, index) = (0, 0)
        while index + mark.count <= bytes.count {
            guard bytes[index] == mark[0], bytes[index..<index + mark.count].elementsEqual(mark) else {
                index += 1
                continue
            }
            pieces.append(String(decoding: bytes[start..<index], as: UTF8.self))
            index += mark.count
            start = index
        }
        return pieces + [String(decoding: bytes[start...], as: UTF8.self)]
    }
}

/// A character reference of HTML.
enum HTMLReference {
    /// Decodes the reference after an ampersand; returns its characters and its length, or `nil` if the text is not a reference.
    static func decode(_ text: ArraySlice<UInt8>) -> (characters: String, length: Int)? {
        text.first == UInt8(ascii: "#") ? decodeNumber(text.dropFirst()) : decodeName(text)
    }

    private static func decodeNumber(_ text: ArraySlice<UInt8>) -> (characters: String, length: Int)? {
        let isHexadecimal = text.first.map { $0 | 0x20 == UInt8(ascii: "x") } ?? false
        let rest = isHexadecimal ? text.dropFirst() : text
        let digits = rest.prefix { isHexadecimal ? $0.hexadecimalValue != nil : $0.isASCIIDigit }
        guard !digits.isEmpty else { return nil }
        let value = UInt32(String(decoding: digits, as: UTF8.self), radix: isHexadecimal ? 16 : 10) ?? .max
        let hasEnd = rest[digits.endIndex...].first == UInt8(ascii: ";")
        let length = 1 + (isHexadecimal ? 1 : 0) + digits.count + (hasEnd ? 1 : 0)
        return (String(character(value)), length)
    }

    private static func character(_ value: UInt32) -> Unicode.Scalar {
        // The numbers of C1 controls are those of windows-1252.
        if 0x80...0x9F ~= value {
            let replacement = windows1252[Int(value - 0x80)]
            return replacement == 0 ? Unicode.Scalar(UInt8(value)) : Unicode.Scalar(replacement) ?? "\u{FFFD}"
        }
        return value == 0 ? "\u{FFFD}" : Unicode.Scalar(value) ?? "\u{FFFD}"
    }

    private static let windows1252: [UInt16] = [
        0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017D, 0,
        0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E,
        0x0178,
    ]

    /// Decodes the longest name; some need no semicolon.
    private static func decodeName(_ text: ArraySlice<UInt8>) -> (characters: String, length: Int)? {
        var name = text.prefix(longestName).prefix { $0.isASCIILetter || $0.isASCIIDigit }
        if text[name.endIndex...].first == UInt8(ascii: ";") { name = text[name.startIndex...name.endIndex] }
        while name.count > 1 {
            if let characters = names[String(decoding: name, as: UTF8.self)] { return (characters, name.count) }
            name.removeLast()
        }
        return nil
    }

    private static let longestName = 33

    /// The characters of each name, with its semicolon if it needs one.
    private static let names: [String: String] = {
        var names: [String: String] = [:]
        for line in htmlReferenceNames.split(separator: "\n") {
            for entry in line.split(separator: " ") {
                let halves = entry.split(separator: "=", maxSplits: 1)
                guard halves.count == 2 else { continue }
                let scalars = halves[1].split(separator: "+").compactMap {
                    UInt32($0, radix: 16).flatMap(Unicode.Scalar.init)
                }
                names[String(halves[0])] = String(String.UnicodeScalarView(scalars))
            }
        }
        return names
    }()
}
