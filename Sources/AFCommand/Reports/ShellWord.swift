/// Quotes text as one shell word that bash, zsh, fish and POSIX shells interpret alike.
enum ShellWord {
    /// Returns the text itself if it has no special characters, else in single quotes.
    static func quoted(_ text: String) -> String {
        if !text.isEmpty, text.utf8.allSatisfy(isPlain) { return text }
        var word = ""
        var isOpen = false
        let scalars = Array(text.unicodeScalars)
        for (index, scalar) in scalars.enumerated() {
            let next = index + 1 < scalars.count ? scalars[index + 1] : nil
            // In single quotes, fish alone interprets a backslash before another one or before a quote.
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

    /// Returns the command that prints bytes.
    static func printing(_ bytes: [UInt8]) -> String {
        let escaped = bytes.enumerated().map { index, byte in
            switch byte {
            case UInt8(ascii: "%"): "%%"
            // A hyphen would begin an option.
            case UInt8(ascii: "-") where index == 0: "\\055"
            case 0x20...0x7E where byte != UInt8(ascii: "'") && byte != UInt8(ascii: "\\"): String(UnicodeScalar(byte))
            default: "\\" + String(Int(byte) + 512, radix: 8).dropFirst()
            }
        }
        return "printf '\(escaped.joined())'"
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
