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
        scanner.skipBlanks()
        let start = scanner.position
        try scanner.skipValue()
        return .found(start..<scanner.position)
    }

    private func reason(
        _ step: JSONKey.Step,
        at place: Int,
        _ scanner: inout JSONScanner
    ) throws(JSONScanner.Problem) -> String {
        let container = place == 0 ? "the body" : "'\(key?.prefix(before: place) ?? "")'"
        let type = JSONText.raw(String(decoding: [scanner.next ?? 0], as: UTF8.self)).typeName
        switch (step, type) {
        case (.member(let name), "object"): return "\(container) has no '\(name)'"
        case (.index, "array"):
            let count = try scanner.countElements()
            return "\(container) has \(count) element\(count == 1 ? "" : "s")"
        default: return "\(container) is of type \(type)"
        }
    }
}

extension JSONScanner {
    /// Returns a scanner at the start of a document after validating it.
    ///
    /// - Throws: ``Problem`` if the bytes are not JSON.
    static func document(_ bytes: [UInt8]) throws(Problem) -> JSONScanner {
        var scanner = JSONScanner(bytes: bytes)
        // A byte order mark is accepted (RFC 8259 §8.1).
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { scanner.move(to: 3) }
        let start = scanner
        try scanner.skipValue()
        scanner.skipBlanks()
        guard scanner.isAtEnd else { throw scanner.problem("the end of the JSON text") }
        return start
    }

    /// Moves to the value of the last member of this name; returns `false` if there is none.
    fileprivate mutating func enterMember(named name: String) throws(Problem) -> Bool {
        guard skip(UInt8(ascii: "{")) else { return false }
        var place: Int?
        skipBlanks()
        if skip(UInt8(ascii: "}")) { return false }
        repeat {
            skipBlanks()
            let start = position
            try skipString()
            // Compared as bytes: `==` treats canonically equivalent names as equal.
            let found = JSONEscape.unescaped(bytes(start + 1..<position - 1))
            let isWanted = found.elementsEqual(name.utf8)
            skipBlanks()
            _ = skip(UInt8(ascii: ":"))
            if isWanted { place = position }
            try skipValue()
            skipBlanks()
        } while skip(UInt8(ascii: ","))
        place.map { move(to: $0) }
        return place != nil
    }

    /// Moves to an element; returns `false` if there is none.
    fileprivate mutating func enterElement(_ index: Int) throws(Problem) -> Bool {
        guard skip(UInt8(ascii: "[")) else { return false }
        skipBlanks()
        if next == UInt8(ascii: "]") { return false }
        for _ in 0..<index {
            try skipValue()
            skipBlanks()
            guard skip(UInt8(ascii: ",")) else { return false }
        }
        return true
    }

    fileprivate mutating func countElements() throws(Problem) -> Int {
        guard skip(UInt8(ascii: "[")) else { return 0 }
        skipBlanks()
        if next == UInt8(ascii: "]") { return 0 }
        var count = 0
        repeat {
            try skipValue()
            count += 1
            skipBlanks()
        } while skip(UInt8(ascii: ","))
        return count
    }
}
