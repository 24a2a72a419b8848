internal import AFJSON

extension JSONExpectation {
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
            }
        }
    }

    /// The parts of `PATH OP VALUE`.
    struct Parts {
        var path = ""
        var operation: Operator?
        var value = ""

        /// Splits a text at the first operator outside of brackets; a backslash escapes it.
        init(_ text: String) {
            var rest = text[...]
            var isInBrackets = false
            while let character = rest.first {
                if !isInBrackets, let found = Operator.allCases.first(where: { rest.hasPrefix($0.rawValue) }) {
                    operation = found
                    value = String(rest.dropFirst(found.rawValue.count).drop { $0 == " " })
                    while path.last == " " { path.removeLast() }
                    path = String(path.drop { $0 == " " })
                    return
                }
                rest.removeFirst()
                switch character {
                case "\\":
                    // The other characters are escaped for the path.
                    let next = rest.popFirst()
                    if next.map({ "=!<>~".contains($0) }) != true { path.append(character) }
                    if let next { path.append(next) }
                    continue
                case "[": isInBrackets = true
                case "]": isInBrackets = false
                default: break
                }
                path.append(character)
            }
        }
    }
}

/// The evaluation.
extension JSONExpectation.Condition {
    /// Whether the value at a position of valid JSON text meets the condition.
    func isMet(in document: JSONScanner, at range: Range<Int>) -> Bool {
        switch self {
        case .comparison(.equal, let value): value.isFound(in: document, at: range.lowerBound)
        case .comparison(.unequal, let value): !value.isFound(in: document, at: range.lowerBound)
        case .comparison(.contains, let value): value.isContained(in: document, at: range.lowerBound)
        case .comparison(let operation, let value):
            document.isScalar(at: range) && JSONValue(document.bytes(range)).map { operation.holds($0, value) } ?? false
        case .match(let pattern): document.isScalar(at: range) && pattern.isFound(in: document.plainText(range))
        }
    }

    /// Whether a length meets the condition.
    func isMet(byLength length: Int) -> Bool {
        let text = "\(length)"
        return isMet(in: JSONScanner(text), at: 0..<text.utf8.count)
    }
}

extension JSONExpectation.Operator {
    /// Whether numbers or strings have this order.
    fileprivate func holds(_ found: JSONValue, _ value: JSONValue) -> Bool {
        switch (found, value) {
        case (.number(let found), .number(let value)): holds(found, value)
        case (.string(let found), .string(let value)):
            switch self {
            case .less: found.lexicographicallyPrecedes(value)
            case .greater: value.lexicographicallyPrecedes(found)
            case .atMost: !value.lexicographicallyPrecedes(found)
            case .atLeast: !found.lexicographicallyPrecedes(value)
            default: false
            }
        default: false
        }
    }

    private func holds(_ found: JSONNumber, _ value: JSONNumber) -> Bool {
        switch self {
        case .less: found < value
        case .greater: found > value
        case .atMost: found <= value
        case .atLeast: found >= value
        default: false
        }
    }
}

extension JSONValue {
    /// Whether an array has this element, a string this part, or an object a member of this name.
    fileprivate func isContained(in document: JSONScanner, at offset: Int) -> Bool {
        var scanner = document
        scanner.move(to: offset)
        switch (scanner.container, self) {
        case (.array?, _):
            return (try? scanner.hasElement { isFound(in: $0, at: $0.position) }) ?? false
        case (.object?, .string(let name)):
            return (try? scanner.enterMember(named: String(decoding: name, as: UTF8.self))) ?? false
        case (nil, .string(let part)):
            guard let range = try? scanner.skipValue(), case .string(let text)? = JSONValue(scanner.bytes(range)) else {
                return false
            }
            return text.contains(bytes: part)
        default: return false
        }
    }
}

extension JSONScanner {
    fileprivate func isScalar(at range: Range<Int>) -> Bool {
        var scanner = self
        scanner.move(to: range.lowerBound)
        return scanner.container == nil
    }

    /// Returns the text of a string, or the spelling of another scalar.
    fileprivate func plainText(_ range: Range<Int>) -> [UInt8] {
        let bytes = bytes(range)
        return bytes.first == UInt8(ascii: "\"")
            ? JSONEscape.unescaped(bytes, replacesSurrogates: true) : Array(bytes)
    }

    /// Whether an element of the array at the current position meets a condition.
    fileprivate mutating func hasElement(where isMet: (JSONScanner) -> Bool) throws(Problem) -> Bool {
        var hasNext = enter(.array)
        while hasNext {
            skipBlanks()
            if isMet(self) { return true }
            try skipValue()
            hasNext = try self.hasNext(in: .array)
        }
        return false
    }

    /// Returns the number of elements, members or characters of the value at a position; `nil` for other types.
    func length(at range: Range<Int>) throws(Problem) -> Int? {
        var scanner = self
        scanner.move(to: range.lowerBound)
        switch scanner.container {
        case .array?: return try scanner.countElements()
        case .object?: return try scanner.countMembers()
        case nil:
            guard scanner.next == UInt8(ascii: "\"") else { return nil }
            let text = JSONEscape.unescaped(bytes(range), replacesSurrogates: true)
            return String(decoding: text, as: UTF8.self).unicodeScalars.count
        }
    }

    /// Skips the object at the current position, and returns the number of its names.
    private mutating func countMembers() throws(Problem) -> Int {
        var names: Set<[UInt8]> = []
        var hasNext = enter(.object)
        while hasNext {
            names.insert(JSONEscape.unescaped(bytes(try skipName())))
            try skipValue()
            hasNext = try self.hasNext(in: .object)
        }
        return names.count
    }
}
