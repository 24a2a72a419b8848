/// A parser of Hurl files.
///
/// Each rule reads its syntax or throws. A recoverable error means that the text may be that of another rule; the
/// caller then returns to the start of the rule. No rule returns across more than a line, which keeps the time linear.
struct HurlParser {
    /// The maximum number of nested JSON arrays and objects.
    static let maximumDepth = 512

    var reader: HurlReader
    /// The number of open JSON arrays and objects.
    var depth = 0
    /// The latest part of an entry that was read; `nil` before the first one.
    private var lastPart: EntryPart?

    /// The parts of an entry.
    private enum EntryPart { case request, response }

    init(_ text: String) { reader = HurlReader(text) }

    /// Runs a rule; returns `nil` at the same position if its syntax does not follow.
    mutating func attempt<Value>(
        _ rule: (inout HurlParser) throws(HurlSyntaxError) -> Value
    ) throws(HurlSyntaxError) -> Value? {
        let start = reader.cursor
        do throws(HurlSyntaxError) {
            return try rule(&self)
        } catch {
            guard error.isRecoverable else { throw error }
            reader.cursor = start
            return nil
        }
    }

    /// Runs a rule as often as its syntax follows.
    mutating func many<Value>(
        _ rule: (inout HurlParser) throws(HurlSyntaxError) -> Value
    ) throws(HurlSyntaxError) -> [Value] {
        var values: [Value] = []
        while !reader.isAtEnd, let value = try attempt(rule) { values.append(value) }
        return values
    }

    func error(_ kind: HurlSyntaxError.Kind, isRecoverable: Bool = false) -> HurlSyntaxError {
        HurlSyntaxError(kind, at: reader.position, isRecoverable: isRecoverable)
    }

    /// Returns the error of a rule whose syntax does not follow.
    func otherwise(_ expected: String) -> HurlSyntaxError { error(.expected(expected), isRecoverable: true) }
}

extension HurlFile {
    /// Parses a file.
    ///
    /// - Throws: ``HurlSyntaxError`` at the first invalid character.
    package init(parsing text: String) throws(HurlSyntaxError) {
        var parser = HurlParser(text)
        entries = try parser.many { parser throws(HurlSyntaxError) in try parser.entry() }
        parser.skipLines()
        if !parser.reader.isAtEnd { throw parser.error(.expected("eof")) }
    }
}

/// The lines of requests and responses.
extension HurlParser {
    fileprivate mutating func entry() throws(HurlSyntaxError) -> HurlEntry {
        let request = try request()
        lastPart = .request
        let response = try attempt { parser throws(HurlSyntaxError) in try parser.response() }
        if response != nil { lastPart = .response }
        return HurlEntry(request: request, response: response)
    }

    private mutating func request() throws(HurlSyntaxError) -> HurlRequest {
        let comments = skipLines()
        skipBlanks()
        let start = reader.cursor
        let method = try method()
        guard reader.next?.isBlank == true else { throw error(.space) }
        skipBlanks()
        let url = try unquotedTemplate()
        let range = reader.range(from: start)
        try endLine()
        let headers = try many { parser throws(HurlSyntaxError) in try parser.keyValue() }
        let sections = try many { parser throws(HurlSyntaxError) in try parser.requestSection() }
        try checkUnique(sections.map { ($0.content.name, $0.range) })
        let body = try attempt { parser throws(HurlSyntaxError) in try parser.body() }
        return HurlRequest(
            comments: comments, method: method, url: url, headers: headers, sections: sections, body: body,
            range: range)
    }

    private mutating func method() throws(HurlSyntaxError) -> String {
        if reader.isAtEnd { throw error(.method("<EOF>"), isRecoverable: true) }
        let start = reader.position
        let method = reader.read(while: \.isASCIILetter)
        guard !method.isEmpty, method.utf8.allSatisfy({ $0 < UInt8(ascii: "a") }) else {
            if method.isEmpty, let name = misplacedSection() { throw HurlSyntaxError(.misplaced(name), at: start) }
            let isKey = lastPart != nil && !method.isEmpty && !HurlSyntaxError.isSimilarToMethod(method)
            throw HurlSyntaxError(isKey && reader.next != ":" ? .key(method) : .method(method), at: start)
        }
        return method
    }

