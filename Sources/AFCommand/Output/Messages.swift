/// What the program says about itself on standard error: sentences, each with its name in front.
struct Messages: Sendable {
    let output: any ByteOutput
    /// One `-q` leaves warnings, two leave errors only.
    var quietness = 0
    /// What they are about, where that is not the run as a whole.
    var subject: String?

    /// - Parameter excerpt: Further lines: the place of a mistake, or each expectation that failed.
    func error(_ sentence: String, excerpt: [String], hint: String?) {
        guard !sentence.isEmpty else { return }
        var lines = ["afcli: error: \(self.sentence(sentence))"]
        lines += excerpt.map { "  \(line($0))" }
        if let hint { lines.append("  \(line(hint))") }
        write(lines)
    }

    func warning(_ sentence: String) {
        if quietness < 2 { write(["afcli: warning: \(self.sentence(sentence))"]) }
    }

    func note(_ sentence: String) {
        if quietness < 1 { write(["afcli: \(self.sentence(sentence))"]) }
    }

    private func sentence(_ text: String) -> String { subject.map { "\(line($0)): \(line(text))" } ?? line(text) }

    /// The text on one line that can still be read: the middle of a very long one gives way to dots.
    private func line(_ text: String) -> String {
        let limit = 400
        let line = Sanitizer.line(text.utf8.count > 64 * limit ? String(text.prefix(limit) + text.suffix(limit)) : text)
        guard line.utf8.count > limit else { return line }
        return line.shortened(toColumns: limit, isUTF8: false)
    }

    private func write(_ lines: [String]) {
        var text = lines.joined(separator: "\n") + "\n"
        // Nobody is left to tell when standard error takes nothing.
        text.withUTF8 { try? output.write(UnsafeRawBufferPointer($0)) }
    }
}
