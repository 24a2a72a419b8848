internal import CRE2

/// A regular expression in the syntax of RE2, which searches bytes as UTF-8.
///
/// A search takes time in proportion to the length of the text, and at most some megabytes of memory.
final class RegularExpression: Sendable {
    let text: String
    /// Immutable: any thread may search with it.
    private nonisolated(unsafe) let compiled: OpaquePointer?

    /// The maximum length in bytes. RE2 writes to standard error if an expression has more than a million nodes.
    private static let maximumLength = 65_536

    /// Compiles an expression.
    ///
    /// - Parameter hasGroups: Whether ``firstMatch(in:from:)`` finds groups.
    /// - Throws: ``UsageError`` if it is malformed, too large or has syntax that RE2 does not support.
    init(_ text: String, hasGroups: Bool = false) throws(UsageError) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.maximumLength else { throw Self.tooLarge(text) }
        self.text = text
        compiled = bytes.withCharacters { af_compile($0, $1, hasGroups) }
        switch af_validity(compiled) {
        case AF_EXPRESSION_VALID: return
        case AF_EXPRESSION_UNSUPPORTED:
            var length = 0
            let start = af_invalid_part(compiled, &length)
            let part = String(decoding: UnsafeRawBufferPointer(start: start, count: length), as: UTF8.self)
            throw UsageError(
                "'\(part.shortened)' is not supported in '\(text.shortened)'",
                hint: "the syntax is that of RE2: no look-around, no back references; (?P<name>...) names a group"
            )
        case AF_EXPRESSION_TOO_LARGE: throw Self.tooLarge(text)
        default:
            throw UsageError(
                "'\(text.shortened)' is not a regular expression",
                hint: "a backslash escapes characters such as ( [ { . * + ? |"
            )
        }
    }

    deinit { af_release(compiled) }

    /// The number of instructions: the time of a search is at most in proportion to the length of the text times this.
    var size: Int { Int(af_size(compiled)) }

    /// Whether a text in UTF-8 has a match. `$` also matches before a line feed at the end, as in Perl.
    func isFound(in text: [UInt8]) -> Bool {
        text.withCharacters { bytes, count in
            af_is_found(compiled, bytes, count)
                || hasDollar && text.last == UInt8(ascii: "\n") && af_is_found(compiled, bytes, count - 1)
        }
    }

    /// A match, as ranges of the text.
    struct Match {
        /// The first group that took part in the match, else the complete match.
        let group: Range<Int>
        let end: Int
    }

    /// Returns the first match that starts at an offset or after it.
    func firstMatch(in text: UnsafeRawBufferPointer, from start: Int) -> Match? {
        // The start and the end of the match and of each group, -1 for a group that took no part.
        var bounds = [Int](repeating: 0, count: 2 * (Int(af_group_count(compiled)) + 1))
        let characters = text.bindMemory(to: CChar.self)
        let count = CInt(bounds.count / 2)
        guard start <= text.count, af_find(compiled, characters.baseAddress, text.count, start, &bounds, count) else {
            return nil
        }
        let first = stride(from: 2, to: bounds.count, by: 2).first { bounds[$0] >= 0 } ?? 0
        return Match(group: bounds[first]..<bounds[first + 1], end: bounds[1])
    }

    /// Whether `$` may match; `\z` matches only at the end.
    private var hasDollar: Bool { text.utf8.contains(UInt8(ascii: "$")) && text.firstRange(of: "\\z") == nil }

    private static func tooLarge(_ text: String) -> UsageError {
        UsageError(
            "'\(text.shortened)' is too large for a regular expression",
            hint: "{n} repeats at most 1000 times, including outer repetitions"
        )
    }
}

extension RegularExpression: Equatable {
    static func == (first: RegularExpression, second: RegularExpression) -> Bool { first.text == second.text }
}

extension [UInt8] {
    fileprivate func withCharacters<Result>(_ body: (UnsafePointer<CChar>?, Int) -> Result) -> Result {
        withUnsafeBytes { body($0.bindMemory(to: CChar.self).baseAddress, $0.count) }
    }
}