    /// Returns the name of a section that follows in place of a request; `nil` if none does.
    private func misplacedSection() -> String? {
        var rest = reader
        guard rest.skip("["), rest.next?.isASCIILetter == true else { return nil }
        let name = rest.read(while: \.isAlphanumeric)
        guard rest.skip("]") else { return nil }
        return lastPart == .request && HurlSyntaxError.responseSections.contains(name) ? name : ""
    }

    private mutating func response() throws(HurlSyntaxError) -> HurlResponse {
        skipLines()
        skipBlanks()
        let start = reader.cursor
        let version = try version()
        let versionRange = reader.range(from: start)
        try blanks()
        let statusStart = reader.cursor
        let status = try status()
        let statusRange = reader.range(from: statusStart)
        try endLine()
        let headers = try many { parser throws(HurlSyntaxError) in try parser.keyValue() }
        let sections = try many { parser throws(HurlSyntaxError) in try parser.responseSection() }
        try checkUnique(sections.map { ($0.content.name, $0.range) })
        let body = try attempt { parser throws(HurlSyntaxError) in try parser.body() }
        return HurlResponse(
            version: version, versionRange: versionRange, status: status, statusRange: statusRange, headers: headers,
            sections: sections, body: body)
    }

    private mutating func version() throws(HurlSyntaxError) -> HurlResponse.Version {
        let start = reader.position
        guard reader.isNext("HTTP") else { throw otherwise("HTTP") }
        let text = reader.read { !$0.isJSONSpace && $0 != "#" }
        guard let version = HurlResponse.Version(rawValue: text), reader.next?.isBlank == true else {
            throw HurlSyntaxError(.version, at: start)
        }
        return version
    }

    /// Returns `nil` for any status.
    private mutating func status() throws(HurlSyntaxError) -> UInt64? {
        if reader.skip("*") { return nil }
        let start = reader.position
        guard let status = UInt64(reader.read(while: \.isDigit)) else { throw HurlSyntaxError(.status, at: start) }
        return status
    }

    private func checkUnique(_ sections: [(name: String, range: SourceRange)]) throws(HurlSyntaxError) {
        var names: Set<String> = []
        for section in sections where !names.insert(section.name).inserted {
            throw HurlSyntaxError(.duplicateSection, at: section.range.start)
        }
    }
}

/// White space and comments.
extension HurlParser {
    mutating func skipBlanks() { _ = reader.read(while: \.isBlank) }

    /// Reads at least one blank.
    mutating func blanks() throws(HurlSyntaxError) {
        guard reader.next?.isBlank == true else { throw error(.space, isRecoverable: true) }
        skipBlanks()
    }

    /// Reads the end of a line, which a comment may precede.
    @discardableResult
    mutating func endLine() throws(HurlSyntaxError) -> HurlComment? {
        skipBlanks()
        let comment = comment()
        guard reader.isAtEnd || reader.skip("\n") || reader.skip("\r\n") else {
            throw error(.expected("line_terminator"))
        }
        return comment
    }

    private mutating func comment() -> HurlComment? {
        let position = reader.position
        guard reader.skip("#") else { return nil }
        let start = reader.cursor
        while let next = reader.next, next != "\n", !reader.isNext("\r\n") { reader.read() }
        let text = reader.text(from: start)
        return HurlComment(text: text, position: position)
    }

    /// Skips blank lines and comments, and returns the comments.
    @discardableResult
    mutating func skipLines() -> [HurlComment] {
        var comments: [HurlComment] = []
        while !reader.isAtEnd {
            let start = reader.cursor
            do throws(HurlSyntaxError) {
                if let comment = try endLine() { comments.append(comment) }
            } catch {
                reader.cursor = start
                break
            }
        }
        return comments
    }
}
