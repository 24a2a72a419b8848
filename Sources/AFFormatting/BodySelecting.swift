package import AFJSON

/// A filter of a body: it writes the selected parts as they arrive, and reports the result.
package protocol BodySelecting: BodyFormatting {
    /// The number of selected parts so far.
    var matchCount: Int { get }
    /// The reason why the rest is not filtered.
    var problem: SelectionProblem? { get }
    /// Whether the body had no bytes besides white space so far.
    var isEmpty: Bool { get }

    /// Records that the body has bytes that are not filtered.
    mutating func recordOtherInput()

    /// Ends filtering.
    ///
    /// - Parameter limit: The maximum size of a text, which the input exceeds.
    mutating func failTooLarge(limit: Int)
}

extension BodySelecting {
    /// The result so far.
    package var result: SelectionResult {
        SelectionResult(matchCount: matchCount, problem: problem, isEmpty: isEmpty)
    }
}

/// The result of a filter.
package struct SelectionResult: Sendable {
    package let matchCount: Int
    package let problem: SelectionProblem?
    package let isEmpty: Bool
}

/// The reason why the rest of a body is not filtered.
package enum SelectionProblem: Error, Hashable, Sendable {
    /// The body is not JSON.
    case invalid(JSONSyntaxError)
    /// A value that must be held exceeds the limit.
    case tooLarge(limit: Int)
    /// More selected values are nested than ``JSONFilter/maximumNesting``.
    case tooNested
    /// A line of a text exceeds the limit.
    case lineTooLong(limit: Int)
}
