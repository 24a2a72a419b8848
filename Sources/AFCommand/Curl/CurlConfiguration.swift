/// The syntax of curl's configuration files: an option and its argument on each line.
enum CurlConfiguration {
    /// Returns the words of a line, none for a blank line or a comment, and the text after an unquoted argument, which is
    /// ignored.
    static func words(of line: Substring) -> (words: [String], ignored: Substring) {
        let line = line.drop(while: \.isWhitespace)
        guard let first = line.first, first != "#" else { return ([], "") }
        let isDashed = first == "-"
        let name = line.prefix { !$0.isWhitespace && (isDashed || ($0 != "=" && $0 != ":")) }
        let option = isDashed ? String(name) : "--\(name)"
        let rest = line[name.endIndex...].drop { $0.isWhitespace || (!isDashed && ($0 == "=" || $0 == ":")) }
        guard let start = rest.first else { return ([option], "") }
        if start == "\"" { return ([option, unquoted(rest.dropFirst())], "") }
        let word = rest.prefix { !$0.isWhitespace }
        let ignored = rest[word.endIndex...].drop(while: \.isWhitespace)
        return ([option, String(word)], ignored.first == "#" ? "" : ignored)
    }

    private static func unquoted(_ text: Substring) -> String {
        var value = ""
        var rest = text
        while let character = rest.popFirst(), character != "\"" {
            guard character == "\\", let next = rest.popFirst() else {
                value.append(character)
                continue
            }
            switch next {
            case "t": value.append("\t")
            case "n": value.append("\n")
            case "r": value.append("\r")
            case "v": value.append("\u{B}")
            default: value.append(next)
            }
        }
        return value
    }
}
