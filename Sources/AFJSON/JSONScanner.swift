/// Scans JSON text (RFC 8259) of any depth without creating values.
package struct JSONScanner {
    /// A syntax error.
    package struct Problem: Error, Equatable {
        /// The expected token, as a noun.
        package let expectation: String
        /// The offset in bytes from the start.
        package let offset: Int
    }

    /// An array or an object, by its opening bracket.
    package enum Container: UInt8 {
        case array = 0x5B
        case object = 0x7B

        /// The closing bracket.
        var end: UInt8 { rawValue + 2 }
    }

    private let bytes: [UInt8]
    package private(set) var position = 0

    package init(_ text: String) { self.init(bytes: Array(text.utf8)) }

    package init(bytes: [UInt8]) { self.bytes = bytes }

    /// Returns a scanner at the start of a document, after a guard and a byte order mark.
    ///
    /// - Throws: ``Problem`` if the bytes are not one JSON text.
    package static func document(_ bytes: [UInt8]) throws(Problem) -> JSONScanner {
        var scanner = JSONScanner(bytes: bytes)
        scanner.skipGuard()
        scanner.skipByteOrderMark()
        let start = scanner
        _ = try scanner.skipDocument()
        return start
    }

    package var isAtEnd: Bool { position >= bytes.count }

    /// The byte at the current position.
    package var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// The container that starts at the current position; `nil` for scalars.
    package var container: Container? { next.flatMap(Container.init) }

    package func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    package func bytes(_ range: Range<Int>) -> ArraySlice<UInt8> { bytes[range] }

    package func problem(_ expectation: String) -> Problem { Problem(expectation: expectation, offset: position) }

    package func problem(_ expectation: String, at range: Range<Int>) -> Problem {
        Problem(expectation: expectation, offset: range.lowerBound)
    }

    /// Continues at another position.
    package mutating func move(to position: Int) { self.position = position }

    package mutating func skipBlanks() {
        while let byte = next, byte.isJSONSpace { position += 1 }
    }

    /// Skips a byte order mark, which may be ignored (RFC 8259 §8.1).
    package mutating func skipByteOrderMark() {
        if bytes[position...].starts(with: [0xEF, 0xBB, 0xBF]) { position += 3 }
    }

    /// The text before JSON that keeps pages of other sites from running it as a script; a comma may follow.
    package static let guardText = Array(")]}'".utf8)

    /// Skips a guard.
    private mutating func skipGuard() {
        guard bytes[position...].starts(with: Self.guardText) else { return }
        position += Self.guardText.count
        _ = skip(UInt8(ascii: ","))
    }

    /// Skips a byte if it matches.
    package mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    /// Skips a value with the blanks around it, and returns its range.
    ///
    /// - Throws: ``Problem`` if the text does not end there.
    package mutating func skipDocument() throws(Problem) -> Range<Int> {
        let value = try skipValue()
        try skipToEnd()
        return value
    }

    /// Skips blanks.
    ///
    /// - Throws: ``Problem`` if the text does not end there.
    package mutating func skipToEnd() throws(Problem) {
        skipBlanks()
        guard isAtEnd else { throw problem("the end of the JSON text") }
    }

    /// Skips preceding blanks and a value, and returns the range of the value.
    @discardableResult
    package mutating func skipValue() throws(Problem) -> Range<Int> {
        skipBlanks()
        let start = position
        // An explicit stack: deep nesting must not exhaust the thread's.
        var open: [Container] = []
        repeat {
            skipBlanks()
            var hasNext = false
            if let container {
                hasNext = enter(container)
                if hasNext { open.append(container) }
            } else {
                try skipScalar()
            }
            while !hasNext, let container = open.last {
                hasNext = try self.hasNext(in: container)
                if !hasNext { open.removeLast() }
            }
            if open.last == .object { try skipName() }
        } while !open.isEmpty
        return start..<position
    }
}

/// The elements of containers. A loop over them:
///
///     var hasNext = scanner.enter(.array)
///     while hasNext {
///         try scanner.skipValue()
///         hasNext = try scanner.hasNext(in: .array)
///     }
extension JSONScanner {
    /// Enters the container at the current position; returns `false` and skips the container if it is empty.
    ///
    /// - Precondition: ``container`` is this one.
    package mutating func enter(_ container: Container) -> Bool {
        position += 1
        skipBlanks()
        return !skip(container.end)
    }

    /// Skips the comma after an element, or the end of the container; returns whether there is another element.
    package mutating func hasNext(in container: Container) throws(Problem) -> Bool {
        skipBlanks()
        if skip(UInt8(ascii: ",")) { return true }
        guard skip(container.end) else { throw problem("',' or '\(Character(UnicodeScalar(container.end)))'") }
        return false
    }

    /// Skips `"name":` and preceding blanks, and returns the range of the name with its quotes.
    @discardableResult
    package mutating func skipName() throws(Problem) -> Range<Int> {
        skipBlanks()
        guard next == UInt8(ascii: "\"") else { throw problem("a name in double quotes") }
        let name = try skipScalar()
        skipBlanks()
        guard skip(UInt8(ascii: ":")) else { throw problem("':'") }
        return name
    }
}

/// Strings, numbers and literals.
extension JSONScanner {
    /// Skips a string, a number or a literal, and returns its range.
    @discardableResult
    package mutating func skipScalar() throws(Problem) -> Range<Int> {
        let start = position
        switch next {
        case UInt8(ascii: "\"")?: try skipString()
        case UInt8(ascii: "t")?: try skipLiteral("true")
        case UInt8(ascii: "f")?: try skipLiteral("false")
        case UInt8(ascii: "n")?: try skipLiteral("null")
        default: try skipNumber()
        }
        return start..<position
    }

    private mutating func skipLiteral(_ literal: String) throws(Problem) {
        let start = position
        for byte in literal.utf8 where !skip(byte) {
            // Only at the end of the text: elsewhere it is probably an unquoted string.
            if !isAtEnd { position = start }
            throw problem(isAtEnd ? "'\(literal)'" : "a JSON value")
        }
    }

    private mutating func skipNumber() throws(Problem) {
        guard var phase = next.flatMap(JSONNumberPhase.init(first:)) else { throw problem("a JSON value") }
        repeat {
            position += 1
            guard let following = next.flatMap(phase.next) else { break }
            phase = following
        } while true
        if !phase.isComplete { throw problem("a digit") }
    }

    private mutating func skipString() throws(Problem) {
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

    private mutating func skipEscape() throws(Problem) {
        switch JSONEscape(bytes[position...]) {
        case .character(_, let length): position += length
        case .surrogate: position += JSONEscape.surrogateLength
        case .incomplete:
            position = bytes.count
            throw problem("the rest of the escape")
        case .illegal(let index):
            position += index
            throw problem(index == 1 ? "one of \"\\/bfnrtu after the backslash" : "four hexadecimal digits after \\u")
        }
    }
}

extension UInt8 {
    /// Whether the byte is white space between JSON tokens (RFC 8259 §2).
    @inlinable package var isJSONSpace: Bool {
        self == UInt8(ascii: " ") || self == UInt8(ascii: "\n") || self == UInt8(ascii: "\r")
            || self == UInt8(ascii: "\t")
    }
}
