internal import AFJSON
internal import FoundationEssentials

/// Writes a tree of untyped values as JSON (RFC 8259).
struct JSONWriter {
    private let options: JSONEncoding.WritingOptions
    private var text = ""
    private var depth = 0

    /// Returns the JSON of an object.
    ///
    /// - Throws: ``JSONEncoding/Error/invalidJSONObject``
    static func data(_ object: Any, options: JSONEncoding.WritingOptions) throws -> Data {
        switch ParameterTree(object) {
        case .array, .object: break
        default: throw JSONEncoding.Error.invalidJSONObject
        }
        var writer = JSONWriter(options: options)
        try writer.write(object)
        return Data(writer.text.utf8)
    }

    private init(options: JSONEncoding.WritingOptions) {
        self.options = options
    }

    private mutating func write(_ value: Any) throws {
        switch ParameterTree(value) {
        case .missing, .null: text += "null"
        case .bool(let bool): text += bool ? "true" : "false"
        case .number(let number): text += number
        case .string(let string): text += JSONText.quoted(string)
        case .array(let elements): try write(elements, between: ("[", "]")) { try $0.write($1) }
        case .object(let members):
            let ordered = options.contains(.sortedKeys) ? members.sorted { $0.key < $1.key } : Array(members)
            let colon = options.contains(.prettyPrinted) ? " : " : ":"
            try write(ordered, between: ("{", "}")) { writer, member in
                writer.text += JSONText.quoted(member.key)
                writer.text += colon
                try writer.write(member.value)
            }
        case .nonFiniteNumber, .other: throw JSONEncoding.Error.invalidJSONObject
        }
    }

    private mutating func write<Element>(
        _ elements: [Element],
        between brackets: (opening: String, closing: String),
        _ writeElement: (inout JSONWriter, Element) throws -> Void
    ) throws {
        text += brackets.opening
        depth += 1
        for (index, element) in elements.enumerated() {
            if index > 0 { text += "," }
            breakLine()
            try writeElement(&self, element)
        }
        depth -= 1
        if !elements.isEmpty { breakLine() }
        text += brackets.closing
    }

    private mutating func breakLine() {
        guard options.contains(.prettyPrinted) else { return }
        text += "\n" + String(repeating: "  ", count: depth)
    }
}
