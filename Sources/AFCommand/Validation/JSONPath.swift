internal import AFFormatting
internal import AFJSON

/// A path to one value of a JSON document: `a.b[0]` or `a[b][0]`; an empty one is the document.
struct JSONPath: Equatable, Sendable {
    /// Members, and ranges of one element.
    private let steps: [JSONFilter.Step]
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
        var (steps, containers, start) = ([JSONFilter.Step](), [String](), 0)
        for part in try reader.path() {
            switch part.step {
            case .member: break
            case .elements(let range) where range.count == 1: break
            case .elements, .all, .descendants:
                throw reader.problem("the path selects several values", at: start, length: part.end - start)
            }
            steps.append(part.step)
            containers.append(String(typed.prefix(start)))
            start = part.end
        }
        (self.steps, self.containers) = (steps, containers)
    }

    var description: String { steps.isEmpty ? "the body" : "'\(typed)'" }

    /// The names of the members that contain the value.
    var names: [String] {
        steps.compactMap { if case .member(let name) = $0 { String(decoding: name, as: UTF8.self) } else { nil } }
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
                case .member(let name): cursor.enterMember(named: name)
                case .elements(let range): cursor.enterElement(range.lowerBound)
                case .all, .descendants: false
                }
            if !isFound { return reason(step, in: container.isEmpty ? "the body" : "'\(container)'", at: start) }
        }
        return nil
    }

    private func reason(_ step: JSONFilter.Step, in container: String, at cursor: JSONCursor) -> String {
        switch (step, cursor.kind) {
        case (.member(let name), .object): return "\(container) has no '\(String(decoding: name, as: UTF8.self))'"
        case (.elements, .array):
            let count = cursor.elementCount
            return "\(container) has \(count) element\(count == 1 ? "" : "s")"
        case (_, let kind): return "\(container) is of type \(kind.rawValue)"
        }
    }
}
