internal import AFHTTP

/// Scans JSON text (RFC 8259) of any depth without creating values.
struct JSONScanner {
    struct Problem: Error, Equatable {
        let expectation: String
        /// The offset in bytes from the start.
        let offset: Int
    }

    private let bytes: [UInt8]
    private(set) var position = 0

    init(_ text: String) { self.init(bytes: Array(text.utf8)) }

    init(bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    /// The byte at the current position.
    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    func bytes(_ range: Range<Int>) -> ArraySlice<UInt8> { bytes[range] }

    /// Continues at another position.
    mutating func move(to position: Int) { self.position = position }

    mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
    }

    /// Skips a byte if it matches.
    mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    /// Skips a value and preceding blanks.
    mutating func skipValue() throws(Problem) {
        // An explicit stack: deep nesting must not exhaust the thread's.
        var closing: [UInt8] = []
        repeat {
            skipBlanks()
            if skip(UInt8(ascii: "{")) {
                skipBlanks()
                if !skip(UInt8(ascii: "}")) {
                    closing.append(UInt8(ascii: "}"))
                    try skipMemberName()
                    continue
                }
            } else if skip(UInt8(ascii: "[")) {
                skipBlanks()
                if !skip(UInt8(ascii: "]")) {
                    closing.append(UInt8(ascii: "]"))
                    continue
                }
            } else {
                try skipScalar()
            }
            try skipEnds(&closing)
        } while !closing.isEmpty
    }

    /// Skips `"name":` and the blanks around it.
    mutating func skipMemberName() throws(Problem) {
        skipBlanks()
        guard next == UInt8(ascii: "\"") else { throw problem("a name in double quotes") }
        try skipString()
        skipBlanks()
        guard skip(UInt8(ascii: ":")) else { throw problem("':'") }
    }

    mutating func skipString() throws(Problem) {
        position += 1
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return
            case UInt8(ascii: "\\"): try skipEscape()
            case ..<0x20: throw problem("an escape such as \\n in the place of a control character")
            default: position += 1
            }
        }
        throw problem("a closing '\"'")
    }

    func problem(_ expectation: String) -> Problem { Problem(expectation: expectation, offset: position) }

    /// Processes the end of a value: closes containers, and stops where another value must follow.
    private mutating func skipEnds(_ closing: inout [UInt8]) throws(Problem) {
        while let end = closing.last {
            skipBlanks()
            if skip(end) {
                closing.removeLast()
            } else if skip(UInt8(ascii: ",")) {
                if end == UInt8(ascii: "}") { try skipMemberName() }
                return
            } else {
                throw problem("',' or '\(Character(UnicodeScalar(end)))'")
            }
        }
    }

    private mutating func skipScalar() throws(Problem) {
        switch next {
        case UInt8(ascii: "\"")?: return try skipString()
        case let byte? where byte == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte:
            return try skipNumber()
        default: break
        }
        for word in ["true", "false", "null"] where skip(word) { return }
        throw problem("a JSON value")
    }

    private mutating func skip(_ word: String) -> Bool {
        guard bytes[position...].starts(with: word.utf8) else { return false }
        position += word.utf8.count
        return true
    }

    private mutating func skipNumber() throws(Problem) {
        _ = skip(UInt8(ascii: "-"))
        if !skip(UInt8(ascii: "0")) { try skipDigits() }
        if skip(UInt8(ascii: ".")) { try skipDigits() }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
            try skipDigits()
        }
    }

    private mutating func skipDigits() throws(Problem) {
        let start = position
        while let byte = next, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { position += 1 }
        guard position > start else { throw problem("a digit") }
    }

    private mutating func skipEscape() throws(Problem) {
        position += 1
        guard let letter = next, "\"\\/bfnrtu".utf8.contains(letter) else {
            throw problem("one of \"\\/bfnrtu after the backslash")
        }
        position += 1
        guard letter == UInt8(ascii: "u") else { return }
        for _ in 0..<4 {
            guard next?.hexadecimalValue != nil else { throw problem("four hexadecimal digits after \\u") }
            position += 1
        }
    }
}
