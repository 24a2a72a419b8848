/// A media type of `Content-Type` or `Accept` (RFC 9110 §8.3.1).
public struct MediaType: Hashable, Sendable {
    /// The type in lower case, as comparison ignores case.
    public let type: String
    /// The subtype in lower case, as comparison ignores case.
    public let subtype: String
    /// The parameters in order; names in lower case, values unquoted.
    public let parameters: [HTTPHeader]

    /// `type/subtype`, in lower case.
    public var essence: String { "\(type)/\(subtype)" }

    /// Returns the value of the first parameter of a name.
    public func parameter(_ name: String) -> String? {
        parameters.first { $0.name == name }?.value
    }

    /// Whether this type, which may contain `*`, covers another.
    public func accepts(_ other: MediaType) -> Bool {
        (type == "*" || type == other.type) && (subtype == "*" || subtype == other.subtype)
    }

    /// Returns `nil` unless the text begins with one type and one subtype, both tokens.
    public init?(parsing text: some StringProtocol) {
        let bytes = Array(text.utf8)
        var fields = bytes[...].splitOutsideQuotes(at: UInt8(ascii: ";"))[...]
        guard let essence = fields.popFirst() else { return nil }
        let halves = essence.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        type = String(decoding: halves[0].trimmed, as: UTF8.self).lowercased()
        subtype = String(decoding: halves[1].trimmed, as: UTF8.self).lowercased()
        guard !type.isEmpty, !subtype.isEmpty, "\(type)\(subtype)".utf8.allSatisfy(\.isTokenByte) else { return nil }
        parameters = fields.compactMap { field in
            guard let equals = field.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            let name = String(decoding: field[..<equals].trimmed, as: UTF8.self).lowercased()
            return HTTPHeader(name: name, value: field[field.index(after: equals)...].trimmed.unquoted)
        }
    }
}

extension MediaType: CustomStringConvertible {
    /// The form for a header field; values that are no tokens are quoted (RFC 9110 §5.6.6).
    public var description: String {
        parameters.reduce(into: essence) { text, parameter in
            text += "; \(parameter.name)=\(parameter.value.quotedUnlessToken)"
        }
    }
}

extension String {
    /// The text itself if it is a token, else a quoted string (RFC 9110 §5.6.4).
    package var quotedUnlessToken: String {
        if !isEmpty, utf8.allSatisfy(\.isTokenByte) { return self }
        let escaped = unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }
        return "\"\(escaped.joined())\""
    }
}

extension Substring {
    /// The text without spaces and tabs at both ends.
    package var trimmed: Substring {
        guard let first = utf8.firstIndex(where: { !$0.isBlank }), let last = utf8.lastIndex(where: { !$0.isBlank })
        else { return "" }
        return self[first..<utf8.index(after: last)]
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 }
}

extension StringProtocol {
    /// The elements of a list (RFC 9110 §5.6.1) without blanks at both ends; empty ones do not count.
    ///
    /// Commas in quoted strings are no separators, unless a quote is not closed: it must not hide the elements after it.
    package var listElements: [ArraySlice<UInt8>] {
        let bytes = Array(utf8)[...]
        let comma = UInt8(ascii: ",")
        let isSound = bytes.count { $0 == UInt8(ascii: "\"") }.isMultiple(of: 2)
        let parts = isSound ? bytes.splitOutsideQuotes(at: comma) : bytes.split(separator: comma)
        return parts.map(\.trimmed).filter { !$0.isEmpty }
    }
}

extension ArraySlice<UInt8> {
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

    /// The bytes without spaces and tabs at both ends.
    package var trimmed: ArraySlice<UInt8> {
        guard let first = firstIndex(where: { !$0.isBlank }), let last = lastIndex(where: { !$0.isBlank }) else {
            return []
        }
        return self[first...last]
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
