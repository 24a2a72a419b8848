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

    /// The charset of the text; `nil` if it is unknown. An event stream is always UTF-8 (HTML standard §9.2.5).
    package var charset: String? { essence == "text/event-stream" ? "UTF-8" : parameter("charset") }

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
            guard let (name, value) = field.pair else { return nil }
            return HTTPHeader(name: String(decoding: name, as: UTF8.self).lowercased(), value: value.unquoted)
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
