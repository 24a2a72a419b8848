/// Text as one word of a shell, which bash, zsh, fish and every POSIX shell read the same way.
enum ShellWord {
    /// The text itself where nothing in it means anything to a shell, else between single quotes.
    static func quoted(_ text: String) -> String {
        if !text.isEmpty, text.utf8.allSatisfy(isPlain) { return text }
        var word = ""
        var isOpen = false
        let scalars = Array(text.unicodeScalars)
        for (index, scalar) in scalars.enumerated() {
            let next = index + 1 < scalars.count ? scalars[index + 1] : nil
            // Between single quotes fish, unlike the others, reads a backslash before another one or before a quote.
            let isSpecial = scalar == "'" || (scalar == "\\" && (next == nil || next == "\\" || next == "'"))
            if isSpecial == isOpen {
                word += "'"
                isOpen.toggle()
            }
            word += isSpecial ? "\\\(scalar)" : "\(scalar)"
        }
        if isOpen { word += "'" }
        return word.isEmpty ? "''" : word
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-_./:,@+%".utf8.contains(byte)
        }
    }
}
