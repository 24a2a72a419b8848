internal import AFHTTP
internal import AFHurl
internal import AFJSON

extension JSONPathExpression {
    /// Parses an expression.
    ///
    /// - Throws: ``JSONPathError`` at the first invalid character.
    package init(_ text: String) throws(JSONPathError) {
        var parser = JSONPathParser(text)
        guard parser.skip("$") else { throw parser.failure }
        segments = try parser.segments()
        guard parser.isAtEnd else { throw parser.failure }
    }
}

/// A recursive descent parser of RFC 9535's grammar.
private struct JSONPathParser {
    private static let maximumDepth = 64
    private static let largestInteger = 1 << 53

    private let characters: [Unicode.Scalar]
    private var index = 0
    private var depth = 0

    init(_ text: String) { characters = Array(text.unicodeScalars) }

    var isAtEnd: Bool { index == characters.count }
    var failure: JSONPathError { JSONPathError(offset: index) }
    private var next: Unicode.Scalar? { isAtEnd ? nil : characters[index] }

    private func isNext(_ text: String) -> Bool {
        characters[index...].starts(with: text.unicodeScalars)
    }

    mutating func skip(_ text: String) -> Bool {
        guard isNext(text) else { return false }
        index += text.unicodeScalars.count
        return true
    }

    private mutating func skipBlanks() {
        while next == " " || next == "\t" || next == "\n" || next == "\r" { index += 1 }
    }

    /// Limits the nesting of brackets and parentheses.
    private mutating func nested<Value>(
        _ rule: (inout JSONPathParser) throws(JSONPathError) -> Value
    ) throws(JSONPathError) -> Value {
        guard depth < Self.maximumDepth else { throw failure }
        depth += 1
        let value = try rule(&self)
        depth -= 1
        return value
    }

    mutating func segments() throws(JSONPathError) -> [JSONPathExpression.Segment] {
        var segments: [JSONPathExpression.Segment] = []
        while true {
            let start = index
            skipBlanks()
            if skip("..") {
                let selectors = try isNext("[") ? brackets() : [shorthand()]
                segments.append(.init(isDescendant: true, selectors: selectors))
            } else if skip(".") {
                segments.append(.init(isDescendant: false, selectors: [try shorthand()]))
            } else if isNext("[") {
                segments.append(.init(isDescendant: false, selectors: try brackets()))
            } else {
                // Blanks belong to a path only before its segments.
                index = start
                return segments
            }
        }
    }

    /// Reads an asterisk or a name without quotes.
    private mutating func shorthand() throws(JSONPathError) -> JSONPathExpression.Selector {
        if skip("*") { return .wildcard }
        let start = index
        while let character = next, character.beginsName || index > start && "0"..."9" ~= character { index += 1 }
        guard index > start else { throw failure }
        var name = String.UnicodeScalarView()
        name.append(contentsOf: characters[start..<index])
        return .name(Array(String(name).utf8))
    }

    private mutating func brackets() throws(JSONPathError) -> [JSONPathExpression.Selector] {
        index += 1
        return try nested { parser throws(JSONPathError) in
            var selectors: [JSONPathExpression.Selector] = []
            repeat {
                parser.skipBlanks()
                selectors.append(try parser.selector())
                parser.skipBlanks()
            } while parser.skip(",")
            guard parser.skip("]") else { throw parser.failure }
            return selectors
        }
    }

    private mutating func selector() throws(JSONPathError) -> JSONPathExpression.Selector {
        if let name = try string() { return .name(name) }
        if skip("*") { return .wildcard }
        if skip("?") {
            skipBlanks()
            return .filter(try condition())
        }
        let start = try integer()
        let afterStart = index
        skipBlanks()
        guard skip(":") else {
            index = afterStart
            guard let start else { throw failure }
            return .index(start)
        }
        skipBlanks()
        let end = try integer()
        skipBlanks()
        var step = 1
        if skip(":") {
            skipBlanks()
            step = try integer() ?? 1
        }
        return .slice(start: start, end: end, step: step)
    }

    /// Reads an integer; returns `nil` if none follows.
    private mutating func integer() throws(JSONPathError) -> Int? {
        let start = index
        _ = skip("-")
        let digits = index
        while let character = next, "0"..."9" ~= character { index += 1 }
        guard index > digits else {
            guard start == digits else { throw failure }
            return nil
        }
        let text = String(String.UnicodeScalarView(characters[start..<index]))
        // Neither leading zeros nor -0.
        let isCanonical = characters[digits] != "0" || index == digits + 1 && start == digits
        guard isCanonical, let value = Int(text), value.magnitude < Self.largestInteger else {
            index = start
            throw failure
        }
        return value
    }

    /// Reads a text in quotes; returns `nil` if none follows.
    private mutating func string() throws(JSONPathError) -> [UInt8]? {
        guard let quote = next, quote == "\"" || quote == "'" else { return nil }
        index += 1
        // As JSON: only the notation of quotes differs.
        var json: [UInt8] = [UInt8(ascii: "\"")]
        while let character = next, character != quote {
            guard character.value >= 0x20 else { throw failure }
            index += 1
            switch character {
            case "\\":
                guard let escaped = next else { throw failure }
                if escaped == "'" {
                    guard quote == "'" else { throw failure }
                } else {
                    guard escaped != "\"" || quote == "\"" else { throw failure }
                    json.append(UInt8(ascii: "\\"))
                }
                json += String(escaped).utf8
                index += 1
            case "\"": json += Array("\\\"".utf8)
            default: json += String(character).utf8
            }
        }
        guard next == quote, case .string(let text)? = JSONValue((json + [UInt8(ascii: "\"")])[...]) else {
            throw failure
        }
        // An unpaired surrogate is no character.
        guard String(validating: text, as: UTF8.self) != nil else { throw failure }
        index += 1
        return text
    }
}

