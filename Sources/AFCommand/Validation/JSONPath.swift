internal import AFJSON

/// A path in a JSON document: `a[b][0]` in the syntax of items, or with dots, `a.b[0]`.
///
/// A backslash escapes a dot. A leading dot is ignored; an empty path, or one dot, is the document.
struct JSONPath: Equatable, Sendable {
    /// The key; `nil` for the document itself.
    let key: JSONKey?
    private let typed: String

    /// Parses a path.
    ///
    /// - Throws: ``UsageError`` that points at the invalid character.
    init(_ typed: String) throws(UsageError) {
        self.typed = typed
        let path = typed.hasPrefix(".") ? typed.dropFirst() : typed[...]
        guard !path.isEmpty else {
            key = nil
            return
        }
        let key = try JSONKey(JSONPath.bracketed(path))
        if let part = key.parts.first(where: { $0.step == .append }) {
            throw UsageError(keyError: "value", "'[]' only appends: write an index", key.source, part.range)
        }
        self.key = key
    }

    var description: String { key == nil ? "the body" : "'\(typed)'" }

    /// Returns the path with brackets instead of dots.
    private static func bracketed(_ path: Substring) throws(UsageError) -> String {
        var result = ""
        var isInName = false
        var isInBrackets = false
        var rest = path
        while let character = rest.popFirst() {
            switch character {
            case "\\":
                // Brackets and backslashes stay escaped for the key.
                let next = rest.popFirst()
                if next != "." || isInBrackets { result.append(character) }
                if let next { result.append(next) }
            case "." where !isInBrackets:
                guard let next = rest.first, next != ".", next != "[" else {
                    throw UsageError("a dot in '\(path)' has no name behind it", hint: "a\\.b is one name with a dot")
                }
                if isInName { result.append("]") }
                result.append("[")
                isInName = true
            case "[" where !isInBrackets:
                if isInName { result.append("]") }
                (isInName, isInBrackets) = (false, true)
                result.append(character)
            case "]" where isInBrackets:
                isInBrackets = false
                result.append(character)
            default: result.append(character)
            }
        }
        return result + (isInName ? "]" : "")
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
        for (place, part) in (key?.parts ?? []).enumerated() {
            scanner.skipBlanks()
            let start = scanner.position
            let isFound =
                switch part.step {
                case .member(let name): try scanner.enterMember(named: name)
                case .index(let index): try scanner.enterElement(index)
                case .append: false
                }
            guard isFound else {
                scanner.move(to: start)
                return .missing(try reason(part.step, at: place, &scanner))
            }
        }
        return .found(try scanner.skipValue())
    }

    private func reason(
        _ step: JSONKey.Step,
        at place: Int,
        _ scanner: inout JSONScanner
    ) throws(JSONScanner.Problem) -> String {
        let container = place == 0 ? "the body" : "'\(key?.prefix(before: place) ?? "")'"
        let kind = JSONText.Kind(firstByte: scanner.next)
        switch (step, kind) {
        case (.member(let name), .object): return "\(container) has no '\(name)'"
        case (.index, .array):
            let count = try scanner.countElements()
            return "\(container) has \(count) element\(count == 1 ? "" : "s")"
        default: return "\(container) is of type \(kind.rawValue)"
        }
    }
}
