/// An error in a Hurl file, with Hurl's texts, which scripts read.
package struct HurlSyntaxError: Error, Equatable, Sendable {
    /// The reason, with the values of its sentence.
    package enum Kind: Equatable, Sendable {
        case duplicateSection, escape, unicode, space, status, version, xml, multiline
        case contentType, filename, graphQLVariables, hexDigit, cookieAttribute, oddHexDigits
        case jsonPath, xPath, predicate, predicateValue, variable, nesting
        case jsonTrailingComma, jsonElement, jsonEmptyElement
        case expected(String)
        case durationUnit(String)
        case languageHint(String)
        case method(String)
        /// A line after a request or a response that has a name without a colon.
        case key(String)
        /// A section of a response without its first line, or, if the name is empty, another one in place of a request.
        case misplaced(String)
        case option(String)
        case query(String)
        case regex(String)
        case requestSection(String)
        case responseSection(String)
        case reservedVariable(String)
    }

    /// The reason.
    package let kind: Kind
    /// The position of the first invalid character.
    package let position: SourcePosition
    /// Whether other syntax is possible at the position.
    let isRecoverable: Bool

    init(_ kind: Kind, at position: SourcePosition, isRecoverable: Bool = false) {
        (self.kind, self.position, self.isRecoverable) = (kind, position, isRecoverable)
    }
}

extension HurlSyntaxError {
    /// The subject of the error.
    package var title: String {
        switch kind {
        case .duplicateSection: "Parsing section"
        case .escape: "Parsing escape character"
        case .unicode: "Parsing unicode literal"
        case .space: "Parsing space"
        case .status: "Parsing status code"
        case .version: "Parsing version"
        case .xml: "Parsing XML"
        case .multiline, .languageHint: "Parsing multiline"
        case .contentType: "Parsing file content type"
        case .filename: "Parsing filename"
        case .graphQLVariables: "Parsing GraphQL variables"
        case .hexDigit: "Parsing hexadecimal number"
        case .cookieAttribute: "Parsing cookie attribute"
        case .oddHexDigits: "Parsing hex bytearray"
        case .jsonPath: "Parsing JSONPath expression"
        case .xPath: "Parsing XPath expression"
        case .predicate: "Parsing predicate"
        case .predicateValue: "Parsing predicate value"
        case .variable: "Parsing template variable"
        case .nesting, .jsonTrailingComma, .jsonElement, .jsonEmptyElement: "Parsing JSON"
        case .expected: "Parsing literal"
        case .durationUnit: "Parsing duration"
        case .method, .key: "Parsing method"
        case .misplaced: "Parsing section"
        case .query: "Parsing query"
        case .option: "Parsing option"
        case .regex: "Parsing regex"
        case .requestSection: "Parsing request section name"
        case .responseSection: "Parsing response section name"
        case .reservedVariable: "Parsing variable"
        }
    }

    /// The reason, which follows the caret.
    package var reason: String {
        switch kind {
        case .duplicateSection: "the section is already defined"
        case .escape: "the escaping sequence is not valid"
        case .unicode: "Invalid unicode literal"
        case .space: "expecting a space"
        case .status: "HTTP status code is not valid"
        case .version: "HTTP version must be HTTP, HTTP/1.0, HTTP/1.1, HTTP/2 or HTTP/3"
        case .xml: "invalid XML"
        case .multiline: "the multiline is not valid"
        case .contentType: "expecting a content type"
        case .filename: "expecting a filename"
        case .graphQLVariables: "GraphQL variables is not a valid JSON object"
        case .hexDigit: "expecting a valid hexadecimal number"
        case .cookieAttribute: "the cookie attribute is not valid"
        case .oddHexDigits: "expecting an even number of hex digits"
        case .jsonPath: "expecting a JSONPath expression"
        case .xPath: "expecting a XPath expression"
        case .predicate: "expecting a predicate"
        case .predicateValue: "invalid predicate value"
        case .variable: "expecting a variable"
        case .nesting: "the nesting is too deep"
        case .jsonTrailingComma: "trailing comma is not allowed"
        case .jsonElement: "expecting a boolean, number, string, array, object or null"
        case .jsonEmptyElement: "expecting an element; found empty element instead"
        case .expected(let literal): "expecting '\(literal)'"
        case .languageHint(let hint): "the language hint \(hint) is not valid. \(suggestion(hint, Self.languages))"
        case .regex(let message): "invalid Regex expression: \(message)"
        case .reservedVariable(let name): "conflicts with the \(name) function, use a different name"
        case .key(let name):
            "the HTTP method <\(name)> is not valid. A header field or an item needs a colon after its name"
        case .misplaced(""): "sections precede the body of a request or response"
        case .misplaced: Self.responseSectionReason
        case .durationUnit, .method, .option, .query, .requestSection, .responseSection: nameReason
        }
    }

