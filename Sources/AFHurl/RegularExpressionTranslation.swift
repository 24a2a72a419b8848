/// The translation of an expression from Rust's dialect to that of RE2.
struct RegularExpressionTranslation {
    private let characters: [Unicode.Scalar]
    private var index = 0
    private var result = String.UnicodeScalarView()
    private var isInClass = false

    /// The contents of classes for `\d`, `\s` and `\w`, as in Unicode.
    private static let classes: [Unicode.Scalar: String] = [
        "d": "\\p{Nd}",
        "s": "\\x{9}-\\x{D} \\x{85}\\x{A0}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}\\x{205F}\\x{3000}",
        "w": "\\p{L}\\p{M}\\p{Nd}\\p{Nl}\\p{Pc}\\x{200C}\\x{200D}",
    ]

    /// The contents of classes for `\D`, `\S` and `\W`: RE2 has no complement of a set in a class. Characters that are
    /// not assigned are missing in that for `\W`.
    private static let complements: [Unicode.Scalar: String] = [
        "D": "\\P{Nd}",
        "S": "\\x{0}-\\x{8}\\x{E}-\\x{1F}\\x{21}-\\x{84}\\x{86}-\\x{9F}\\x{A1}-\\x{167F}\\x{1681}-\\x{1FFF}"
            + "\\x{200B}-\\x{2027}\\x{202A}-\\x{202E}\\x{2030}-\\x{205E}\\x{2060}-\\x{2FFF}\\x{3001}-\\x{10FFFF}",
        "W": "\\p{No}\\p{Pd}\\p{Ps}\\p{Pe}\\p{Pi}\\p{Pf}\\p{Po}\\p{S}\\p{Z}\\p{Cc}\\p{Cf}\\p{Co}",
    ]

    init(_ text: String) { characters = Array(text.unicodeScalars) }

    mutating func translate() throws(RegularExpression.InvalidError) -> String {
        while let character = read() {
            switch character {
            case "\\": try translateEscape()
            case "[" where isInClass: try copyPOSIXClass()
            case "[":
                append("[")
                isInClass = true
                if isNext("^"), let character = read() { result.append(character) }
                if isNext("]"), let character = read() { append("\\\(character)") }
            case "]" where isInClass:
                append("]")
                isInClass = false
            case "&" where isInClass && next == "&", "-" where isInClass && next == "-",
                "~" where isInClass && next == "~":
                throw unsupported("\(character)\(character)")
            case "(" where !isInClass && isNext("?"): try translateGroup()
            default: result.append(character)
            }
        }
        return String(result)
    }

    private var next: Unicode.Scalar? { index < characters.count ? characters[index] : nil }

    private func isNext(_ text: String) -> Bool {
        text.unicodeScalars.enumerated().allSatisfy {
            index + $0 < characters.count && characters[index + $0] == $1
        }
    }

    private mutating func read() -> Unicode.Scalar? {
        guard let character = next else { return nil }
        index += 1
        return character
    }

    private mutating func append(_ text: String) { result.append(contentsOf: text.unicodeScalars) }

    private func unsupported(_ syntax: String) -> RegularExpression.InvalidError {
        RegularExpression.InvalidError(reason: "'\(syntax)' is not supported")
    }

    /// Copies a class in a class, which must be one of POSIX: `[[:alpha:]]`.
    private mutating func copyPOSIXClass() throws(RegularExpression.InvalidError) {
        guard isNext(":") else { throw unsupported("a class in a class") }
        append("[")
        while let character = read() {
            result.append(character)
            if character == "]" { return }
        }
    }

    private mutating func translateEscape() throws(RegularExpression.InvalidError) {
        guard let character = read() else {
            append("\\")
            return
        }
        switch character {
        case "d", "s", "w": append(isInClass ? Self.classes[character] ?? "" : "[\(Self.classes[character] ?? "")]")
        case "D", "S", "W":
            let lowercase = Unicode.Scalar(character.value | 0x20) ?? character
            append(isInClass ? Self.complements[character] ?? "" : "[^\(Self.classes[lowercase] ?? "")]")
        case "u", "U": append(try codePoint(length: character == "u" ? 4 : 8))
        default: append("\\\(character)")
        }
    }

    /// Reads the digits of a character, in braces or of a fixed number.
    private mutating func codePoint(length: Int) throws(RegularExpression.InvalidError) -> String {
        var digits = ""
        if next == "{" {
            _ = read()
            while let character = read(), character != "}" { digits.unicodeScalars.append(character) }
        } else {
            for _ in 0..<length { digits.unicodeScalars.append(read() ?? " ") }
        }
        guard !digits.isEmpty, digits.unicodeScalars.allSatisfy(\.isHexDigit) else { throw unsupported("\\u\(digits)") }
        return "\\x{\(digits)}"
    }

    /// Translates a group with flags or a name, after its parenthesis.
    private mutating func translateGroup() throws(RegularExpression.InvalidError) {
        for syntax in ["?=", "?!", "?<=", "?<!"] where isNext(syntax) { throw unsupported("(\(syntax)") }
        if isNext("?<") {
            _ = read()
            append("(?P")
            return
        }
        append("(")
        guard !isNext("?P") else { return }
        var flags = ""
        var position = index + 1
        while position < characters.count, characters[position].isASCIILetter || characters[position] == "-" {
            flags.unicodeScalars.append(characters[position])
            position += 1
        }
        if let flag = flags.first(where: { "xRu".contains($0) }) { throw unsupported("flag \(flag)") }
    }
}
