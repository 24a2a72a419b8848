internal import CRE2

/// An expression that RE2 has compiled, which searches bytes as UTF-8.
///
/// A search takes time in proportion to the length of the text, and at most some megabytes of memory.
package final class CompiledExpression: Sendable {
    /// Immutable: any thread may search with it.
    private nonisolated(unsafe) let expression: OpaquePointer?

    /// The maximum length in bytes. RE2 writes to standard error if an expression has more than a million nodes.
    private static let maximumLength = 65_536

    /// An error in an expression.
    package enum InvalidError: Error, Equatable {
        /// It needs more memory, or more repetitions, than RE2 allows.
        case tooLarge
        /// It has the syntax of other engines.
        case unsupported(part: String)
        /// It is malformed.
        case malformed(part: String)
    }

    /// Compiles an expression.
    ///
    /// - Parameter hasGroups: Whether ``firstMatch(in:from:)`` finds groups.
    package init(_ text: String, hasGroups: Bool) throws(InvalidError) {
        guard text.utf8.count <= Self.maximumLength else { throw .tooLarge }
        expression = Array(text.utf8).withUnsafeBytes { af_compile($0.characters, $0.count, hasGroups) }
        var length = 0
        let start = af_invalid_part(expression, &length)
        let part = String(decoding: UnsafeRawBufferPointer(start: start, count: length), as: UTF8.self)
        switch af_validity(expression) {
        case AF_EXPRESSION_VALID: return
        case AF_EXPRESSION_TOO_LARGE: throw .tooLarge
        case AF_EXPRESSION_UNSUPPORTED: throw .unsupported(part: part)
        default: throw .malformed(part: part)
        }
    }

    deinit { af_release(expression) }

    /// The number of instructions: the time of a search is at most in proportion to the length of the text times this.
    package var size: Int { Int(af_size(expression)) }

    /// Returns the number of a named group; `nil` if no group has the name.
    package func groupNumber(_ name: String) -> Int? {
        let number = Array(name.utf8).withUnsafeBytes { af_group_number(expression, $0.characters, $0.count) }
        return number < 0 ? nil : Int(number)
    }

    /// Returns whether a text has a match.
    package func isFound(in text: UnsafeRawBufferPointer) -> Bool {
        af_is_found(expression, text.characters, text.count)
    }

    /// Returns the ranges of the first match from an offset on and of its groups; `nil` if nothing matches.
    ///
    /// The range of a group that took no part is `nil`.
    package func firstMatch(in text: UnsafeRawBufferPointer, from offset: Int) -> [Range<Int>?]? {
        guard offset <= text.count else { return nil }
        let count = Int(af_group_count(expression)) + 1
        var bounds = [Int](repeating: -1, count: 2 * count)
        guard af_find(expression, text.characters, text.count, offset, &bounds, CInt(count)) else { return nil }
        return (0..<count).map { bounds[2 * $0] < 0 ? nil : bounds[2 * $0]..<bounds[2 * $0 + 1] }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate var characters: UnsafePointer<CChar>? { bindMemory(to: CChar.self).baseAddress }
}
