/// A bracket of a nested JSON key, or the text between two brackets.
struct JSONKeyToken: Equatable {
    enum Kind: String {
        case text = "a key"
        case number = "an index"
        case opening = "'['"
        case closing = "']'"
    }

    let kind: Kind
    /// The text with backslashes resolved.
    let text: String
    /// The range in characters of the source.
    let range: Range<Int>

    static func tokens(of source: String) -> [JSONKeyToken] {
        let characters = Array(source)
        var tokens: [JSONKeyToken] = []
        var pending = PendingText()
        var position = 0
        while position < characters.count {
            let character = characters[position]
            switch character {
            case "[", "]":
                tokens += pending.take(endingAt: position)
                let kind = character == "[" ? Kind.opening : .closing
                tokens.append(JSONKeyToken(kind: kind, text: String(character), range: position..<position + 1))
                position += 1
            case "\\" where position + 1 < characters.count:
                pending.addEscaped(characters[position + 1])
                position += 2
            default:
                pending.text.append(character)
                position += 1
            }
        }
        return tokens + pending.take(endingAt: position)
    }
}

private struct PendingText {
    var text = ""
    private var escapes = 0

    mutating func addEscaped(_ character: Character) {
        if "[]\\".contains(character) {
            escapes += 1
        } else {
            text.append("\\")
        }
        text.append(character)
    }

    mutating func take(endingAt end: Int) -> [JSONKeyToken] {
        guard !text.isEmpty else { return [] }
        let range = end - text.count - escapes..<end
        defer { self = PendingText() }
        if escapes == 0, text.isInteger {
            return [JSONKeyToken(kind: .number, text: text, range: range)]
        }
        if escapes == 0, text.hasPrefix("\\"), text.dropFirst().isInteger {
            return [JSONKeyToken(kind: .text, text: String(text.dropFirst()), range: range)]
        }
        return [JSONKeyToken(kind: .text, text: text, range: range)]
    }
}

extension StringProtocol {
    fileprivate var isInteger: Bool {
        hasPrefix("-") ? dropFirst().isDecimal : isDecimal
    }
}
