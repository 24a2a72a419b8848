internal import AFHurl

/// A regular expression in the syntax of RE2.
struct RegularExpression: Sendable {
    let text: String
    private let compiled: CompiledExpression

    /// Compiles an expression.
    ///
    /// - Parameter hasGroups: Whether ``firstMatch(in:from:)`` finds groups.
    /// - Throws: ``UsageError`` if it is malformed, too large or has syntax that RE2 does not support.
    init(_ text: String, hasGroups: Bool = false) throws(UsageError) {
        self.text = text
        do throws(CompiledExpression.InvalidError) {
            compiled = try CompiledExpression(text, hasGroups: hasGroups)
        } catch {
            throw Self.error(error, in: text)
        }
    }

    private static func error(_ error: CompiledExpression.InvalidError, in text: String) -> UsageError {
        switch error {
        case .unsupported(let part):
            UsageError(
                "'\(part.shortened)' is not supported in '\(text.shortened)'",
                hint: "the syntax is that of RE2: no look-around, no back references; (?P<name>...) names a group"
            )
        case .tooLarge:
            UsageError(
                "'\(text.shortened)' is too large for a regular expression",
                hint: "{n} repeats at most 1000 times, including outer repetitions"
            )
        case .malformed:
            UsageError(
                "'\(text.shortened)' is not a regular expression",
                hint: "a backslash escapes characters such as ( [ { . * + ? |"
            )
        }
    }

    /// The number of instructions: the time of a search is at most in proportion to the length of the text times this.
    var size: Int { compiled.size }

    /// Returns the text that is searched in place of one that is not UTF-8, of which RE2's `.` and classes match no part:
    /// each octet that is no part of a character is U+001A. `nil` for UTF-8.
    static func substitute(for text: UnsafeRawBufferPointer) -> [UInt8]? {
        if text.allSatisfy({ $0 < 0x80 }) || String(validating: text, as: UTF8.self) != nil { return nil }
        var (result, octets, parser) = ([UInt8](), text.makeIterator(), Unicode.UTF8.ForwardParser())
        while true {
            switch parser.parseScalar(from: &octets) {
            case .valid(let character): result += character
            case .error(let length): result += repeatElement(0x1A, count: length)
            case .emptyInput: return result
            }
        }
    }

    /// Whether a text has a match. `$` also matches before a line feed at the end, as in Perl.
    func isFound(in text: [UInt8]) -> Bool {
        let substitute = text.withUnsafeBytes(Self.substitute)
        return (substitute ?? text).withUnsafeBytes { bytes in
            compiled.isFound(in: bytes)
                || hasDollar && bytes.last == UInt8(ascii: "\n")
                    && compiled.isFound(in: UnsafeRawBufferPointer(rebasing: bytes.dropLast()))
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
        guard let ranges = compiled.firstMatch(in: text, from: start), let match = ranges[0] else { return nil }
        let group = ranges.dropFirst().first { $0 != nil } ?? match
        return Match(group: group ?? match, end: match.upperBound)
    }

    /// Whether `$` may match; `\z` matches only at the end.
    private var hasDollar: Bool { text.utf8.contains(UInt8(ascii: "$")) && text.firstRange(of: "\\z") == nil }
}

extension RegularExpression: Equatable {
    static func == (first: RegularExpression, second: RegularExpression) -> Bool { first.text == second.text }
}
