/// Queries and filters.
extension HurlParser {
    mutating func query() throws(HurlSyntaxError) -> HurlQuery {
        let start = reader.cursor
        let name = reader.read(while: \.isAlphanumeric)
        let content = try queryContent(name)
        return HurlQuery(content: content, range: reader.range(from: start))
    }

    private mutating func queryContent(_ name: String) throws(HurlSyntaxError) -> HurlQuery.Content {
        if let content = HurlQuery.Content.plain[name] { return content }
        switch name {
        case "header": return .header(try quotedArgument())
        case "cookie": return try cookie()
        case "xpath": return .xpath(try quotedArgument(.xPath))
        case "jsonpath": return .jsonpath(try quotedArgument(.jsonPath))
        case "regex": return .regex(try patternArgument())
        case "variable": return .variable(try quotedArgument())
        case "certificate": return .certificate(try certificateField())
        default: throw otherwise("query")
        }
    }

    /// Reads blanks and a text in quotes.
    ///
    /// - Parameter kind: The error if another value follows.
    private mutating func quotedArgument(
        _ kind: HurlSyntaxError.Kind = .expected("\"")
    ) throws(HurlSyntaxError) -> HurlTemplate {
        try blanks()
        guard reader.next == "\"" else { throw error(kind) }
        return try quotedTemplate()
    }

    /// Reads blanks and a regular expression.
    private mutating func patternArgument() throws(HurlSyntaxError) -> HurlPattern {
        try blanks()
        if let (text, range) = try regexLiteral() { return .literal(text, range) }
        guard reader.next == "\"" else { throw error(.expected("\" or /")) }
        return .template(try quotedTemplate())
    }

    /// Reads an expression between slashes, in which `\/` is a slash; returns `nil` if no slash follows.
    mutating func regexLiteral() throws(HurlSyntaxError) -> (String, SourceRange)? {
        let start = reader.cursor
        guard reader.skip("/") else { return nil }
        let textStart = reader.position
        var text = String.UnicodeScalarView()
        while true {
            if reader.skip("\\/") {
                text.append("/")
                continue
            }
            guard let character = reader.next, character != "\n" else {
                throw error(.regex(reader.isAtEnd ? "unexpected end of file" : "unexpected new line"))
            }
            reader.read()
            if character == "/" { break }
            text.append(character)
        }
        if let problem = RegularExpression.problem(String(text)) {
            throw HurlSyntaxError(.regex(problem), at: textStart)
        }
        return (String(text), reader.range(from: start))
    }

    private mutating func certificateField() throws(HurlSyntaxError) -> HurlCertificateField {
        try blanks()
        guard reader.skip("\"") else { throw error(.expected("\"")) }
        let start = reader.position
        let fields = HurlCertificateField.allCases
        let name = reader.read { $0 != "\"" && $0 != "\n" }
        guard let field = HurlCertificateField(rawValue: name), reader.skip("\"") else {
            let names = fields.map { "<\($0.rawValue)>" }
            let list = names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
            throw HurlSyntaxError(.expected("Field \(list)"), at: start)
        }
        return field
    }

    /// Reads the name of a cookie, which may be followed by an attribute in brackets.
    private mutating func cookie() throws(HurlSyntaxError) -> HurlQuery.Content {
        let path = try quotedArgument()
        guard case .text(let end)? = path.parts.last, end.hasSuffix("]"), let bracket = end.lastIndex(of: "[") else {
            return .cookie(path, .value)
        }
        let attribute = end[end.index(after: bracket)...].dropLast()
        guard
            let known = HurlCookieAttribute.allCases.first(where: { $0.rawValue.lowercased() == attribute.lowercased() }
            )
        else {
            let column = path.range.end.column - attribute.unicodeScalars.count - 2
            throw HurlSyntaxError(.cookieAttribute, at: SourcePosition(line: path.range.start.line, column: column))
        }
        let parts = path.parts.dropLast() + [.text(String(end[..<bracket]))]
        return .cookie(HurlTemplate(parts: Array(parts), source: path.source, range: path.range), known)
    }

    /// Reads the filters after a query.
    mutating func filters() throws(HurlSyntaxError) -> [HurlFilter] {
        try many { parser throws(HurlSyntaxError) in
            try parser.blanks()
            return try parser.filter()
        }
    }

    private mutating func filter() throws(HurlSyntaxError) -> HurlFilter {
        let start = reader.cursor
        let name = reader.read(while: \.isAlphanumeric)
        let content = try filterContent(name)
        return HurlFilter(content: content, range: reader.range(from: start))
    }

    private mutating func filterContent(_ name: String) throws(HurlSyntaxError) -> HurlFilter.Content {
        if let content = HurlFilter.Content.plain[name] { return content }
        switch name {
        case "charsetDecode", "decode": return .charsetDecode(try quotedArgument())
        case "dateFormat", "format": return .dateFormat(try quotedArgument())
        case "jsonpath": return .jsonpath(try quotedArgument(.jsonPath))
        case "nth":
            try blanks()
            return .nth(try integerOrPlaceholder())
        case "regex": return .regex(try patternArgument())
        case "replace": return .replace(try quotedArgument(), with: try quotedArgument())
        case "replaceRegex": return .replaceRegex(try patternArgument(), with: try quotedArgument())
        case "split": return .split(try quotedArgument())
        case "toDate": return .toDate(try quotedArgument())
        case "urlQueryParam": return .urlQueryParam(try quotedArgument())
        case "xpath": return .xpath(try quotedArgument(.xPath))
        default: throw otherwise("filter")
        }
    }
}
