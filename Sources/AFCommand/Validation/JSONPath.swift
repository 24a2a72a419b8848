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
    enum Finding: Equatable {
        case found(Range<Int>)
        /// The reason why the value is missing, as a sentence.
        case missing(String)
    }

    /// Finds the value in a valid JSON document.
    ///
    /// If a member is repeated, the last one counts, as in most parsers.
    func find(in scanner: inout JSONScanner) throws(JSONScanner.Problem) -> Finding {
        for (step, container) in zip(steps, containers) {
            scanner.skipBlanks()
            let start = scanner.position
            let isFound =
                switch step {
                case .member(let name): try scanner.enterMember(named: name)
                case .element(let index): try scanner.enterElement(index)
                }
            guard isFound else {
                scanner.move(to: start)
                return .missing(try reason(step, in: container.isEmpty ? "the body" : "'\(container)'", &scanner))
            }
        }
        return .found(try scanner.skipValue())
    }

    private func reason(
        _ step: Step,
        in container: String,
        _ scanner: inout JSONScanner
    ) throws(JSONScanner.Problem) -> String {
        let kind = JSONText.Kind(firstByte: scanner.next)
        switch (step, kind) {
        case (.member(let name), .object): return "\(container) has no '\(name)'"
        case (.element, .array):
            let count = try scanner.countElements()
            return "\(container) has \(count) element\(count == 1 ? "" : "s")"
        default: return "\(container) is of type \(kind.rawValue)"
        }
    }
}
