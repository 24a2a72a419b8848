/// An error in a Hurl file, with Hurl's texts, which scripts read.
package struct HurlSyntaxError: Error, Equatable, Sendable {
    /// The reason, with the values of its sentence.
    package enum Kind: Equatable, Sendable {
        case duplicateSection, escape, unicode, space, status, version, xml
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
    package var title: String { "Parsing \(texts.subject)" }

    /// The reason, which follows the caret.
    package var reason: String { texts.reason }

    private var texts: (subject: String, reason: String) {
        switch kind {
        case .duplicateSection: ("section", "the section is already defined")
        case .escape: ("escape character", "the escaping sequence is not valid")
        case .unicode: ("unicode literal", "Invalid unicode literal")
        case .space: ("space", "expecting a space")
        case .status: ("status code", "HTTP status code is not valid")
        case .version: ("version", "HTTP version must be HTTP, HTTP/1.0, HTTP/1.1, HTTP/2 or HTTP/3")
        case .xml: ("XML", "invalid XML")
        case .contentType: ("file content type", "expecting a content type")
        case .filename: ("filename", "expecting a filename")
        case .graphQLVariables: ("GraphQL variables", "GraphQL variables is not a valid JSON object")
        case .hexDigit: ("hexadecimal number", "expecting a valid hexadecimal number")
        case .cookieAttribute: ("cookie attribute", "the cookie attribute is not valid")
        case .oddHexDigits: ("hex bytearray", "expecting an even number of hex digits")
        case .jsonPath: ("JSONPath expression", "expecting a JSONPath expression")
        case .xPath: ("XPath expression", "expecting a XPath expression")
        case .predicate: ("predicate", "expecting a predicate")
        case .predicateValue: ("predicate value", "invalid predicate value")
        case .variable: ("template variable", "expecting a variable")
        case .nesting: ("JSON", "the nesting is too deep")
        case .jsonTrailingComma: ("JSON", "trailing comma is not allowed")
        case .jsonElement: ("JSON", "expecting a boolean, number, string, array, object or null")
        case .jsonEmptyElement: ("JSON", "expecting an element; found empty element instead")
        case .expected(let literal): ("literal", "expecting '\(literal)'")
        case .regex(let message): ("regex", "invalid Regex expression: \(message)")
        case .reservedVariable(let name): ("variable", "conflicts with the \(name) function, use a different name")
        case .key(let name):
            (
                "method",
                "the HTTP method <\(name)> is not valid. A header field or an item needs a colon after its name"
            )
        case .misplaced(""): ("section", "sections precede the body of a request or response")
        case .misplaced: ("section", Self.responseSectionReason)
        case .languageHint, .durationUnit, .method, .option, .query, .requestSection, .responseSection: nameTexts
        }
    }

    /// The texts about a name that is not valid, with a similar one or the valid ones.
    private var nameTexts: (subject: String, reason: String) {
        switch kind {
        case .languageHint(let hint):
            ("multiline", "the language hint \(hint) is not valid. \(suggestion(hint, Self.languages))")
        case .durationUnit(let unit): ("duration", "the duration unit is not valid. \(suggestion(unit, Self.units))")
        case .method(let name): ("method", "the HTTP method <\(name)> is not valid. \(suggestion(name, Self.methods))")
        case .option(let name):
            ("option", "the option name is not valid. \(suggestion(name, HurlOption.Name.allCases.map(\.rawValue)))")
        case .query(let name): ("query", "the query <\(name)> is not valid. \(suggestion(name, HurlQuery.names))")
        case .requestSection(let name):
            (
                "request section name",
                Self.responseSections.contains(name)
                    ? Self.responseSectionReason
                    : "the section is not valid. \(suggestion(name, Self.requestSections))"
            )
        case .responseSection(let name):
            (
                "response section name",
                "the section is not valid. \(suggestion(name, Self.responseSections, separator: " or "))"
            )
        default: ("", "")
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
