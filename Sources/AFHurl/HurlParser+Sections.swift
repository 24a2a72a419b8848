/// Headers and sections.
extension HurlParser {
    mutating func keyValue() throws(HurlSyntaxError) -> HurlKeyValue {
        let key = try key()
        let value = try unquotedTemplate()
        try endLine()
        return HurlKeyValue(key: key, value: value)
    }

    /// Reads a name and its colon.
    private mutating func key() throws(HurlSyntaxError) -> HurlTemplate {
        skipLines()
        skipBlanks()
        let key = try keyTemplate()
        skipBlanks()
        guard reader.skip(":") else { throw otherwise(":") }
        skipBlanks()
        return key
    }

    mutating func requestSection() throws(HurlSyntaxError) -> HurlRequestSection {
        let (name, range) = try sectionName()
        let content: HurlRequestSection.Content
        switch name {
        case "Query", "QueryStringParams": content = .query(try keyValues())
        case "Form", "FormParams": content = .form(try keyValues())
        case "Multipart", "MultipartFormData":
            content = .multipart(try many { parser throws(HurlSyntaxError) in try parser.multipartItem() })
        case "Cookies": content = .cookies(try keyValues())
        case "BasicAuth":
            content = .basicAuth(try attempt { parser throws(HurlSyntaxError) in try parser.keyValue() })
        case "Options": content = .options(try many { parser throws(HurlSyntaxError) in try parser.option() })
        default: throw HurlSyntaxError(.requestSection(name), at: range.start.next)
        }
        return HurlRequestSection(content: content, range: range)
    }

    mutating func responseSection() throws(HurlSyntaxError) -> HurlResponseSection {
        let (name, range) = try sectionName()
        let content: HurlResponseSection.Content
        switch name {
        case "Captures": content = .captures(try many { parser throws(HurlSyntaxError) in try parser.capture() })
        case "Asserts": content = .asserts(try many { parser throws(HurlSyntaxError) in try parser.assert() })
        default: throw HurlSyntaxError(.responseSection(name), at: range.start.next)
        }
        return HurlResponseSection(content: content, range: range)
    }

    /// Reads the line of a section. A JSON array with a number or a literal is none.
    private mutating func sectionName() throws(HurlSyntaxError) -> (name: String, range: SourceRange) {
        skipLines()
        skipBlanks()
        let start = reader.cursor
        guard reader.skip("["), reader.next?.isASCIILetter == true else { throw otherwise("a valid section name") }
        let name = reader.read(while: \.isAlphanumeric)
        guard reader.skip("]"), !["true", "false", "null"].contains(name) else { throw otherwise("]") }
        let range = reader.range(from: start)
        try endLine()
        return (name, range)
    }

    private mutating func keyValues() throws(HurlSyntaxError) -> [HurlKeyValue] {
        try many { parser throws(HurlSyntaxError) in try parser.keyValue() }
    }

    private mutating func multipartItem() throws(HurlSyntaxError) -> HurlMultipartItem {
        let name = try key()
        guard reader.isNext("file,") else {
            let text = try unquotedTemplate()
            try endLine()
            return HurlMultipartItem(name: name, value: .text(text))
        }
        let path = try filePath()
        skipBlanks()
        var type: HurlTemplate?
        if let next = reader.next, next != "#", next != "\n", next != "\r" {
            type = try unquotedTemplate()
            if type?.source.isEmpty == true { throw error(.contentType) }
        }
        try endLine()
        return HurlMultipartItem(name: name, value: .file(path, type: type))
    }

    private mutating func capture() throws(HurlSyntaxError) -> HurlCapture {
        let name = try key()
        if let literal = name.literal, HurlFunction(rawValue: literal) != nil {
            throw HurlSyntaxError(.reservedVariable(literal), at: name.range.start)
        }
        let start = reader.cursor
        let query: HurlQuery
        do throws(HurlSyntaxError) {
            query = try self.query()
        } catch {
            throw queryError(error, from: start)
        }
        let filters = try filters()
        let isRedacted =
            try attempt { parser throws(HurlSyntaxError) -> Void in
                try parser.blanks()
                guard parser.reader.skip("redact") else { throw parser.otherwise("redact") }
            } != nil
        try endLine()
        return HurlCapture(name: name, query: query, filters: filters, isRedacted: isRedacted)
    }

    private mutating func assert() throws(HurlSyntaxError) -> HurlAssert {
        skipLines()
        skipBlanks()
        let start = reader.cursor
        let query: HurlQuery
        do throws(HurlSyntaxError) {
            query = try self.query()
        } catch {
            throw isAssert(at: start) ? queryError(error, from: start) : error
        }
        let filters = try filters()
        guard reader.next?.isBlank == true else { throw error(.predicate) }
        skipBlanks()
        let predicate = try predicate()
        try endLine()
        return HurlAssert(query: query, filters: filters, predicate: predicate)
    }

    /// Returns the error of a query where nothing else is possible.
    private func queryError(_ error: HurlSyntaxError, from start: HurlReader.Cursor) -> HurlSyntaxError {
        guard error.isRecoverable, error.kind == .expected("query") else {
            return HurlSyntaxError(error.kind, at: error.position)
        }
        return HurlSyntaxError(.query(word(at: start)), at: start.position)
    }

    /// Whether a line is an assert, though maybe an invalid one, and neither a body nor a request.
    private func isAssert(at start: HurlReader.Cursor) -> Bool {
        let word = word(at: start)
        // A JSON number such as 1e5 is a body, too.
        guard word.unicodeScalars.first?.isASCIILetter == true, !HurlSyntaxError.isSimilarToMethod(word) else {
            return false
        }
        let isBody = ["true", "false", "null", "base64", "hex", "file"].contains(word)
        return !isBody && word.unicodeScalars.contains { "a"..."z" ~= $0 }
    }

    private func word(at start: HurlReader.Cursor) -> String {
        var rest = reader
        rest.cursor = start
        return rest.read(while: \.isAlphanumeric)
    }
}

extension SourcePosition {
    fileprivate var next: SourcePosition { SourcePosition(line: line, column: column + 1) }
}

extension HurlRequestSection.Content {
    var name: String {
        switch self {
        case .query: "Query"
        case .form: "Form"
        case .multipart: "Multipart"
        case .cookies: "Cookies"
        case .basicAuth: "BasicAuth"
        case .options: "Options"
        }
    }
}

extension HurlResponseSection.Content {
    var name: String {
        switch self {
        case .captures: "Captures"
        case .asserts: "Asserts"
        }
    }
}
