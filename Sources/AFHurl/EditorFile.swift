/// A `.http` or `.rest` file of editors, lowered to the entries of a Hurl file.
package struct EditorFile: Equatable, Sendable {
    /// The entries, whose requests have ``HurlRequest/editor``.
    package let file: HurlFile
    /// The parts of the file that have no effect, in order.
    package let notes: [EditorNote]
}

/// A part of a file that has no effect.
package struct EditorNote: Equatable, Sendable {
    /// The kinds of parts.
    package enum Kind: Equatable, Sendable {
        /// A script, of which JavaScript would be needed.
        case script
        /// A line of another syntax, with its first word.
        case statement(String)
        /// A directive, with its name.
        case directive(String)
        /// A question before the request.
        case question
        /// A value that the user would type, with the name of its variable.
        case prompt(String)
    }

    /// The kind.
    package let kind: Kind
    /// The number of the line, from 1.
    package let line: Int

    /// Whether the results may differ from those of an editor.
    package var isOmission: Bool {
        switch kind {
        case .script, .statement, .directive: true
        case .question, .prompt: false
        }
    }

    /// The sentence for a warning.
    package var text: String {
        switch kind {
        case .script: "the script is not run"
        case .statement(let word): "'\(word)' is not supported"
        case .directive(let name): "the directive @\(name) is not supported"
        case .question: "@note asks no question here"
        case .prompt(let name): "@prompt asks no question here; --variable \(name)=VALUE sets the value"
        }
    }
}

/// The properties of a request in a `.http` file that a Hurl file does not have.
package struct EditorRequest: Equatable, Sendable {
    /// The name to which later requests refer; `nil` if it has none.
    package var name: String?
    /// The variables of the file, each after those that its value contains.
    package var definitions: [EditorDefinition] = []
    /// Whether the request has and changes cookies.
    package var usesCookies = true
    /// Whether a response is not saved to a file that exists.
    package var keepsFile = false
}

/// A variable of a file: `@name = value`, or of an environment.
package struct EditorDefinition: Equatable, Sendable {
    /// The source of a definition.
    package enum Source: Equatable, Sendable {
        case file
        case environment
        /// An environment whose values are secrets.
        case privateEnvironment
    }

    /// The start of the names of variables that all environments share: `{{$shared token}}`.
    package static let sharedPrefix = "$shared "

    /// The name.
    package let name: String
    /// The value.
    package let value: HurlTemplate
    /// The source.
    package let source: Source

    /// Creates a definition.
    package init(name: String, value: HurlTemplate, source: Source = .file) {
        (self.name, self.value, self.source) = (name, value, source)
    }
}

/// A part of a body.
package enum EditorBodyPart: Equatable, Sendable {
    case text(HurlTemplate)
    /// The bytes of a file.
    case file(HurlTemplate)
    /// A file whose placeholders are filled in, and its encoding if it is not UTF-8.
    case template(HurlTemplate, encoding: String?)
    /// A GraphQL request: the query, and the variables, which are a JSON object.
    case graphQL([EditorBodyPart], variables: HurlTemplate?)
}

/// A value of an earlier request or of its response: `{{login.response.body.$.token}}`.
package struct EditorReference: Equatable, Sendable {
    /// The parts of a message.
    package enum Part: Equatable, Sendable {
        case body
        case jsonPath(String)
        case xPath(String)
        case header(String)
    }

    /// The name of the request.
    package let name: String
    /// Whether the value is that of the response.
    package let isOfResponse: Bool
    /// The part.
    package let part: Part
}

/// A value of the system: `{{$guid}}`.
package enum EditorVariable: Equatable, Sendable {
    /// The characters of a random text.
    package enum Alphabet: String, CaseIterable, Sendable {
        case alphabetic, alphanumeric, hexadecimal
    }

    /// The format of a date.
    package enum DateStyle: Equatable, Sendable {
        case iso8601, rfc1123
        /// A pattern such as `YYYY-MM-DD`.
        case pattern(String)
    }

    case uuid
    case email
    /// A number from the first one to that before the second.
    case integer(Range<Int64>)
    /// A decimal number in the range.
    case decimal(Range<Double>)
    case text(Alphabet, count: Int)
    /// The seconds since 1970.
    case timestamp(EditorInterval?)
    case date(DateStyle, EditorInterval?, isLocal: Bool)
    /// A variable of the process; `%NAME` is the one that the value of a variable names.
    case environment(String)
    /// A variable of the file `.env`, or `%NAME`.
    case dotenv(String)
}

/// A distance from the current time.
package struct EditorInterval: Equatable, Sendable {
    /// The units; the raw values are their letters.
    package enum Unit: String, CaseIterable, Sendable {
        case years = "y"
        case months = "M"
        case weeks = "w"
        case days = "d"
        case hours = "h"
        case minutes = "m"
        case seconds = "s"
        case milliseconds = "ms"
    }

    /// The number of units, which may be negative.
    package let count: Int64
    /// The unit.
    package let unit: Unit
}
