/// The options of Hurl's configuration file: an option a line, whose value follows it or is the next line.
///
/// Values with blanks are in double quotes, which may contain line feeds. Blank lines and comments are ignored.
struct FileRunConfiguration: Equatable {
    /// An option as on the command line.
    struct Option: Equatable {
        let name: String
        /// `nil` if the option has no argument.
        let value: String?
        let line: Int
    }

    private(set) var options: [Option] = []

    /// Parses a file.
    ///
    /// - Parameter hasArgument: Returns whether an option has an argument; `nil` for unknown ones.
    /// - Throws: ``UsageError`` with the line.
    init(_ text: String, hasArgument: (_ name: String) -> Bool?) throws(UsageError) {
        var lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.map(\.trimmed)[...]
        func fail(_ problem: String) -> UsageError { UsageError("line \(lines.startIndex): \(problem)") }
        while let line = lines.popFirst() {
            if line.isEmpty || line.hasPrefix("#") { continue }
            let number = lines.startIndex
            guard line.hasPrefix("--") else { throw fail("expected an option, got '\(line)'") }
            let name = line.dropFirst(2).prefix { $0 != "=" && !$0.isWhitespace }
            guard let needsValue = hasArgument(String(name)) else { throw fail("unknown option '--\(name)'") }
            var rest = line.dropFirst(2 + name.count).trimmed
            let isAttached = rest.hasPrefix("=")
            if isAttached { rest = rest.dropFirst().trimmed }
            guard needsValue else {
                guard rest.isEmpty, !isAttached else { throw fail("--\(name) takes no value") }
                options.append(Option(name: String(name), value: nil, line: number))
                continue
            }
            if !isAttached, rest.isEmpty {
                while let next = lines.first, next.isEmpty { lines.removeFirst() }
                guard let next = lines.popFirst() else { throw fail("--\(name) requires an argument") }
                rest = next
            }
            guard let value = Self.value(rest, &lines) else { throw fail("--\(name): unclosed or missing quotes") }
            options.append(Option(name: String(name), value: value, line: number))
        }
    }

    /// Returns a value, whose quotes may end in a later line; `nil` if they are missing.
    private static func value(_ text: Substring, _ lines: inout ArraySlice<Substring>) -> String? {
        guard let quote = text.firstIndex(of: "\"") else {
            return text.contains(where: \.isWhitespace) ? nil : "\(text)"
        }
        // Text may precede the quotes: name="a b".
        let before = text[..<quote]
        guard !before.contains(where: \.isWhitespace) else { return nil }
        var quoted = String(text[text.index(after: quote)...])
        while !quoted.contains("\"") {
            guard let next = lines.popFirst() else { return nil }
            quoted += "\n\(next)"
        }
        guard quoted.hasSuffix("\""), quoted.count(where: { $0 == "\"" }) == 1 else { return nil }
        return String(before + quoted.dropLast())
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        var text = drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
