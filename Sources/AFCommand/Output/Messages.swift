/// What the program says about itself on standard error: sentences, each with its name in front.
struct Messages: Sendable {
    let output: any ByteOutput
    /// One `-q` leaves warnings, two leave errors only.
    var quietness = 0

    func error(_ diagnosis: Diagnosis) {
        guard !diagnosis.message.isEmpty else { return }
        var lines = ["afcli: error: \(Sanitizer.line(diagnosis.message))"]
        lines += diagnosis.excerpt.map { "  \(Sanitizer.line($0))" }
        if let hint = diagnosis.hint { lines.append("  \(Sanitizer.line(hint))") }
        write(lines)
    }

    func warning(_ sentence: String) {
        if quietness < 2 { write(["afcli: warning: \(Sanitizer.line(sentence))"]) }
    }

    func note(_ sentence: String) {
        if quietness < 1 { write(["afcli: \(Sanitizer.line(sentence))"]) }
    }

    private func write(_ lines: [String]) {
        var text = lines.joined(separator: "\n") + "\n"
        // Nobody is left to tell when standard error takes nothing.
        text.withUTF8 { try? output.write(UnsafeRawBufferPointer($0)) }
    }
}
