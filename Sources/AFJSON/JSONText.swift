internal import AFHTTP

/// A JSON value that preserves the notation of numbers, the order of members and repeated names.
package enum JSONText: Equatable, Sendable {
    package struct Member: Equatable, Sendable {
        /// The unescaped name.
        package let name: String
        /// The name as written, including quotes.
        package let rawName: String
        package var value: JSONText

        package init(_ name: String, _ value: JSONText) {
            self.name = name
            self.value = value
            rawName = JSONText.quoted(name)
        }

        init(rawName: String, value: JSONText) {
            name = JSONText.unquoted(rawName)
            self.rawName = rawName
            self.value = value
        }
    }

    /// The text of any value, known to be valid JSON.
    case raw(String)
    case object([Member])
    case array([JSONText])

    package static let null = JSONText.raw("null")

    /// Parses JSON, ignoring surrounding blanks.
    ///
    /// - Throws: ``JSONSyntaxError`` at the first invalid character.
    package init(_ text: String) throws(JSONSyntaxError) {
        self = .raw(try JSONCursor(Array(text.utf8)).valueText)
    }

    /// Returns a string value.
    package static func string(_ text: String) -> JSONText { .raw(quoted(text)) }

    package static func number(_ value: Double) -> JSONText {
        .raw(Int64(exactly: value).map { "\($0)" } ?? "\(value)")
    }

    package static func flag(_ value: Bool) -> JSONText { .raw(value ? "true" : "false") }

    /// Returns an object of the members that are not `nil`.
    package static func object(_ members: KeyValuePairs<String, JSONText?>) -> JSONText {
        .object(members.compactMap { name, value in value.map { Member(name, $0) } })
    }

    /// The JSON type of a value; the raw value is its name.
    package enum Kind: String {
        case object, array, string, number, boolean, null

        /// Returns the type of a value that starts with this byte.
        package init(firstByte: UInt8?) {
            self =
                switch firstByte {
                case UInt8(ascii: "{"): .object
                case UInt8(ascii: "["): .array
                case UInt8(ascii: "\""): .string
                case UInt8(ascii: "t"), UInt8(ascii: "f"): .boolean
                case UInt8(ascii: "n"): .null
                default: .number
                }
        }
    }

    package var kind: Kind {
        switch self {
        case .object: .object
        case .array: .array
        case .raw(let text): Kind(firstByte: text.utf8.first)
        }
    }

    /// The compact text in HTTPie's spacing: `{"a": "b", "c": 2}`.
    package var text: String { text(colon: ": ", comma: ", ") }

    /// The text without spaces around raw values: `{"a":"b","c":2}`.
    package var compactText: String { text(colon: ":", comma: ",") }

    private func text(colon: String, comma: String) -> String {
        func text(_ value: JSONText) -> String { value.text(colon: colon, comma: comma) }
        return switch self {
        case .raw(let text): text
        case .object(let members):
            "{\(members.map { $0.rawName + colon + text($0.value) }.joined(separator: comma))}"
        case .array(let elements): "[\(elements.map(text).joined(separator: comma))]"
        }
    }
}

/// The parts of a value.
extension JSONText {
    /// The value with a raw object or array divided, so that members can be added; their values stay raw.
    package var opened: JSONText {
        guard case .raw(let text) = self else { return self }
        var cursor = JSONCursor(checked: text)
        switch kind {
        case .object:
            var members: [Member] = []
            cursor.forEach { cursor in
                let name = cursor.text(cursor.skipName())
                members.append(Member(rawName: name, value: .raw(cursor.text(cursor.skipValue()))))
            }
            return .object(members)
        case .array:
            var elements: [JSONText] = []
            cursor.forEach { elements.append(.raw($0.text($0.skipValue()))) }
            return .array(elements)
        case .string, .number, .boolean, .null: return self
        }
    }

    /// The members of an object; `nil` for other values.
    package var members: [Member]? {
        if case .object(let members) = opened { members } else { nil }
    }

    /// The elements of an array; `nil` for other values.
    package var elements: [JSONText]? {
        if case .array(let elements) = opened { elements } else { nil }
    }

    /// The value of a string; `nil` for other values.
    package var string: String? {
        guard case .raw(let text) = self, kind == .string else { return nil }
        return Self.unquoted(text)
    }

    /// The value of a number; `nil` for other values, and numbers beyond `Double`.
    package var number: Double? {
        guard case .raw(let text) = self, kind == .number, let number = Double(text), number.isFinite else {
            return nil
        }
        return number
    }

    package var isTrue: Bool { self == .raw("true") }

    /// The member of an object; if it is repeated, the last one.
    ///
    /// Setting `nil` removes it; setting a member replaces another value by an object.
    package subscript(name: String) -> JSONText? {
        get { members?.last { $0.name == name }?.value }
        set {
            var members = members ?? []
            let index = members.lastIndex { $0.name == name }
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (nil, let value?): members.append(Member(name, value))
            case (_, nil): members.removeAll { $0.name == name }
            }
            self = .object(members)
        }
    }
}

extension JSONText {
    /// Returns a quoted string with the necessary escapes only.
    package static func quoted(_ text: String) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var quoted: [UInt8] = [UInt8(ascii: "\"")]
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): quoted += [UInt8(ascii: "\\"), byte]
            case 0x08: quoted += Array("\\b".utf8)
            case 0x09: quoted += Array("\\t".utf8)
            case 0x0A: quoted += Array("\\n".utf8)
            case 0x0C: quoted += Array("\\f".utf8)
            case 0x0D: quoted += Array("\\r".utf8)
            case ..<0x20: quoted += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            default: quoted.append(byte)
            }
        }
        quoted.append(UInt8(ascii: "\""))
        return String(decoding: quoted, as: UTF8.self)
    }

    /// Returns the value of a quoted string; an unpaired surrogate becomes U+FFFD.
    package static func unquoted(_ rawString: String) -> String {
        String(decoding: JSONEscape.unescaped(Array(rawString.utf8)[...], replacesSurrogates: true), as: UTF8.self)
    }
}

extension String {
    /// Returns JSON text with the matching characters, which must be in strings, as `\uXXXX`.
    package func escapedInJSON(where isEscaped: (Unicode.Scalar) -> Bool) -> String {
        guard unicodeScalars.contains(where: isEscaped) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            guard isEscaped(scalar) else {
                text.unicodeScalars.append(scalar)
                continue
            }
            for unit in String(scalar).utf16 { text += "\\u" + unit.padded(to: 4, radix: 16) }
        }
        return text
    }
}