/// Conditions.
extension JSONPathParser {
    private mutating func condition() throws(JSONPathError) -> JSONPathExpression.Condition {
        try nested { parser throws(JSONPathError) -> JSONPathExpression.Condition in
            var alternatives = [try parser.conjunction()]
            while parser.skipOperator("||") { alternatives.append(try parser.conjunction()) }
            return alternatives.count == 1 ? alternatives[0] : .or(alternatives)
        }
    }

    private mutating func conjunction() throws(JSONPathError) -> JSONPathExpression.Condition {
        var conditions = [try basicCondition()]
        while skipOperator("&&") { conditions.append(try basicCondition()) }
        return conditions.count == 1 ? conditions[0] : .and(conditions)
    }

    /// Skips an operator with the blanks around it.
    private mutating func skipOperator(_ text: String) -> Bool {
        let start = index
        skipBlanks()
        guard skip(text) else {
            index = start
            return false
        }
        skipBlanks()
        return true
    }

    private mutating func basicCondition() throws(JSONPathError) -> JSONPathExpression.Condition {
        if isNext("!"), !isNext("!=") {
            index += 1
            skipBlanks()
            if let inner = try parenthesized() { return .not(inner) }
            return .not(try test(try operand()))
        }
        if let inner = try parenthesized() { return inner }
        let first = try operand()
        let end = index
        skipBlanks()
        guard let operation = JSONPathExpression.Operator.allCases.first(where: { isNext($0.rawValue) }) else {
            index = end
            return try test(first)
        }
        index += operation.rawValue.count
        skipBlanks()
        let second = try operand()
        guard first.isComparable, second.isComparable else { throw failure }
        return .comparison(first, operation, second)
    }

    /// Reads a condition in parentheses; returns `nil` if none follows.
    private mutating func parenthesized() throws(JSONPathError) -> JSONPathExpression.Condition? {
        guard skip("(") else { return nil }
        skipBlanks()
        let condition = try condition()
        skipBlanks()
        guard skip(")") else { throw failure }
        return condition
    }

    /// Returns the condition that an operand alone is.
    private func test(_ operand: JSONPathExpression.Comparable) throws(JSONPathError) -> JSONPathExpression.Condition {
        switch operand {
        case .query(let query): return .exists(query)
        case .call(let call) where call.function.isCondition: return .call(call)
        case .call, .literal: throw failure
        }
    }

    private mutating func operand() throws(JSONPathError) -> JSONPathExpression.Comparable {
        if skip("@") { return .query(.init(isRelative: true, segments: try segments())) }
        if skip("$") { return .query(.init(isRelative: false, segments: try segments())) }
        if let text = try string() { return .literal(.string(text)) }
        let start = index
        while let character = next,
            "a"..."z" ~= character || index > start && (character == "_" || "0"..."9" ~= character)
        {
            index += 1
        }
        let word = String(String.UnicodeScalarView(characters[start..<index]))
        switch word {
        case "true", "false", "null":
            if let value = JSONValue(word) { return .literal(value) }
        case "":
            if let number = number() { return .literal(number) }
        default:
            if let function = JSONPathExpression.Function(rawValue: word), skip("(") {
                return .call(try call(function))
            }
        }
        index = start
        throw failure
    }

    private mutating func number() -> JSONValue? {
        let start = index
        while let character = next, "0"..."9" ~= character || "+-.eE".unicodeScalars.contains(character) { index += 1 }
        return start == index ? nil : JSONValue(String(String.UnicodeScalarView(characters[start..<index])))
    }

    /// Reads the arguments of a function, whose types must be those of its parameters.
    private mutating func call(
        _ function: JSONPathExpression.Function
    ) throws(JSONPathError) -> JSONPathExpression.Call {
        try nested { parser throws(JSONPathError) in
            var arguments: [JSONPathExpression.Argument] = []
            repeat {
                parser.skipBlanks()
                let argument = try parser.operand()
                if function.takesNodes {
                    guard case .query(let query) = argument else { throw parser.failure }
                    arguments.append(.nodes(query))
                } else if function.isCondition, arguments.count == 1, case .literal(.string(let text)) = argument {
                    arguments.append(.pattern(function.pattern(String(decoding: text, as: UTF8.self))))
                } else {
                    guard argument.isComparable else { throw parser.failure }
                    arguments.append(.value(argument))
                }
                parser.skipBlanks()
            } while parser.skip(",")
            guard parser.skip(")"), arguments.count == function.parameterCount else { throw parser.failure }
            return JSONPathExpression.Call(function: function, arguments: arguments)
        }
    }
}

extension JSONPathExpression.Function {
    /// Returns the expression that a text must match completely, or contain; `nil` if it is not valid.
    func pattern(_ text: String) -> RegularExpression? {
        try? RegularExpression(self == .match ? "\\A(?:\(text))\\z" : text)
    }
}

extension JSONPathExpression.Comparable {
    /// Whether the operand has at most one value.
    fileprivate var isComparable: Bool {
        switch self {
        case .literal: true
        case .query(let query): query.isSingular
        case .call(let call): !call.function.isCondition
        }
    }
}

extension Unicode.Scalar {
    /// Whether a name without quotes may start with the character.
    fileprivate var beginsName: Bool { "a"..."z" ~= self || "A"..."Z" ~= self || self == "_" || value >= 0x80 }
}
