/// The escapes between `$'` and `'` in bash.
enum ShellEscape {
    /// Returns the decoded bytes of the text. They end at a zero byte, as in bash.
    ///
    /// - Throws: ``UsageError`` for an escape that is no character.
    static func bytes(of quoted: Substring.UnicodeScalarView) throws(UsageError) -> [UInt8] {
        var (rest, bytes): (Substring.UnicodeScalarView, [UInt8]) = (quoted, [])
        while let scalar = rest.popFirst() {
            let next = scalar == "\\" ? try escape(&rest) : Array(String(scalar).utf8)
            if next == [0] { break }
            bytes += next
        }
        return bytes
    }

    /// Consumes the escape after a backslash.
    private static func escape(_ rest: inout Substring.UnicodeScalarView) throws(UsageError) -> [UInt8] {
        guard let letter = rest.first else { return [0x5C] }
        if let value = number(&rest, radix: 8, digits: 3) { return [value.lowByte] }
        rest.removeFirst()
        switch letter {
        case "a": return [0x07]
        case "b": return [0x08]
        case "e", "E": return [0x1B]
        case "f": return [0x0C]
        case "n": return [0x0A]
        case "r": return [0x0D]
        case "t": return [0x09]
        case "v": return [0x0B]
        case "\\", "'", "\"", "?": return Array(String(letter).utf8)
        case "x" where rest.first == "{":
            rest.removeFirst()
            let value = number(&rest, radix: 16, digits: .max) ?? 0
            if rest.first == "}" { rest.removeFirst() }
            return [value.lowByte]
        case "x":
            if let value = number(&rest, radix: 16, digits: 2) { return [value.lowByte] }
        case "u", "U":
            if let value = number(&rest, radix: 16, digits: letter == "u" ? 4 : 8) {
                guard let scalar = UnicodeScalar(value) else {
                    throw UsageError("an escape in $'...' is not a character")
                }
                return Array(String(scalar).utf8)
            }
        case "c":
            if let control = rest.popFirst() {
                if control == "\\", rest.first == "\\" { rest.removeFirst() }
                let upper = control.properties.uppercaseMapping.unicodeScalars.first ?? control
                return [control == "?" ? 0x7F : upper.value.lowByte & 0x1F]
            }
        default: break
        }
        return [0x5C] + Array(String(letter).utf8)
    }

    /// Consumes a number; `nil` if there is no digit.
    private static func number(_ rest: inout Substring.UnicodeScalarView, radix: UInt32, digits limit: Int) -> UInt32? {
        var (value, count): (UInt32, Int) = (0, 0)
        while count < limit, let scalar = rest.first, scalar.properties.isASCIIHexDigit,
            let digit = UInt32(String(scalar), radix: 16), digit < radix
        {
            (value, count) = (value &* radix &+ digit, count + 1)
            rest.removeFirst()
        }
        return count == 0 ? nil : value
    }
}

extension UInt32 {
    fileprivate var lowByte: UInt8 { UInt8(truncatingIfNeeded: self) }
}
