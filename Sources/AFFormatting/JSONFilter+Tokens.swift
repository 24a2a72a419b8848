internal import AFJSON

/// Strings, numbers and literals, which chunks may split anywhere.
extension JSONFilter {
    /// Starts the name of a member, which is captured if it matters.
    @inline(__always)
    mutating func beginName(at position: Position) {
        isKey = true
        guard containers.depth == frames.count, let states = frames.last?.states else { return }
        if program.needsNames(in: states) {
            name.begin(at: position)
        } else {
            memberTransition = program.unnamedMember(in: states)
        }
    }

    /// Skips a string up to its end, or an invalid byte.
    @inline(__always)
    mutating func continueString(
        _ start: Position,
        to end: Position,
        into buffer: inout OutputBuffer
    ) throws(OutputFailure) -> Position {
        state = .string
        var position = start
        while true {
            position = position.skippingStringRun(to: end)
            guard position < end else { return position }
            switch position.pointee {
            case UInt8(ascii: "\""):
                position += 1
                try endString(at: position, into: &buffer)
                // The colon mostly follows directly.
                if state == .colon, position < end, position.pointee == UInt8(ascii: ":") {
                    state = .value
                    position += 1
                }
                return position
            case UInt8(ascii: "\\"):
                name.hasEscape = true
                if end - position > 1, position[1].isEscapedAlone {
                    position += 2
                    continue
                }
                escapeDigits = nil
                state = .escape
                position += 1
                while position < end, state == .escape { position = continueEscape(position) }
                if state != .string { return position }
            default:
                refuse("an escape such as \\n in the place of a control character")
                return position
            }
        }
    }

    @inline(__always)
    private mutating func endString(at end: Position, into buffer: inout OutputBuffer) throws(OutputFailure) {
        guard isKey else { return try endScalar(end, into: &buffer) }
        state = .colon
        guard name.isOpen, let states = frames.last?.states else { return }
        memberTransition = name.end(at: end, program, in: states)
    }

    /// Skips a byte after a backslash.
    mutating func continueEscape(_ position: Position) -> Position {
        let byte = position.pointee
        if let digits = escapeDigits {
            guard byte.isHexadecimal else {
                refuse("four hexadecimal digits after \\u")
                return position
            }
            escapeDigits = digits - 1
            if digits == 1 { state = .string }
            return position + 1
        }
        if byte == UInt8(ascii: "u") {
            escapeDigits = 4
        } else if byte.isEscapedAlone {
            state = .string
        } else {
            refuse("one of \"\\/bfnrtu after the backslash")
            return position
        }
        return position + 1
    }

    @inline(__always)
    mutating func continueNumber(
        _ start: Position,
        to end: Position,
        into buffer: inout OutputBuffer
    ) throws(OutputFailure) -> Position {
        var position = start
        var phase = numberPhase
        while position < end {
            let byte = position.pointee
            if !(phase.takesDigits && byte &- UInt8(ascii: "0") < 10) {
                guard let next = phase.next(byte) else { break }
                phase = next
            }
            position += 1
        }
        numberPhase = phase
        guard position < end else { return position }
        guard phase.isComplete, endsBareToken(position.pointee) else {
            refuse(expectation)
            return position
        }
        try endScalar(position, into: &buffer)
        return position
    }

    mutating func beginLiteral(_ literal: StaticString) {
        self.literal = literal
        literalLength = 1
        state = .literal
    }

    /// Skips a literal, whose end is known from the next byte: `nullx` is not a value.
    mutating func continueLiteral(
        _ start: Position,
        to end: Position,
        into buffer: inout OutputBuffer
    ) throws(OutputFailure) -> Position {
        var position = start
        while position < end, literalLength < literal.utf8CodeUnitCount {
            guard position.pointee == literal.utf8Start[literalLength] else {
                refuse("a JSON value")
                return position
            }
            literalLength += 1
            position += 1
        }
        guard position < end else { return position }
        guard endsBareToken(position.pointee) else {
            refuse("a JSON value")
            return position
        }
        try endScalar(position, into: &buffer)
        return position
    }

    /// Whether a number or a literal may end before the byte.
    @inline(__always)
    private func endsBareToken(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") || byte.isJSONSpace
    }
}

extension UInt8 {
    /// Whether the byte is a complete escape after a backslash.
    @inline(__always)
    fileprivate var isEscapedAlone: Bool {
        switch self {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            true
        default: false
        }
    }

    fileprivate var isHexadecimal: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "F"),
            UInt8(ascii: "a")...UInt8(ascii: "f"):
            true
        default: false
        }
    }
}

/// The name of a member, which chunks may split.
struct CapturedName {
    /// The maximum length as written, with quotes: an escape is at most six times as long as its character.
    private let limit: Int
    /// The bytes of earlier chunks, with the opening quote.
    private var bytes: [UInt8] = []
    /// The position of the opening quote, or the start of the chunk.
    private var start: UnsafePointer<UInt8>?
    private(set) var isOpen = false
    /// Whether the name has a backslash.
    var hasEscape = false

    /// Creates a capture.
    ///
    /// - Parameter longestName: The length of the longest name that matters, in bytes.
    init(longestName: Int) { limit = 6 * longestName + 2 }

    @inline(__always)
    mutating func begin(at position: UnsafePointer<UInt8>) {
        start = position
        isOpen = true
        hasEscape = false
    }

    /// Continues at the start of a chunk.
    mutating func resume(at position: UnsafePointer<UInt8>) { start = position }

    /// Keeps the part that the current chunk has.
    mutating func pause(at end: UnsafePointer<UInt8>) {
        guard isOpen, let start else { return }
        // One byte above the limit is sufficient to exceed it.
        bytes += UnsafeBufferPointer(start: start, count: min(end - start, max(limit + 1 - bytes.count, 0)))
    }

    /// Ends the name, and returns the transition of its member.
    @inline(__always)
    mutating func end(
        at end: UnsafePointer<UInt8>,
        _ program: JSONFilterProgram,
        in states: UInt64
    ) -> JSONFilterProgram.Transition {
        isOpen = false
        let start = start ?? end
        let part = UnsafeBufferPointer(start: start, count: end - start)
        if bytes.isEmpty, !hasEscape {
            return program.member(UnsafeRawBufferPointer(start: start + 1, count: part.count - 2), in: states)
        }
        guard let name = decoded(with: part) else { return program.unnamedMember(in: states) }
        return name.withUnsafeBytes { program.member($0, in: states) }
    }

    /// Returns the name without quotes and escapes; `nil` if it is too long to matter.
    @inline(never)
    private mutating func decoded(with part: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        let whole = bytes + part.prefix(max(limit + 1 - bytes.count, 0))
        bytes.removeAll(keepingCapacity: true)
        return whole.count > limit ? nil : JSONEscape.unescaped(whole[...])
    }
}
