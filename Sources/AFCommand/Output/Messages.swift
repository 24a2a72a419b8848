internal import AFFormatting

/// The messages of the program on standard error, prefixed with its name.
struct Messages: Sendable {
    let output: any ByteOutput
    /// The number of `-q` options: one hides notes, two also warnings and the status of the response. As in curl's `-s`,
    /// three hide errors.
    var quietness = 0
    /// The subject of the messages, if it is not the run as a whole.
    var subject: String?
    /// Returns a hint with the names of options as the user types them.
    var notation: @Sendable (_ hint: String) -> String = { $0 }
    /// Called with curl's exit number of each failure; `nil` if the exit status determines it.
    var onFailure: @Sendable (_ curlCode: Int32?) -> Void = { _ in }

    /// Writes an error.
    ///
    /// - Parameter excerpt: Further lines: the position of a syntax error, or failed expectations.
    func error(_ sentence: String, excerpt: [String], hint: String?) {
        guard quietness < 3, !sentence.isEmpty else { return }
        var lines = ["afcli: error: \(self.sentence(sentence))"]
        lines += excerpt.map { "  \(line($0))" }
        if let hint { lines.append("  \(line(notation(hint)))") }
        write(lines)
    }

    func warning(_ sentence: String) {
        if quietness < 2 { write(["afcli: warning: \(self.sentence(sentence))"]) }
    }

    /// Writes the status of a response that ends the run, which `-qq` hides.
    func outcome(_ sentence: String) {
        if quietness < 2 { write(["afcli: \(self.sentence(sentence))"]) }
    }

    func note(_ sentence: String) {
        if quietness < 1 { write(["afcli: \(self.sentence(sentence))"]) }
    }

    /// Writes what the user must do, regardless of `-q`.
    ///
    /// - Parameter url: A URL for the next line, in full.
    func instruct(_ sentence: String, url: String?) {
        write(["afcli: \(self.sentence(sentence))"] + (url.map { ["  \(Sanitizer.line($0))"] } ?? []))
    }

    /// Writes the start of a body. No line can be taken for a message or an event.
    func body(_ text: String?) {
        guard quietness < 2, let text, !text.isEmpty else { return }
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        write(["afcli: the body starts with:"] + lines.map { "  | \(Sanitizer.line(String($0)))" })
    }

    private func sentence(_ text: String) -> String { subject.map { "\(line($0)): \(line(text))" } ?? line(text) }

    /// Returns the text as one line of limited length; an ellipsis replaces the middle of a longer one.
    private func line(_ text: String) -> String {
        let limit = 400
        let line = Sanitizer.line(text.utf8.count > 64 * limit ? String(text.prefix(limit) + text.suffix(limit)) : text)
        guard line.utf8.count > limit else { return line }
        return line.shortened(toColumns: limit, isUTF8: false)
    }

    private func write(_ lines: [String]) {
        // A body shown on standard error may lack a line end.
        try? output.endLine()
        // There is nowhere to report that standard error is closed.
        try? output.write(lines.joined(separator: "\n") + "\n")
    }
}

extension Messages {
    /// Creates messages on standard error.
    init(_ environment: Environment, quietness: Int = 0, subject: String? = nil) {
        self.init(
            output: environment.errors, quietness: quietness, subject: subject, notation: environment.hintNotation,
            onFailure: environment.onFailure)
    }
}
