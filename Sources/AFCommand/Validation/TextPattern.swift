internal import CLinux

/// A string or regular expression to search for.
enum TextPattern: Equatable, Sendable {
    case text(String)
    case expression(RegularExpression)

    /// Creates an expression.
    ///
    /// - Throws: ``UsageError`` if RE2 does not accept it.
    init(expression: String) throws(UsageError) { self = .expression(try RegularExpression(expression)) }

    /// The pattern as part of a sentence.
    var description: String {
        switch self {
        case .text(let text): "'\(text.shortened)'"
        case .expression(let expression): "/\(expression.text.shortened)/"
        }
    }

    /// The number of instructions: the time of a search is at most in proportion to the length of the text times this.
    var size: Int {
        switch self {
        case .text: 1
        case .expression(let expression): expression.size
        }
    }

    /// Whether the pattern is found in a text in UTF-8.
    func isFound(in bytes: [UInt8]) -> Bool {
        switch self {
        case .text(let text): bytes.contains(bytes: Array(text.utf8))
        case .expression(let expression): expression.isFound(in: bytes)
        }
    }
}

extension String {
    /// The text between two slashes: a regular expression; `nil` without them.
    var betweenSlashes: String? {
        count > 2 && hasPrefix("/") && hasSuffix("/") ? String(dropFirst().dropLast()) : nil
    }
}

extension [UInt8] {
    /// Whether the bytes contain others.
    func contains(bytes pattern: [UInt8]) -> Bool {
        pattern.isEmpty || memmem(self, count, pattern, pattern.count) != nil
    }
}
