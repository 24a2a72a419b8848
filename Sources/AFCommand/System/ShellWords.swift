/// Splits a command into words, as a shell does.
enum ShellWords {
    /// Returns the words; a line may continue after a backslash.
    ///
    /// - Parameter variables: The environment, for `$NAME` and `${NAME}`.
    /// - Throws: ``UsageError`` for an open quote, an unset variable, or anything else that only a shell can run.
    static func split(_ text: String, variables: Variables) throws(UsageError) -> [String] {
        var splitter = Splitter(rest: text.unicodeScalars[...], variables: variables)
        try splitter.split()
        return splitter.words
    }

    private struct Splitter {
        /// Scalars, since a combining character behind a quote is one of the word.
        var rest: Substring.UnicodeScalarView
        let variables: Variables
        var words: [String] = []
        private var word: String?

        private static let shellHint = "quote it, or write its value"

        init(rest: Substring.UnicodeScalarView, variables: Variables) {
            (self.rest, self.variables) = (rest, variables)
        }

        mutating func split() throws(UsageError) {
            while let character = rest.popFirst() {
                switch character {
                case " ", "\t": endWord()
                case "\r" where rest.first == "\n": break
                case "\n":
                    endWord()
                    guard words.isEmpty || rest.allSatisfy(\.properties.isWhitespace) else {
                        throw UsageError(
                            "the command has a second line",
                            hint: "end a line with a backslash to continue it, without a blank after it")
                    }
                case "#" where word == nil: rest = rest.drop { $0 != "\n" }
                case "'": append(try take(until: "'"))
                case "\"": try takeDoubleQuoted()
                case "\\":
                    guard let next = nextAfterBackslash() else { break }
                    if next != "\n" { append(String(next)) }
                case "~" where word == nil: append(try homeDirectory())
                case "^" where word == nil && rest.first.map({ "\"\r\n".unicodeScalars.contains($0) }) == true:
                    throw UsageError(
                        "the command is written for the command prompt of Windows", hint: "copy it as cURL (bash)")
                case "$" where rest.first == "'": try takeEscaped()
                case "$": append(try variable())
                case "|", ";", "&", ">", "<", "(", ")", "`":
                    throw UsageError(
                        "'\(known: character)' is shell syntax, which is not executed",
                        hint: "quote it, or enter the curl command alone")
                default: append(String(character))
                }
            }
            endWord()
        }

        private mutating func endWord() {
            if let word { words.append(word) }
            word = nil
        }

        /// Removes the character after a backslash; the line break of CRLF is a line feed.
        private mutating func nextAfterBackslash() -> Unicode.Scalar? {
            if rest.starts(with: "\r\n".unicodeScalars) { rest.removeFirst() }
            return rest.popFirst()
        }

        private mutating func append(_ text: String) { word = (word ?? "") + text }

        private mutating func take(until quote: Unicode.Scalar) throws(UsageError) -> String {
            guard let end = rest.firstIndex(of: quote) else { throw open(quote) }
            defer { rest = rest[end...].dropFirst() }
            return String(rest[..<end])
        }

        private mutating func takeDoubleQuoted() throws(UsageError) {
            append("")
            while let character = rest.popFirst() {
                switch character {
                case "\"": return
                case "\\":
                    guard let next = nextAfterBackslash() else { break }
                    if next == "\n" { continue }
                    append("$`\"\\".unicodeScalars.contains(next) ? String(next) : "\\\(next)")
                case "$": append(try variable())
                case "`":
                    throw UsageError(
                        "a command in backquotes is shell syntax, which is not executed", hint: Self.shellHint)
                default: append(String(character))
                }
            }
            throw open("\"")
        }

        /// `$'...'` with the backslash escapes of bash.
        private mutating func takeEscaped() throws(UsageError) {
            rest.removeFirst()
            var end = rest.startIndex
            while end < rest.endIndex, rest[end] != "'" {
                let isPair = rest[end] == "\\" && rest.index(after: end) < rest.endIndex
                end = rest.index(end, offsetBy: isPair ? 2 : 1)
            }
            guard end < rest.endIndex else { throw open("'") }
            let bytes = try ShellEscape.bytes(of: rest[..<end])
            rest = rest[end...].dropFirst()
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw UsageError(
                    "the bytes in $'...' are not UTF-8 text", hint: "put them into a file: --data-binary @FILE")
            }
            append(text)
        }

        /// Returns the value of the variable behind a dollar sign, or the sign itself.
        private mutating func variable() throws(UsageError) -> String {
            if rest.first == "(" {
                throw UsageError("$() is shell syntax, which is not executed", hint: Self.shellHint)
            }
            let isBraced = rest.first == "{"
            let text = isBraced ? rest.dropFirst() : rest
            let scalars = text.prefix {
                $0.isASCII && (Character($0).isLetter || ("0"..."9").contains($0) || $0 == "_")
            }
            guard let first = scalars.first, !("0"..."9").contains(first) else { return "$" }
            rest = rest[scalars.endIndex...]
            let name = String(scalars)
            if isBraced {
                guard rest.popFirst() == "}" else {
                    throw UsageError(
                        "the expansion of '\(name)' is shell syntax, which is not executed", hint: Self.shellHint)
                }
            }
            return try value(of: name)
        }

        /// Returns the value of a tilde that is a word, or that a slash follows.
        private func homeDirectory() throws(UsageError) -> String {
            guard rest.first.map({ "/ \t\r\n".unicodeScalars.contains($0) }) ?? true else {
                throw UsageError(
                    "a name after '~' is shell syntax, which is not executed", hint: "quote it, or write the path")
            }
            return try value(of: "HOME")
        }

        private func value(of name: String) throws(UsageError) -> String {
            guard let value = variables[name] else {
                throw UsageError("the environment variable '\(name)' is not set", hint: "set it, or write the value")
            }
            return value
        }

        private func open(_ quote: Unicode.Scalar) -> UsageError {
            UsageError("the command has an opening \(known: quote) without a closing one")
        }
    }
}
