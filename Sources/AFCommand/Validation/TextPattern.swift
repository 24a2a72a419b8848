internal import CLinux

/// A string or regular expression to search for.
enum TextPattern: Equatable, Sendable {
    case text(String)
    case expression(RegularExpression)

    /// Creates an expression.
    ///
    /// - Throws: ``UsageError`` if RE2 does not accept it.
    init(expression: String) throws(UsageError) { self = .expression(try RegularExpression(expression)) }

    /// The string, or the expression without slashes.
    var text: String {
        switch self {
        case .text(let text): text
        case .expression(let expression): expression.text
        }
    }

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
    ///
    /// - Throws: ``UsageError`` for letters after the second slash, as in `/ok/i`.
    var betweenSlashes: String? {
        get throws(UsageError) {
            guard count > 2, hasPrefix("/"), let last = lastIndex(ofAny: "/"), last > index(after: startIndex) else {
                return nil
            }
            let (expression, letters) = (self[index(after: startIndex)..<last], self[index(after: last)...])
            if letters.isEmpty { return String(expression) }
            // Several slashes are a path.
            guard expression.firstIndex(ofAny: "/") == nil, letters.allSatisfy({ "gimsux".contains($0) }),
                Set(letters).count == letters.count
            else { return nil }
            let flags = letters.filter { "ims".contains($0) }
            throw UsageError(
                "letters after the regular expression: '\(shortened)'",
                hint: flags.isEmpty
                    ? "omit '\(letters)'; the text itself is /\\/\(expression)\\/\(letters)/"
                    : "flags are at its start: '/(?\(flags))\(expression)/'")
        }
    }
}

extension [UInt8] {
    /// Whether the pattern is a part of the bytes. An empty one is.
    func contains(bytes pattern: [UInt8]) -> Bool {
        pattern.isEmpty || memmem(self, count, pattern, pattern.count) != nil
    }
}
