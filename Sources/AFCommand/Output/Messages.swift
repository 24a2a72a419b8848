internal import AFFormatting

/// The messages of the program on standard error, prefixed with its name.
struct Messages: Sendable {
    /// The least important messages that are shown.
    enum Level: Comparable {
        case notes
        /// Warnings, and the status of the response.
        case warnings
        case errors

        /// The level with a further `-q`.
        var quieter: Self { self == .notes ? .warnings : .errors }
    }

    let output: any ByteOutput
    var level = Level.notes
    var style = MessageStyle.afcli
    /// The subject of the messages, if it is not the run as a whole.
    var subject: String?
    /// The width of the terminal, at which sentences are wrapped; `nil` if they are not wrapped.
    var columns: Int?
    /// The colors of `error:` and `warning:`; `nil` if they are not colored.
    var palette: Palette?
    /// Returns a hint with the names of options as the user types them.
    var notation: @Sendable (_ hint: String) -> String = { $0 }
    /// The notes that were printed and are not repeated.
    var givenNotes = GivenNotes()
    /// Called with curl's exit number of each failure; `nil` if the exit status determines it.
    var onFailure: @Sendable (_ curlCode: Int32?) -> Void = { _ in }

    /// Writes an error.
    ///
    /// - Parameters:
    ///   - excerpt: Further lines: the position of a syntax error, or failed expectations.
    ///   - curlCode: curl's exit number.
    func error(_ sentence: String, excerpt: [String], hint: String?, curlCode: Int32) {
        guard !sentence.isEmpty else { return }
        let prefix: String
        switch style {
        case .afcli: prefix = "afcli: error:"
        case .curl(let hidesErrors, _):
            if hidesErrors { return }
            prefix = "curl: (\(curlCode))"
        }
        var lines = wrapped("\(prefix) \(self.sentence(sentence))").styled("error:", palette?.error)
        lines += excerpt.map { "  \(line($0))" }
        if let hint { lines += wrapped(line(notation(hint)), first: "  ", margin: "  ") }
        write(lines)
    }

    func warning(_ sentence: String) {
        let prefix = style == .afcli ? "afcli: warning:" : "Warning:"
        guard level <= .warnings else { return }
        write(wrapped("\(prefix) \(self.sentence(sentence))").styled("warning:", palette?.warning))
    }

    /// Writes the status of a response that ends the run, which `-qq` hides, and which is no message of curl.
    func outcome(_ sentence: String) {
        if level <= .warnings, style == .afcli { write(wrapped("afcli: \(self.sentence(sentence))")) }
    }

    /// Writes a result, which only `-qq` hides.
    func result(_ sentence: String) {
        if level <= .warnings { write(wrapped("afcli: \(self.sentence(sentence))")) }
    }

    func note(_ sentence: String) {
        let prefix = style == .afcli ? "afcli:" : "Note:"
        if level <= .notes { write(wrapped("\(prefix) \(self.sentence(sentence))")) }
    }

    /// Writes a note, unless another request of the command has caused it already.
    func noteOnce(_ sentence: String) {
        if givenNotes.add(sentence) { note(sentence) }
    }

    /// Writes what the user must do, regardless of `-q`.
    ///
    /// - Parameter url: A URL for the next line, in full.
    func instruct(_ sentence: String, url: String?) {
        write(wrapped("afcli: \(self.sentence(sentence))") + (url.map { ["  \(Sanitizer.line($0))"] } ?? []))
    }

    /// Writes the lines of a response. None can be taken for a message or an event.
    func response(_ lines: [String]) {
        guard level <= .warnings else { return }
        write(["afcli: \(sentence("the response:"))"] + lines.map { "  | \(Sanitizer.line($0))" })
    }

    private func sentence(_ text: String) -> String { subject.map { "\(line($0)): \(line(text))" } ?? line(text) }

    /// Returns the text as one line of limited length; an ellipsis replaces the middle of a longer one.
    private func line(_ text: String) -> String {
        let limit = 400
        let line = Sanitizer.line(text.utf8.count > 64 * limit ? String(text.prefix(limit) + text.suffix(limit)) : text)
        guard line.utf8.count > limit else { return line }
        return line.shortened(toColumns: limit, isUTF8: false)
    }

    /// Returns the lines of a sentence on the terminal. By default, further lines begin after the program's name.
    private func wrapped(_ line: String, first: String = "", margin: String = "       ") -> [String] {
        guard let columns, columns > 2 * margin.utf8.count else { return [first + line] }
        return line.wrapped(toColumns: columns, first: first, margin: margin)
    }

    private func write(_ lines: [String]) {
        // A body shown on standard error may lack a line end.
        try? output.endLine()
        // There is nowhere to report that standard error is closed.
        try? output.write(lines.joined(separator: "\n") + "\n")
    }
}

extension [String] {
    /// Returns the lines with a style for the word after the program's name; messages of curl have none.
    fileprivate func styled(_ word: String, _ style: TextStyle?) -> [String] {
        let prefix = "afcli: "
        guard let style, let first, first.hasPrefix(prefix + word) else { return self }
        return [prefix + style.applied(to: word) + first.dropFirst(prefix.count + word.count)] + dropFirst()
    }
}

extension Messages {
    /// Creates messages on standard error.
    init(_ environment: Environment, level: Level = .notes, subject: String? = nil) {
        self.init(
            output: environment.errors, level: level, style: environment.messageStyle,
            subject: subject ?? environment.messageSubject,
            columns: environment.errorTerminal?.columns, palette: environment.messagePalette,
            notation: environment.hintNotation, givenNotes: environment.givenNotes, onFailure: environment.onFailure)
    }
}
