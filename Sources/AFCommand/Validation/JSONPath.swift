internal import AFFormatting
internal import AFJSON

/// A path to one value of a JSON document: `a.b[0]` or `a[b][0]`; an empty one is the document.
struct JSONPath: Equatable, Sendable {
    private enum Step: Equatable, Sendable {
        case member(String)
        case element(Int)
    }

    private let steps: [Step]
    /// The paths to the containers that the steps enter, as typed.
    private let containers: [String]
    private let typed: String

    /// Parses a path.
    ///
    /// - Throws: ``UsageError`` that points at the invalid character.
    init(_ typed: String) throws(UsageError) {
        self.typed = typed
        var reader = JSONPathReader(
            typed, separatesPaths: false, hint: "a path is a.b or a[0]; a backslash escapes a dot or a bracket")
        var (steps, containers, start) = ([Step](), [String](), 0)
        for part in try reader.path() {
            switch part.step {
            case .member(let name): steps.append(.member(String(decoding: name, as: UTF8.self)))
            case .elements(let range) where range.count == 1: steps.append(.element(range.lowerBound))
            case .elements, .all, .descendants:
                throw reader.problem("the path selects several values", at: start, length: part.end - start)
            }
            containers.append(String(typed.prefix(start)))
            start = part.end
        }
        (self.steps, self.containers) = (steps, containers)
    }

    var description: String { steps.isEmpty ? "the body" : "'\(typed)'" }

    /// The name of the member that the path leads to, or that contains the element it leads to.
    var lastName: String? {
        steps.reversed().lazy.compactMap { if case .member(let name) = $0 { name } else { nil } }.first
    }
}

extension JSONPath {
    /// Moves a cursor to the value; returns the reason why it is missing, as a sentence, or `nil`.
    ///
    /// If a member is repeated, the last one counts, as in most parsers.
    func find(in cursor: inout JSONCursor) -> String? {
        for (step, container) in zip(steps, containers) {
            let start = cursor
            let isFound =
                switch step {
                case .member(let name): cursor.enterMember(named: Array(name.utf8))
                case .element(let index): cursor.enterElement(index)
                }
            if !isFound { return reason(step, in: container.isEmpty ? "the body" : "'\(container)'", at: start) }
        }
        return nil
    }

    private func reason(_ step: Step, in container: String, at cursor: JSONCursor) -> String {
        switch (step, cursor.kind) {
        case (.member(let name), .object): return "\(container) has no '\(name)'"
        case (.element, .array):
            let count = cursor.elementCount
            return "\(container) has \(count) element\(count == 1 ? "" : "s")"
        case (_, let kind): return "\(container) is of type \(kind.rawValue)"
        }
    }
}
