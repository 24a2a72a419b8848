/// A JSON value to write; members of objects keep their order.
enum JSON: Sendable {
    case object([(name: String, value: JSON)])
    case array([JSON])
    case string(String)
    case integer(Int)
    case boolean(Bool)
    case null
    /// JSON text that is written unchanged.
    case raw(String)

    /// The value over several lines, indented by two spaces.
    var text: String {
        var text = ""
        write(to: &text, indent: "\n")
        return text
    }

    /// Writes the value.
    ///
    /// - Parameter indent: The indentation of the value's own level.
    private func write(to text: inout String, indent: String) {
        switch self {
        case .object(let members):
            Self.write(members, between: ("{", "}"), to: &text, indent: indent) { member, text, inner in
                text += "\(Self.quoted(member.name)): "
                member.value.write(to: &text, indent: inner)
            }
        case .array(let elements):
            Self.write(elements, between: ("[", "]"), to: &text, indent: indent) { element, text, inner in
                element.write(to: &text, indent: inner)
            }
        case .string(let string): text += Self.quoted(string)
        case .integer(let integer): text += String(integer)
        case .boolean(let boolean): text += String(boolean)
        case .null: text += "null"
        case .raw(let json): text += json
        }
    }

    private static func write<Item>(
        _ items: [Item],
        between brackets: (open: String, close: String),
        to text: inout String,
        indent: String,
        item write: (Item, inout String, String) -> Void
    ) {
        text += brackets.open
        let inner = indent + "  "
        for (index, item) in items.enumerated() {
            text += index == 0 ? inner : "," + inner
            write(item, &text, inner)
        }
        text += items.isEmpty ? brackets.close : indent + brackets.close
    }

    private static func quoted(_ string: String) -> String {
        var quoted = "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case ..<" ": quoted += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
    init(stringLiteral value: String) { self = .string(value) }
    init(dictionaryLiteral elements: (String, JSON)...) { self = .object(elements.map { ($0.0, $0.1) }) }
    init(arrayLiteral elements: JSON...) { self = .array(elements) }
}

extension JSON {
    /// The string, or `null`.
    init(_ string: String?) {
        self = string.map(JSON.string) ?? .null
    }

    /// Fields by name in the order of their first appearance; a repeated name has an array of values.
    init(_ fields: [FormField]) {
        var members: [(name: String, value: JSON)] = []
        for field in fields where !members.contains(where: { $0.name == field.name }) {
            let values = fields.filter { $0.name == field.name }.map { JSON.string($0.value) }
            members.append((field.name, values.count == 1 ? values[0] : .array(values)))
        }
        self = .object(members)
    }
}
