/// A regular expression in the syntax of Rust's `regex`, which RE2 searches in linear time.
///
/// `\d`, `\s` and `\w` are those of Unicode. `\b` is that of Unicode in ASCII texts.
package struct RegularExpression: Sendable {
    /// The expression as written.
    package let text: String
    private let compiled: CompiledExpression

    /// An error in an expression.
    package struct InvalidError: Error, Equatable {
        /// The reason, as part of a sentence.
        package let reason: String
    }

    /// Compiles an expression.
    ///
    /// - Throws: ``InvalidError`` if it is malformed, too large, or not supported.
    package init(_ text: String) throws(InvalidError) {
        self.text = text
        var translation = RegularExpressionTranslation(text)
        let translated = try translation.translate()
        do throws(CompiledExpression.InvalidError) {
            compiled = try CompiledExpression(translated, hasGroups: true)
        } catch {
            throw InvalidError(error)
        }
    }

    /// Returns the reason why an expression is invalid; `nil` if it is valid.
    package static func problem(_ text: String) -> String? {
        do throws(InvalidError) {
            _ = try RegularExpression(text)
            return nil
        } catch {
            return error.reason
        }
    }

    /// Returns the ranges of the first match and its groups from an offset on; `nil` if nothing matches.
    ///
    /// The range of a group without a match is `nil`.
    package func match(in text: [UInt8], from offset: Int = 0) -> [Range<Int>?]? {
        text.withUnsafeBytes { compiled.firstMatch(in: $0, from: offset) }
    }

    /// Returns the number of a named group; `nil` if no group has the name.
    package func groupNumber(_ name: String) -> Int? { compiled.groupNumber(name) }

    /// Returns the text in which each match is replaced.
    ///
    /// - Parameter replacement: The text for a match, of which it receives the groups.
    package func replaceMatches(in text: [UInt8], with replacement: ([Range<Int>?]) -> [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var (end, next) = (0, 0)
        var endOfLast: Int?
        while next <= text.count, let groups = match(in: text, from: next), let match = groups[0] {
            // An empty match directly after another one does not count, as in Rust.
            if !match.isEmpty || match.lowerBound != endOfLast {
                result += text[end..<match.lowerBound] + replacement(groups)
                end = match.upperBound
                endOfLast = end
            }
            next = match.isEmpty ? text.indexAfterCharacter(at: match.upperBound) : match.upperBound
        }
        return result + text[end...]
    }
}

extension RegularExpression.InvalidError {
    fileprivate init(_ error: CompiledExpression.InvalidError) {
        reason =
            switch error {
            case .tooLarge: "the expression is too large"
            case .unsupported(""), .malformed(""): "the syntax is not valid"
            case .unsupported(let part), .malformed(let part): "'\(part)' is not valid"
            }
    }
}

extension [UInt8] {
    /// Returns the index after a character in UTF-8.
    fileprivate func indexAfterCharacter(at index: Int) -> Int {
        var next = index + 1
        while next < count, self[next] & 0xC0 == 0x80 { next += 1 }
        return next
    }
}
