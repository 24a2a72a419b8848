internal import AFHTTP
public import CBytes

/// The parse state of JSON texts (RFC 8259) that arrive in chunks; ``JSONTokenReceiver`` reads them.
///
/// A byte order mark before the first text is skipped. White space, the record separator of a sequence (RFC 7464), or
/// nothing separates texts; white space must follow a scalar at the top level: `12:30` and `2024-01-01` are not JSON.
///
/// Strings may contain any bytes from the space on: whether they are UTF-8 is decided where they are decoded.
@usableFromInline package struct JSONTokenizer: Sendable {
    @usableFromInline package enum State: Sendable {
        // Before, between and after texts
        case mark, guardText, document, afterBareDocument
        // Inside a container, between tokens
        case firstKey, key, colon, firstElement, value, afterValue
        // Inside a token
        case string, escape, number, literal

        /// Whether the next byte belongs to a token of a container, of which none was read.
        @inlinable @inline(__always)
        var isInContainer: Bool {
            switch self {
            case .firstKey, .key, .colon, .firstElement, .value, .afterValue: true
            default: false
            }
        }

        /// Whether white space may precede the next byte.
        @inlinable @inline(__always)
        var allowsSpace: Bool {
            switch self {
            case .mark, .guardText, .string, .escape, .number, .literal: false
            default: true
            }
        }
    }

    /// The reason why a byte is invalid.
    @usableFromInline package enum Failure: Sendable {
        /// The state does not allow the byte, or the end.
        case unexpected
        case controlCharacter, escapedCharacter, hexadecimalDigit
        /// Too many containers are open.
        case nesting
        /// The receiver stopped for a reason of its own.
        case stopped
    }

    package static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    /// The text before JSON that keeps pages of other sites from running it as a script; the comma may be missing.
    private static let guardText = Array(")]}',".utf8)

    /// Whether the input is one text.
    private let isSingle: Bool
    private let acceptsGuard: Bool

    /// The state, which a failure does not change.
    @usableFromInline package var state = State.mark
    /// The reason why reading stopped.
    @usableFromInline package var failure: Failure?
    @usableFromInline package var containers: ContainerStack
    /// Whether the current string is a member's name.
    @usableFromInline package var isKey = false
    @usableFromInline package var numberPhase = JSONNumberPhase.zero
    @usableFromInline package var literal = JSONLiteral.null
    /// The number of bytes of the literal that were read.
    @usableFromInline var literalLength = 0
    /// The bytes of an escape whose end has not arrived.
    @usableFromInline package var escape: [UInt8] = []
    /// The number of bytes of the byte order mark, and of the guard, that were read.
    @usableFromInline package private(set) var markLength = 0
    package private(set) var guardLength = 0
    /// The number of texts that were begun.
    package private(set) var documentCount = 0

    /// Creates the state at the start of the input.
    ///
    /// - Parameters:
    ///   - isSingle: Whether the input must be one text; otherwise any number of them.
    ///   - acceptsGuard: Whether a guard may precede the first text, such as `)]}',`.
    ///   - maximumDepth: The maximum number of open containers.
    package init(isSingle: Bool = false, acceptsGuard: Bool = false, maximumDepth: Int = ContainerStack.maximumDepth) {
        self.isSingle = isSingle
        self.acceptsGuard = acceptsGuard
        containers = ContainerStack(limit: maximumDepth)
    }

    /// The bytes of the literal that were read.
    package var readLiteral: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: literal.text.utf8Start, count: literalLength)
    }

    @inlinable @inline(__always)
    package var isLiteralComplete: Bool { literalLength == literal.length }

    /// Whether the input may end here, apart from a number or a literal whose end must be received first.
    @usableFromInline package var mayEnd: Bool {
        switch state {
        case .mark where markLength % 3 != 0, .guardText where isInGuard: false
        case .mark, .guardText, .document, .afterBareDocument: !isSingle || documentCount > 0
        default: false
        }
    }

    /// Whether a part of a guard was read.
    private var isInGuard: Bool { 1..<Self.guardText.count - 1 ~= guardLength }

    /// Whether the input may end here, after a number or a literal.
    @usableFromInline package var mayEndBareDocument: Bool {
        guard containers.depth == 0 else { return false }
        return state == .number && numberPhase.isComplete || state == .literal && isLiteralComplete
    }

    /// Reads a byte of the byte order mark or the guard; returns `false` if it belongs to neither.
    @usableFromInline package mutating func readPrefix(_ byte: UInt8) -> Bool {
        if state == .mark {
            if markLength < 3, byte == Self.byteOrderMark[markLength] {
                markLength += 1
                return true
            }
            if markLength % 3 != 0 { failure = .unexpected } else { state = acceptsGuard ? .guardText : .document }
        } else {
            if guardLength < Self.guardText.count, byte == Self.guardText[guardLength] {
                guardLength += 1
                return true
            }
            if isInGuard { failure = .unexpected } else { state = .document }
        }
        return false
    }

    /// Whether a record separator may follow.
    @usableFromInline package var mayBeginRecord: Bool { !isSingle && state == .document }

    /// Notes the start of a text; returns `false` if the input may not have another one.
    @usableFromInline package mutating func beginDocument() -> Bool {
        guard !isSingle || documentCount == 0 else { return false }
        documentCount += 1
        return true
    }

    /// Reads a byte of an escape that a chunk splits; returns the escape if it is complete.
    @usableFromInline package mutating func readEscape(_ byte: UInt8) -> [UInt8]? {
        let isValid =
            switch escape.count {
            case 0: true
            case 1: byte == UInt8(ascii: "u") || byte.escapedCharacter != nil
            default: byte.hexadecimalValue != nil
            }
        guard isValid else {
            failure = escape.count == 1 ? .escapedCharacter : .hexadecimalDigit
            return nil
        }
        escape.append(byte)
        let length = escape.count > 1 && escape[1] == UInt8(ascii: "u") ? JSONEscape.surrogateLength : 2
        guard escape.count == length else { return nil }
        defer { escape = [] }
        state = .string
        return escape
    }

    @inlinable @inline(__always)
    package mutating func beginLiteral(_ literal: JSONLiteral) {
        self.literal = literal
        literalLength = 1
        state = .literal
    }

    /// Reads the literal up to its end, the end of the chunk, or an invalid byte.
    @inlinable @inline(__always)
    package mutating func continueLiteral(
        _ start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>
    ) -> UnsafePointer<UInt8> {
        guard literalLength == 1, end - start >= 4, literal.isContinued(at: start) else {
            return continueSplitLiteral(start, to: end)
        }
        literalLength = literal.length
        return start + (literal.length - 1)
    }

    @usableFromInline mutating func continueSplitLiteral(
        _ start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>
    ) -> UnsafePointer<UInt8> {
        var position = start
        while position < end, !isLiteralComplete, position.pointee == literal.text.utf8Start[literalLength] {
            literalLength += 1
            position += 1
        }
        return position
    }

    @inlinable @inline(__always)
    package mutating func beginNumber() {
        numberPhase = .start
        state = .number
    }

    /// Reads the number up to its end, the end of the chunk, or an invalid byte.
    @inlinable @inline(__always)
    package mutating func continueNumber(
        _ start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>
    ) -> UnsafePointer<UInt8> {
        var position = start
        var phase = numberPhase
        while position < end {
            if phase.takesDigits { position = position.skippingDigits(to: end) }
            guard position < end, let next = phase.next(position.pointee) else { break }
            phase = next
            position += 1
        }
        numberPhase = phase
        return position
    }

    /// Returns the failure as an error.
    ///
    /// - Parameters:
    ///   - offset: The offset of the byte where reading stopped.
    ///   - isAtEnd: Whether that is the end of the input.
    package func error(at offset: Int, isAtEnd: Bool) -> JSONSyntaxError {
        // A literal with another byte is probably an unquoted string.
        if !isAtEnd, failure == .unexpected, let length = lengthOfOtherText {
            return JSONSyntaxError(expectation: "a JSON value", offset: offset - length, isAtEnd: false)
        }
        return JSONSyntaxError(expectation: expectation, offset: offset, isAtEnd: isAtEnd)
    }

    /// The number of bytes that were read and, before the invalid one, are no start of JSON.
    private var lengthOfOtherText: Int? {
        switch state {
        case .literal: isLiteralComplete ? nil : literalLength
        case .mark: markLength
        case .guardText: guardLength
        default: nil
        }
    }

    private var expectation: String {
        switch failure {
        case .controlCharacter: "an escape such as \\n in the place of a control character"
        case .escapedCharacter: "one of \"\\/bfnrtu after the backslash"
        case .hexadecimalDigit: "four hexadecimal digits after \\u"
        case .nesting: "less nesting"
        case .unexpected, .stopped, nil: expectedToken
        }
    }

    private var expectedToken: String {
        switch state {
        case .firstKey: "a name in double quotes or '}'"
        case .key: "a name in double quotes"
        case .colon: "':'"
        case .firstElement: "a JSON value or ']'"
        case .afterValue: separator
        case .string: "a closing '\"'"
        case .escape: "the rest of the escape"
        case .number: numberPhase.isComplete ? separator : "a digit"
        case .literal: isLiteralComplete ? separator : "'\(literal.text)'"
        case .afterBareDocument: separator
        case .document where isSingle && documentCount > 0: separator
        case .mark, .guardText, .document, .value: "a JSON value"
        }
    }

    private var separator: String {
        if containers.depth == 0 { return isSingle ? "the end of the JSON text" : "white space" }
        return containers.isInObject ? "',' or '}'" : "',' or ']'"
    }
}