    /// The reason why a name is not valid, with a similar one or the valid ones.
    private var nameReason: String {
        switch kind {
        case .durationUnit(let unit): "the duration unit is not valid. \(suggestion(unit, Self.units))"
        case .method(let name): "the HTTP method <\(name)> is not valid. \(suggestion(name, Self.methods))"
        case .option(let name):
            "the option name is not valid. \(suggestion(name, HurlOption.Name.allCases.map(\.rawValue)))"
        case .query(let name): "the query <\(name)> is not valid. \(suggestion(name, HurlQuery.names))"
        case .requestSection(let name) where Self.responseSections.contains(name): Self.responseSectionReason
        case .requestSection(let name): "the section is not valid. \(suggestion(name, Self.requestSections))"
        case .responseSection(let name):
            "the section is not valid. \(suggestion(name, Self.responseSections, separator: " or "))"
        default: ""
        }
    }

    private static let languages = HurlMultilineText.Language.allCases.map(\.rawValue)
    private static let units = HurlDuration.Unit.allCases.map(\.rawValue)
    private static let methods = ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"]
    private static let requestSections = ["Query", "Form", "Multipart", "Cookies", "BasicAuth", "Options"]
    static let responseSections = ["Captures", "Asserts"]
    private static let responseSectionReason =
        "the section belongs to a response, which begins with a line such as HTTP 200"

    /// Whether a word is a method in another case, or one with a typing error.
    static func isSimilarToMethod(_ word: String) -> Bool {
        methods.contains { $0.lowercased().isWithinOneEdit(of: word.lowercased()) }
    }

    /// Returns a question for a name of an edit distance below 2, or the valid names.
    private func suggestion(_ name: String, _ valid: [String], separator: String = ", ") -> String {
        if let similar = valid.first(where: { $0.lowercased().isWithinOneEdit(of: name.lowercased()) }) {
            return "Did you mean \(similar)?"
        }
        return "Valid values are \(valid.joined(separator: separator))"
    }

    /// Returns the error as text: its title, the line of the file, and a caret below the character.
    ///
    /// - Parameters:
    ///   - filename: The name of the file for the message.
    ///   - content: The contents of the file.
    package func text(filename: String, content: String) -> String {
        SourceExcerpt(content, filename: filename)
            .text(title: title, reason: reason, range: SourceRange(position, position), entryLine: nil)
    }
}

extension String {
    /// Whether at most one inserted, removed or replaced character distinguishes the strings.
    func isWithinOneEdit(of other: String) -> Bool {
        let (first, second) = (Array(unicodeScalars), Array(other.unicodeScalars))
        guard abs(first.count - second.count) < 2 else { return false }
        let prefix = zip(first, second).prefix { $0 == $1 }.count
        let limit = min(first.count, second.count) - prefix
        let suffix = zip(first.reversed(), second.reversed()).prefix(limit).prefix { $0 == $1 }.count
        return max(first.count, second.count) - prefix - suffix < 2
    }
}
