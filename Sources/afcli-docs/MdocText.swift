internal import AFHTTP

/// Text in mdoc, the language of manual pages: one line per sentence, with markup on separate lines.
enum MdocText {
    /// Returns the lines of a text, whose paragraphs are separated by blank lines.
    ///
    /// Text between backticks is literal, and a word that begins with dashes is an option.
    static func lines(_ text: String) -> [String] {
        Array(text.split(separator: "\n\n").map { lines(ofParagraph: String($0)) }.joined(separator: [".Pp"]))
    }

    private static func lines(ofParagraph paragraph: String) -> [String] {
        var lines: [String] = []
        var line = ""
        func end() {
            if !line.isEmpty { lines.append(guarded(line)) }
            line = ""
        }
        for word in words(of: paragraph) {
            if let plain = word.plainText {
                let text = escaped(plain)
                if !line.isEmpty, line.utf8.count + 1 + text.utf8.count > 78 { end() }
                line += line.isEmpty ? text : " \(text)"
                if plain.endsSentence { end() }
            } else {
                end()
                lines.append(word.macroLine)
            }
        }
        end()
        return lines
    }

    /// Returns an argument of a macro, escaped so that it is not a macro itself.
    static func argument(_ text: String) -> String {
        let plain = escaped(text).replacing("-", with: "\\-").replacing("\"", with: "\\(dq")
        // Punctuation at the end would be attached to the next word.
        let ended = text.last.map(".,:;!?)]".contains) == true ? "\(plain)\\&" : plain
        if text.contains(" ") || text.isEmpty { return "\"\(ended)\"" }
        return text.count <= 3 && text.first != "-" ? "\\&\(ended)" : ended
    }

    /// Returns a line of a literal display.
    static func literal(_ text: String) -> String { guarded(escaped(text).replacing("-", with: "\\-")) }

    /// Escapes a dot or an apostrophe at the start of a line, which would start a request.
    private static func guarded(_ line: String) -> String {
        line.hasPrefix(".") || line.hasPrefix("'") ? "\\&\(line)" : line
    }

    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "\\": "\\e"
            case _ where !scalar.isASCII: "\\[u\(hexadecimal(scalar.value))]"
            default: String(scalar)
            }
        }
        .joined()
    }

    private static func hexadecimal(_ number: UInt32) -> String {
        number.padded(to: 4, radix: 16).uppercased()
    }

    /// Returns the words between blanks; literals are not split.
    private static func words(of paragraph: String) -> [Word] {
        var words: [Word] = []
        var word = Word()
        // Every second element is a literal.
        for (index, part) in paragraph.split(separator: "`", omittingEmptySubsequences: false).enumerated() {
            guard index.isMultiple(of: 2) else {
                word.parts.append(.literal(String(part)))
                continue
            }
            for (position, text) in part.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
                if position > 0 {
                    if !word.parts.isEmpty { words.append(word) }
                    word = Word()
                }
                if !text.isEmpty { word.parts += Word.Part.parts(of: String(text)) }
            }
        }
        return word.parts.isEmpty ? words : words + [word]
    }
}

/// Parts of text without blanks between them.
private struct Word {
    enum Part {
        case plain(String)
        case literal(String)
        case option(String)
        /// The name of the tool, which is not hyphenated.
        case tool

        /// Splits a word into an option, if it begins with dashes, or the name of the tool, and punctuation.
        static func parts(of text: String) -> [Part] {
            let opening = text.prefix { $0 == "(" }.prefix(1)
            let rest = text.dropFirst(opening.count)
            let end = rest.lastIndex { !".,:;)".contains($0) }.map(rest.index(after:)) ?? rest.startIndex
            let option = rest[..<end]
            guard option == "afcli" || isOption(option) else { return [.plain(text)] }
            let part = option == "afcli" ? Part.tool : .option(String(option))
            return [.plain(String(opening)), part, .plain(String(rest[end...]))].filter {
                if case .plain("") = $0 { false } else { true }
            }
        }

        /// Whether a word is `-X`, or `-name` or `--name` in lowercase.
        private static func isOption(_ word: Substring) -> Bool {
            let dashes = word.prefix { $0 == "-" }.count
            let name = word.utf8.dropFirst(dashes)
            guard let first = name.first, let last = name.last else { return false }
            switch (dashes, name.count) {
            case (1, 1): return first.isASCIILetter || first.isASCIIDigit
            case (1, _), (2, 2...):
                return first.isLowercase && (last.isLowercase || last.isASCIIDigit)
                    && name.allSatisfy { $0.isLowercase || $0.isASCIIDigit || ".=-".utf8.contains($0) }
            default: return false
            }
        }
    }

    var parts: [Part] = []

    /// The text; `nil` if a part needs markup.
    var plainText: String? {
        var text = ""
        for part in parts {
            guard case .plain(let plain) = part else { return nil }
            text += plain
        }
        return text
    }

    /// The parts as one macro line; closing punctuation is attached automatically.
    var macroLine: String {
        var arguments: [String] = []
        for part in parts {
            if case .plain(let text) = part, !arguments.isEmpty, text.allSatisfy({ ".,:;!?)]".contains($0) }) {
                arguments += text.map(String.init)
                continue
            }
            if !arguments.isEmpty { arguments.append("Ns") }
            switch part {
            case .plain(let text): arguments += ["No", MdocText.argument(text)]
            case .literal(let text): arguments += ["Ql", MdocText.argument(text)]
            case .option(let text): arguments += ["Fl", MdocText.argument(String(text.dropFirst()))]
            case .tool: arguments += ["Nm", "afcli"]
            }
        }
        return ".\(arguments.joined(separator: " "))"
    }
}

extension UInt8 {
    fileprivate var isLowercase: Bool { isASCIILetter && asciiLowercased == self }
}

extension String {
    /// Whether the word ends a sentence.
    fileprivate var endsSentence: Bool {
        let word = last == ")" ? dropLast() : self[...]
        return word.count > 1 && [".", "!", "?"].contains(word.last)
    }
}
