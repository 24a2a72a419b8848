internal import AFJSON

/// A path to values of a JSON document: `a.b[0]`, `a[b][0]` or `a[].b`; an empty one is the document.
struct JSONPath: Equatable, Sendable {
    let steps: [JSONStep]
    /// The paths to the containers that the steps enter, as typed.
    private let containers: [String]
    private let typed: String

    /// Parses a path.
    ///
    /// - Parameter selectsSeveral: Whether it may select several values.
    /// - Throws: ``UsageError`` that points at the invalid character.
    init(_ typed: String, selectsSeveral: Bool = false) throws(UsageError) {
        self.typed = typed
        let hint = "a path is a.b, a[0] or a[-1]; a backslash escapes a dot or a bracket"
        var reader = JSONPathReader(typed, separatesPaths: false, countsFromEnd: true, hint: hint)
        var (steps, containers, start) = ([JSONStep](), [String](), 0)
        for part in try reader.path() {
            guard selectsSeveral || part.step.isSingle else {
                var problem = reader.problem("the path selects several values", at: start, length: part.end - start)
                problem.hint = "any(PATH), all(PATH), count(PATH) and absent PATH allow several values"
                throw problem
            }
            steps.append(part.step)
            containers.append(String(typed.prefix(start)))
            start = part.end
        }
        (self.steps, self.containers) = (steps, containers)
    }

    /// The path as part of a sentence; a condition with a secret is masked.
    var description: String {
        steps.isEmpty ? "the body" : "'\(holdsSecret ? Redaction.mask : typed)'"
    }

    /// Whether a condition compares with a secret.
    var holdsSecret: Bool { steps.holdSecret }

    /// Whether the path selects at most one value.
    var isSingle: Bool { steps.allSatisfy(\.isSingle) }

    /// The names of the members that contain the values.
    var names: [String] {
        steps.compactMap { step in
            switch step {
            case .member(let name), .descendants(let name): String(decoding: name, as: UTF8.self)
            case .elements, .fromEnd, .all, .matching: nil
            }
        }
    }
}

extension JSONPath {
    /// Moves a cursor to the first value; returns the reason why there is none, as a sentence, or `nil`.
    func find(in cursor: inout JSONCursor) -> String? {
        let selection = JSONSelection(steps, in: cursor)
        guard let position = selection.positions.first else {
            return selection.miss.map { reason($0, in: cursor) } ?? "\(description) selects nothing"
        }
        cursor.move(to: position)
        return nil
    }

    /// Returns the reason why a step selects nothing, as a sentence.
    func reason(_ miss: JSONSelection.Miss, in document: JSONCursor) -> String {
        var cursor = document
        cursor.move(to: miss.position)
        let typed = steps[..<miss.step].holdSecret ? Redaction.mask : containers[miss.step]
        let isOneOfSeveral = !steps[..<miss.step].allSatisfy(\.isSingle)
        let container = typed.isEmpty ? "the body" : isOneOfSeveral ? "a value of '\(typed)'" : "'\(typed)'"
        switch (steps[miss.step], cursor.kind) {
        case (.member(let name), .object), (.descendants(let name), .object), (.descendants(let name), .array):
            return "\(container) has no '\(String(decoding: name, as: UTF8.self))'"
        case (.elements, .array), (.fromEnd, .array):
            let count = cursor.elementCount
            return "\(container) has \(count) element\(count == 1 ? "" : "s")"
        case (_, let kind): return "\(container) is of type \(kind.rawValue)"
        }
    }
}

extension Sequence<JSONStep> {
    /// Whether a condition compares with a secret.
    var holdSecret: Bool {
        contains { if case .matching(let condition) = $0 { condition.holdsSecret } else { false } }
    }
}
