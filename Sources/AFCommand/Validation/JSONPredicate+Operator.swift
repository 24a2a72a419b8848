extension JSONPredicate {
    /// The operators, in the order in which they are tried.
    enum Operator: String, CaseIterable, Sendable {
        case equal = "=="
        case unequal = "!="
        case atMost = "<="
        case atLeast = ">="
        case less = "<"
        case greater = ">"
        case matches = "~"
        case contains = " contains "
        case isOneOf = " in "
        case hasType = " type "

        /// The list for messages.
        static let list = allCases.map { $0.rawValue.filter { $0 != " " } }.joined(separator: " ")

        /// The relation as part of a sentence.
        var relation: String {
            switch self {
            case .equal: "to be"
            case .unequal: "not to be"
            case .atMost: "to be at most"
            case .atLeast: "to be at least"
            case .less: "to be less than"
            case .greater: "to be greater than"
            case .matches: "to match"
            case .contains: "to contain"
            case .isOneOf: "to be one of"
            case .hasType: "to be of type"
            }
        }
    }

    /// The parts of `SUBJECT OP VALUE`.
    struct Parts {
        var subject = ""
        var operation: Operator?
        var value = ""
        /// Whether a backslash makes an operator a part of the subject.
        var hasEscape = false

        /// Splits a text at the first operator outside of brackets; a backslash escapes it.
        init(_ text: String) {
            var rest = text[...]
            var isInBrackets = false
            while let character = rest.first {
                if !isInBrackets, let found = Operator.allCases.first(where: { rest.hasPrefix($0.rawValue) }) {
                    operation = found
                    value = String(rest.dropFirst(found.rawValue.count).drop { $0 == " " })
                    break
                }
                rest.removeFirst()
                if character == "[", rest.first == "?" {
                    let condition = rest.condition
                    subject += "[\(condition)"
                    rest = rest[condition.endIndex...]
                    continue
                }
                switch character {
                case "\\":
                    // The other characters are escaped for the path.
                    let next = rest.popFirst()
                    if next.map({ "=!<>~".contains($0) }) == true {
                        hasEscape = true
                    } else {
                        subject.append(character)
                    }
                    if let next { subject.append(next) }
                    continue
                case "[": isInBrackets = true
                case "]": isInBrackets = false
                default: break
                }
                subject.append(character)
            }
            guard operation != nil else { return }
            while subject.last == " " { subject.removeLast() }
            subject = String(subject.drop { $0 == " " })
        }
    }
}
