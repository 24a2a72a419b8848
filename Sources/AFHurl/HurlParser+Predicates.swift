/// Predicates and their values.
extension HurlParser {
    mutating func predicate() throws(HurlSyntaxError) -> HurlPredicate {
        let isNegated =
            try attempt { parser throws(HurlSyntaxError) -> Void in
                guard parser.reader.skip("not") else { throw parser.otherwise("not") }
                try parser.blanks()
            } != nil
        let start = reader.cursor
        let content = try predicateContent()
        return HurlPredicate(isNegated: isNegated, content: content, range: reader.range(from: start))
    }

    private mutating func predicateContent() throws(HurlSyntaxError) -> HurlPredicate.Content {
        let start = reader.position
        let name = reader.read { $0.isAlphanumeric || "=!<>".unicodeScalars.contains($0) }
        if let test = HurlPredicate.Test(rawValue: name) { return .test(test) }
        guard let comparison = HurlPredicate.Comparison(rawValue: name), reader.next?.isBlank == true else {
            throw HurlSyntaxError(.predicate, at: start)
        }
        skipBlanks()
        let valueStart = reader.position
        let value = try predicateValue()
        guard comparison.accepts(value) else { throw HurlSyntaxError(.predicateValue, at: valueStart) }
        return .comparison(comparison, value)
    }

    private mutating func predicateValue() throws(HurlSyntaxError) -> HurlPredicateValue {
        switch reader.next {
        case "\""?: return .string(try quotedTemplate())
        case "`"?:
            if let text = try multiline() { return .multiline(text) }
            return .string(try onelineTemplate())
        case "/"?:
            if let (text, range) = try regexLiteral() { return .regex(text, range) }
        case "{"?:
            if let placeholder = try placeholder() { return .placeholder(placeholder) }
        default: break
        }
        if let constant = constant() { return constant }
        if let number = try number() { return .number(number) }
        if reader.isNext("file,") { return .file(try filePath()) }
        if let bytes = try hexBytes() { return .bytes(bytes) }
        if let bytes = try base64Bytes() { return .bytes(bytes) }
        throw error(.predicateValue)
    }

    private mutating func constant() -> HurlPredicateValue? {
        if skipWord("null") { return .null }
        if let boolean = boolean() { return .boolean(boolean) }
        return nil
    }

    mutating func boolean() -> Bool? {
        if skipWord("true") { return true }
        return skipWord("false") ? false : nil
    }

    mutating func skipWord(_ word: String) -> Bool {
        guard reader.character(after: word.unicodeScalars.count)?.isAlphanumeric != true else { return false }
        return reader.skip(word)
    }
}

extension HurlPredicate.Comparison {
    /// Whether a value as written has a type that the comparison can have.
    fileprivate func accepts(_ value: HurlPredicateValue) -> Bool {
        switch (self, value) {
        case (.equal, _), (.notEqual, _), (.includes, _), (_, .placeholder): true
        case (.matches, .string), (.matches, .multiline), (.matches, .regex): true
        case (.matches, _): false
        case (.greater, .number), (.greaterOrEqual, .number), (.less, .number), (.lessOrEqual, .number): true
        case (.greater, .string), (.greaterOrEqual, .string), (.less, .string), (.lessOrEqual, .string): true
        case (.greater, _), (.greaterOrEqual, _), (.less, _), (.lessOrEqual, _): false
        case (.startsWith, .string), (.startsWith, .multiline), (.startsWith, .bytes), (.startsWith, .file): true
        case (.endsWith, .string), (.endsWith, .multiline), (.endsWith, .bytes), (.endsWith, .file): true
        case (.startsWith, _), (.endsWith, _): false
        case (.contains, .regex): false
        case (.contains, _): true
        }
    }
}

/// Numbers.
extension HurlParser {
    /// Reads a number; returns `nil` if none follows.
    mutating func number() throws(HurlSyntaxError) -> HurlNumber? {
        let start = reader.cursor
        _ = reader.skip("-")
        guard reader.next?.isDigit == true else {
            reader.cursor = start
            return nil
        }
        let digits = reader.read(while: \.isDigit)
        guard digits.utf8.count == 1 || !digits.hasPrefix("0") else {
            throw HurlSyntaxError(.expected("number"), at: start.position)
        }
        var isInteger = true
        if reader.next == "." {
            reader.read()
            guard !reader.read(while: \.isDigit).isEmpty else { throw error(.expected("decimal digits")) }
            isInteger = false
        }
        if reader.next == "e" || reader.next == "E" {
            reader.read()
            if reader.next == "+" || reader.next == "-" { reader.read() }
            guard !reader.read(while: \.isDigit).isEmpty else { throw error(.expected("exponent digits")) }
            isInteger = false
        }
        return HurlNumber(reader.text(from: start), isInteger: isInteger)
    }

    /// Reads the number of a variable; returns `nil` if none follows. One with an exponent is a string: abbreviated hashes,
    /// such as `12e4567`, look like it.
    mutating func numberOfVariable() -> HurlNumber? {
        let start = reader.cursor
        guard let number = try? number(), !reader.text(from: start).utf8.contains(where: "eE".utf8.contains) else {
            return nil
        }
        return number
    }

    /// Reads an integer or a placeholder.
    mutating func integerOrPlaceholder() throws(HurlSyntaxError) -> HurlLiteral<Int64> {
        if let placeholder = try placeholder() { return .placeholder(placeholder) }
        let start = reader.position
        guard case .integer(let integer)? = try number() else {
            throw HurlSyntaxError(.expected("integer"), at: start)
        }
        return .value(integer)
    }

    /// Reads a number without sign; returns `nil` if none follows.
    mutating func natural() throws(HurlSyntaxError) -> UInt64? {
        let start = reader.position
        let digits = reader.read(while: \.isDigit)
        if digits.isEmpty { return nil }
        guard let number = UInt64(digits), digits.utf8.count == 1 || !digits.hasPrefix("0") else {
            throw HurlSyntaxError(.expected("natural"), at: start)
        }
        return number
    }
}

extension HurlNumber {
    /// Creates the number of a variable; `nil` if the text is none, such as `007`.
    package init?(ofVariable text: String) {
        var parser = HurlParser(text)
        guard let number = parser.numberOfVariable(), parser.reader.isAtEnd else { return nil }
        self = number
    }

    /// Creates the number of a valid notation.
    package init(_ text: String, isInteger: Bool) {
        if isInteger {
            self = Int64(text).map { .integer($0) } ?? .bigInteger(text)
        } else {
            self = .float(Double(text) ?? 0)
        }
    }
}
