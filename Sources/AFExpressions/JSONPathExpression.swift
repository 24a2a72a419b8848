internal import AFHurl
internal import AFJSON

/// A JSONPath expression (RFC 9535).
package struct JSONPathExpression: Equatable, Sendable {
    let segments: [Segment]

    /// The selection of children or of all descendants.
    struct Segment: Equatable, Sendable {
        let isDescendant: Bool
        let selectors: [Selector]
    }

    enum Selector: Equatable, Sendable {
        case name([UInt8])
        case wildcard
        case index(Int)
        case slice(start: Int?, end: Int?, step: Int)
        case filter(Condition)
    }

    /// A condition for a node.
    indirect enum Condition: Equatable, Sendable {
        case or([Condition])
        case and([Condition])
        case not(Condition)
        case comparison(Comparable, Operator, Comparable)
        case exists(Query)
        case call(Call)
    }

    enum Operator: String, CaseIterable, Sendable {
        case equal = "=="
        case notEqual = "!="
        case lessOrEqual = "<="
        case greaterOrEqual = ">="
        case less = "<"
        case greater = ">"
    }

    /// A query in a condition: from the current node or the document.
    struct Query: Equatable, Sendable {
        let isRelative: Bool
        let segments: [Segment]

        /// Whether the query selects at most one node.
        var isSingular: Bool {
            segments.allSatisfy { segment in
                guard !segment.isDescendant, segment.selectors.count == 1 else { return false }
                return switch segment.selectors[0] {
                case .name, .index: true
                case .wildcard, .slice, .filter: false
                }
            }
        }
    }

    indirect enum Comparable: Equatable, Sendable {
        case literal(JSONValue)
        case query(Query)
        case call(Call)
    }

    /// A call of a function.
    struct Call: Equatable, Sendable {
        let function: Function
        let arguments: [Argument]
    }

    enum Function: String, Sendable {
        case length, count, value, match, search

        /// Whether the result is a condition, not a value.
        var isCondition: Bool { self == .match || self == .search }
        var parameterCount: Int { isCondition ? 2 : 1 }
        /// Whether the argument is the nodes of a query, not a value.
        var takesNodes: Bool { self == .count || self == .value }
    }

    enum Argument: Equatable, Sendable {
        case nodes(Query)
        case value(Comparable)
        /// A constant regular expression, compiled once; `nil` if it is not valid.
        case pattern(RegularExpression?)

        static func == (first: Argument, second: Argument) -> Bool {
            switch (first, second) {
            case (.nodes(let first), .nodes(let second)): first == second
            case (.value(let first), .value(let second)): first == second
            case (.pattern(let first), .pattern(let second)): first?.text == second?.text
            default: false
            }
        }
    }
}

/// An error in a JSONPath expression.
package struct JSONPathError: Error, Equatable, Sendable {
    /// The number of characters before the error.
    package let offset: Int
}
