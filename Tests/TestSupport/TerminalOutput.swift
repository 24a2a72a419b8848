extension String {
    /// The text without color sequences.
    public var withoutColors: String {
        var text = ""
        var isInSequence = false
        for scalar in unicodeScalars {
            if scalar == "\u{1B}" { isInSequence = true }
            if !isInSequence { text.unicodeScalars.append(scalar) }
            if scalar == "m" { isInSequence = false }
        }
        return text
    }

    /// Whether the text contains control characters for terminals, except newlines (also CRLF) and tabs.
    public var holdsTerminalControls: Bool {
        filter { $0 != "\r\n" }.unicodeScalars.contains { scalar in
            switch scalar.value {
            case 0x09, 0x0A: false
            case 0..<0x20, 0x7F...0x9F, 0x61C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
            default: false
            }
        }
    }
}
