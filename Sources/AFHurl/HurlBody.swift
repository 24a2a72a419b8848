/// The body of a request, or the expected body of a response.
package struct HurlBody: Equatable, Sendable {
    /// The kinds of bodies.
    package enum Content: Equatable, Sendable {
        case json(HurlJSON)
        /// An XML document as written.
        case xml(String)
        case multiline(HurlMultilineText)
        case oneline(HurlTemplate)
        case base64([UInt8])
        case hex([UInt8])
        /// The path of a file.
        case file(HurlTemplate)
        /// Texts and files of a `.http` file, one after the other.
        case composed([EditorBodyPart])
    }

    /// The contents.
    package let content: Content
    /// The body without the blanks around it.
    package let range: SourceRange
    /// The bytes or the path between a prefix such as `hex,` and its semicolon; the body if it has no prefix.
    package let valueRange: SourceRange

    init(content: Content, range: SourceRange, valueRange: SourceRange? = nil) {
        (self.content, self.range, self.valueRange) = (content, range, valueRange ?? range)
    }
}

/// JSON as written, with placeholders.
package struct HurlJSON: Equatable, Sendable {
    /// A part of the text.
    package enum Part: Equatable, Sendable {
        case text(String)
        /// A placeholder, which is in a string or a value of its own.
        case placeholder(HurlPlaceholder, isInString: Bool)
    }

    /// The parts in order.
    package let parts: [Part]
}

/// A text between fences.
package struct HurlMultilineText: Equatable, Sendable {
    /// The word after the opening fence.
    package enum Language: String, CaseIterable, Sendable {
        case json, xml, graphql
        /// Without placeholders.
        case raw
    }

    /// The language; `nil` for plain text.
    package let language: Language?
    /// The text, including the line feed before the closing fence.
    package let text: HurlTemplate
    /// The variables of a GraphQL query, an object.
    package let variables: HurlJSON?
}
