internal import FoundationEssentials

/// Parses JSON (RFC 8259) into untyped values.
struct JSONReader {
    /// A syntax error with its position.
    struct SyntaxError: LocalizedError, Hashable {
        /// The number of valid bytes before the error.
        let offset: Int
        let isEnd: Bool

        var errorDescription: String? {
            isEnd ? "it ends too early, after byte \(offset)" : "the character at byte \(offset + 1) is not allowed"
        }
    }

    /// The maximum nesting depth, as each level uses the stack.
    private static let maximumDepth = 512

    private let bytes: UnsafeRawBufferPointer
    private let values: any JSONValueBuilder
    private var position = 0
    private var depth = 0

    /// Parses a document.
    ///
    /// - Throws: ``SyntaxError``
    static func read(
        _ data: Data,
        building values: any JSONValueBuilder = SwiftJSONValueBuilder()
    ) throws -> any Sendable {
        try data.withUnsafeBytes { bytes in
            var reader = JSONReader(bytes: bytes, values: values)
            return try reader.document()
        }
    }

    private init(bytes: UnsafeRawBufferPointer, values: any JSONValueBuilder) {
        self.bytes = bytes
        self.values = values
    }

    private mutating func document() throws -> any Sendable {
        // Accepting a byte order mark is optional and harmless (RFC 8259 §8.1).
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        let value = try value()
        skipSpace()
        guard position == bytes.count else { throw wrong }
        return value
    }

    private mutating func value() throws -> any Sendable {
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try array()
        case UInt8(ascii: "\""): return try string()
        case UInt8(ascii: "t"): return try word("true", values.boolean(true))
        case UInt8(ascii: "f"): return try word("false", values.boolean(false))
        case UInt8(ascii: "n"): return try word("null", values.null)
        default: return try number()
        }
    }

    private mutating func object() throws -> [String: any Sendable] {
        try enter()
        var members: [String: any Sendable] = [:]
        skipSpace()
        if !take(UInt8(ascii: "}")) {
            repeat {
                skipSpace()
                guard next == UInt8(ascii: "\"") else { throw wrong }
                let name = try string()
                skipSpace()
                try expect(UInt8(ascii: ":"))
                members[name] = try value()
                skipSpace()
            } while take(UInt8(ascii: ","))
            try expect(UInt8(ascii: "}"))
        }
        depth -= 1
        return members
    }

    private mutating func array() throws -> [any Sendable] {
        try enter()
        var elements: [any Sendable] = []
        skipSpace()
        if !take(UInt8(ascii: "]")) {
            repeat {
                elements.append(try value())
                skipSpace()
            } while take(UInt8(ascii: ","))
            try expect(UInt8(ascii: "]"))
        }
        depth -= 1
        return elements
    }

    private mutating func word(_ word: String, _ value: any Sendable) throws -> any Sendable {
        for byte in word.utf8 { try expect(byte) }
        return value
    }

    private mutating func number() throws -> any Sendable {
        let start = position
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { try digits() }
        var isWhole = true
        if take(UInt8(ascii: ".")) {
            isWhole = false
            try digits()
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            isWhole = false
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try digits()
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isWhole {
            if let number = Int(text) { return values.integer(number) }
            if let number = UInt64(text) { return values.unsignedInteger(number) }
        }
        guard let number = Double(text), number.isFinite else { throw SyntaxError(offset: start, isEnd: false) }
        return values.floatingPoint(number)
    }

    private mutating func digits() throws {
        guard let byte = next, byte.isDigit else { throw wrong }
        while let byte = next, byte.isDigit { position += 1 }
    }

    private mutating func string() throws -> String {
        position += 1
        let start = position
        while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { position += 1 }
        if next == UInt8(ascii: "\"") {
            defer { position += 1 }
            return try text(bytes[start..<position], from: start)
        }
        var unescaped = Array(bytes[start..<position])
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return try text(unescaped, from: start)
            case UInt8(ascii: "\\"): try unescape(into: &unescaped)
            case 0..<0x20: throw wrong
            default:
                unescaped.append(byte)
                position += 1
            }
        }
        throw wrong
    }

    private func text(_ bytes: some Sequence<UInt8>, from start: Int) throws -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw SyntaxError(offset: start, isEnd: false)
        }
        return text
    }

    private mutating func unescape(into text: inout [UInt8]) throws {
        position += 1
        switch next {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(bytes[position])
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            position += 1
            return text.append(contentsOf: String(try escapedScalar()).utf8)
        default: throw wrong
        }
        position += 1
    }

    /// Parses the four digits after `\u`, and the second half of a surrogate pair.
    private mutating func escapedScalar() throws -> Unicode.Scalar {
        let start = position
        var value = try codeUnit()
        if 0xD800..<0xDC00 ~= value {
            try expect(UInt8(ascii: "\\"))
            try expect(UInt8(ascii: "u"))
            let low = try codeUnit()
            guard 0xDC00..<0xE000 ~= low else { throw SyntaxError(offset: start, isEnd: false) }
            value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(value) else { throw SyntaxError(offset: start, isEnd: false) }
        return scalar
    }

    private mutating func codeUnit() throws -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { throw wrong }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }

    // Steps

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private var wrong: SyntaxError { SyntaxError(offset: position, isEnd: position >= bytes.count) }

    private mutating func enter() throws {
        guard depth < Self.maximumDepth else { throw wrong }
        depth += 1
        position += 1
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ byte: UInt8) throws {
        guard take(byte) else { throw wrong }
    }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}
