/// A text with placeholders for values.
package struct HurlTemplate: Equatable, Sendable {
    /// A part of a template.
    package enum Part: Equatable, Sendable {
        /// Text with its escapes resolved.
        case text(String)
        case placeholder(HurlPlaceholder)
    }

    /// The parts in order.
    package let parts: [Part]
    /// The text as written, with its quotes.
    package let source: String
    /// The template with its quotes.
    package let range: SourceRange

    /// The text of a template without placeholders; `nil` for others.
    package var literal: String? {
        var text = ""
        for part in parts {
            guard case .text(let part) = part else { return nil }
            text += part
        }
        return text
    }
}

/// A value that is filled in: `{{name}}`.
package struct HurlPlaceholder: Equatable, Sendable {
    /// The kinds of expressions.
    package enum Content: Equatable, Sendable {
        case variable(String)
        case function(HurlFunction)
        /// A value of the system in a `.http` file.
        case system(EditorVariable)
        /// A value of an earlier request in a `.http` file.
        case reference(EditorReference)
    }

    /// The expression.
    package let content: Content
    /// The expression, without its braces.
    package let range: SourceRange

    /// Creates a placeholder.
    package init(content: Content, range: SourceRange) { (self.content, self.range) = (content, range) }
}

/// A function of templates, which is evaluated at each occurrence.
package enum HurlFunction: String, CaseIterable, Sendable {
    case newUuid, newDate
}

/// A value as written, or a placeholder for it.
package enum HurlLiteral<Value: Equatable & Sendable>: Equatable, Sendable {
    case value(Value)
    case placeholder(HurlPlaceholder)
}

/// A number as written.
package enum HurlNumber: Equatable, Sendable {
    case integer(Int64)
    /// The digits of an integer of more than 64 bits.
    case bigInteger(String)
    case float(Double)
}
