internal import CRE2

/// A regular expression in the syntax of Rust's `regex`, which RE2 searches in linear time.
///
/// `\d`, `\s` and `\w` are those of Unicode. `\b` is that of Unicode in ASCII texts.
package final class RegularExpression: Sendable {
    /// The expression as written.
    package let text: String
    /// Immutable: any thread may search with it.
    private nonisolated(unsafe) let compiled: OpaquePointer?
    /// The number of groups.
    package let groupCount: Int

    /// The maximum length in bytes. RE2 writes to standard error if an expression has more than a million nodes.
    private static let maximumLength = 65_536

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
        guard text.utf8.count <= Self.maximumLength else { throw InvalidError(reason: "the expression is too large") }
        var translation = RegularExpressionTranslation(text)
        let translated = try translation.translate()
        compiled = Array(translated.utf8).withCharacters { af_compile($0, $1, true) }
        switch af_validity(compiled) {
        case AF_EXPRESSION_VALID: groupCount = Int(af_group_count(compiled))
        case AF_EXPRESSION_TOO_LARGE:
            groupCount = 0
            throw InvalidError(reason: "the expression is too large")
        default:
            groupCount = 0
            var length = 0
            let start = af_invalid_part(compiled, &length)
            let part = String(decoding: UnsafeRawBufferPointer(start: start, count: length), as: UTF8.self)
            throw InvalidError(reason: part.isEmpty ? "the syntax is not valid" : "'\(part)' is not valid")
        }
    }

    deinit { af_release(compiled) }

    /// Returns the reason why an expression is invalid; `nil` if it is valid.
    package static func problem(_ text: String) -> String? {
        do throws(InvalidError) {
            _ = try RegularExpression(text)
            return nil
        } catch {
            return error.reason
        }
    }

    /// Returns the ranges of the first match and its groups from an offset on; `nil` if there is none.
    ///
    /// The range of a group without a match is `nil`.
    package func match(in text: [UInt8], from offset: Int = 0) -> [Range<Int>?]? {
        var bounds = [Int](repeating: -1, count: 2 * (groupCount + 1))
        let isFound = text.withCharacters { characters, count in
            af_find(compiled, characters, count, offset, &bounds, CInt(groupCount + 1))
        }
        guard isFound else { return nil }
        return (0...groupCount).map { bounds[2 * $0] < 0 ? nil : bounds[2 * $0]..<bounds[2 * $0 + 1] }
    }

    /// Returns the number of a named group; `nil` if there is none.
    package func groupNumber(_ name: String) -> Int? {
        let number = Array(name.utf8).withCharacters { af_group_number(compiled, $0, $1) }
        return number < 0 ? nil : Int(number)
    }

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

extension [UInt8] {
    fileprivate func withCharacters<Result>(_ body: (UnsafePointer<CChar>?, Int) -> Result) -> Result {
        withUnsafeBytes { body($0.bindMemory(to: CChar.self).baseAddress, $0.count) }
    }

    /// Returns the index after a character in UTF-8.
    fileprivate func indexAfterCharacter(at index: Int) -> Int {
        var next = index + 1
        while next < count, self[next] & 0xC0 == 0x80 { next += 1 }
        return next
    }
}