/// An error in JSON text.
package struct JSONSyntaxError: Error, Hashable, Sendable {
    /// The expected token, as a noun.
    package let expectation: String
    /// The offset of the first invalid byte, or the length of a text that ends too early.
    package let offset: Int
    /// Whether the text ends too early.
    package let isAtEnd: Bool

    package init(expectation: String, offset: Int, isAtEnd: Bool) {
        (self.expectation, self.offset, self.isAtEnd) = (expectation, offset, isAtEnd)
    }

    /// Returns the part of its line before it.
    package func lineStart(in bytes: [UInt8]) -> String {
        let start = bytes[..<offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }
}

extension UInt8 {
    /// Whether the byte is white space between JSON tokens (RFC 8259 §2).
    @inlinable package var isJSONSpace: Bool {
        self == UInt8(ascii: " ") || self == UInt8(ascii: "\n") || self == UInt8(ascii: "\r")
            || self == UInt8(ascii: "\t")
    }

    /// Whether a value starts with the byte.
    @inlinable @inline(__always)
    package var beginsJSONValue: Bool {
        af_begins_value(self)
    }

    /// Whether a number or a literal may end before the byte.
    @inlinable @inline(__always)
    package var endsBareToken: Bool {
        self == UInt8(ascii: ",") || self == UInt8(ascii: "}") || self == UInt8(ascii: "]") || isJSONSpace
    }

    @inlinable @inline(__always)
    package var endsStringRun: Bool { self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\") || self < 0x20 }
}

extension UnsafePointer<UInt8> {
    /// Skips to a quote, a backslash or a control character.
    @inlinable @inline(__always)
    package func skippingStringRun(to end: Self) -> Self {
        var position = self
        while end - position >= ByteBlock.size {
            let ends = ByteBlock(at: position).endsOfStringRun
            if ends != 0 { return position + ends.trailingZeroBitCount }
            position += ByteBlock.size
        }
        while position < end, !position.pointee.endsStringRun { position += 1 }
        return position
    }

    @inlinable @inline(__always)
    package func skippingDigits(to end: Self) -> Self {
        var position = self
        while end - position >= ByteBlock.size {
            let ends = ByteBlock(at: position).nonDigits
            if ends != 0 { return position + ends.trailingZeroBitCount }
            position += ByteBlock.size
        }
        while position < end, position.pointee &- UInt8(ascii: "0") < 10 { position += 1 }
        return position
    }

    /// Returns the end of a number without exponent of at most 16 bytes; `nil` if it may be longer or invalid.
    @inlinable @inline(__always)
    package func endOfShortNumber(before end: Self) -> Self? {
        guard end - self > ByteBlock.size else { return nil }
        let digits = pointee == UInt8(ascii: "-") ? self + 1 : self
        let ends = ByteBlock(at: digits).nonDigits
        var length = ends.trailingZeroBitCount
        guard length == 1 || digits.pointee != UInt8(ascii: "0"), 1..<ByteBlock.size ~= length else { return nil }
        if digits[length] == UInt8(ascii: ".") {
            let point = length
            length = (ends & (ends &- 1)).trailingZeroBitCount
            guard point + 1 < length, length < ByteBlock.size else { return nil }
        }
        return digits[length].endsBareToken ? digits + length : nil
    }

    /// Skips white space between JSON tokens.
    @inlinable @inline(__always)
    package func skippingSpace(to end: Self) -> Self {
        var position = self + 1
        while end - position >= ByteBlock.size {
            let ends = ByteBlock(at: position).nonSpaces
            if ends != 0 { return position + ends.trailingZeroBitCount }
            position += ByteBlock.size
        }
        while position < end, position.pointee.isJSONSpace { position += 1 }
        return position
    }
}
