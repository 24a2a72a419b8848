internal import AFJSON

/// The structure between the tokens.
extension JSONFilter {
    typealias Position = UnsafePointer<UInt8>

    /// Processes a byte between two tokens that is not white space, and the token that starts with it.
    ///
    /// - Returns: The position of the next byte; the same position if the byte is invalid.
    @inline(__always)
    mutating func accept(
        _ position: Position,
        to end: Position,
        into buffer: inout OutputBuffer
    ) throws(OutputFailure) -> Position {
        let byte = position.pointee
        switch state {
        case .afterValue:
            if byte == UInt8(ascii: ",") {
                state = containers.isInObject ? .key : .value
                return position + 1
            }
            guard byte == (containers.isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else { break }
            try close(at: position, into: &buffer)
            return position + 1
        case .colon:
            guard byte == UInt8(ascii: ":") else { break }
            state = .value
            return position + 1
        case .firstKey where byte == UInt8(ascii: "}"), .firstElement where byte == UInt8(ascii: "]"):
            try close(at: position, into: &buffer)
            return position + 1
        case .key, .firstKey:
            guard byte == UInt8(ascii: "\"") else { break }
            beginName(at: position)
            return try continueString(position + 1, to: end, into: &buffer)
        case .value, .firstElement, .document: return try beginValue(position, to: end, into: &buffer)
        default: break
        }
        refuse(at: position)
        return position
    }

    @inline(__always)
    private mutating func beginValue(
        _ position: Position,
        to end: Position,
        into buffer: inout OutputBuffer
    ) throws(OutputFailure) -> Position {
        let byte = position.pointee
        guard byte.beginsJSONValue else {
            refuse(at: position)
            return position
        }
        let transition = containers.depth == frames.count ? nextTransition() : JSONFilterProgram.Transition()
        isEmpty = false
        isSelected = transition.isSelected
        if isSelected, !beginMatch(at: position, into: &buffer) { return position }
        isKey = false
        switch byte {
        case UInt8(ascii: "\""): return try continueString(position + 1, to: end, into: &buffer)
        case UInt8(ascii: "{"), UInt8(ascii: "["): return open(position, transition.states)
        case UInt8(ascii: "t"): beginLiteral("true")
        case UInt8(ascii: "f"): beginLiteral("false")
        case UInt8(ascii: "n"): beginLiteral("null")
        default:
            guard let phase = JSONNumberPhase(first: byte) else { return position }
            numberPhase = phase
            state = .number
            return try continueNumber(position + 1, to: end, into: &buffer)
        }
        return try continueLiteral(position + 1, to: end, into: &buffer)
    }

    /// Returns the transition of the next value in the innermost open container, which must have states.
    @inline(__always)
    private mutating func nextTransition() -> JSONFilterProgram.Transition {
        let last = frames.count - 1
        guard last >= 0 else { return program.start }
        guard !containers.isInObject else { return memberTransition }
        let frame = frames[last]
        frames[last].index &+= 1
        return program.element(frame.index, in: frame.states)
    }

    @inline(__always)
    private mutating func open(_ position: Position, _ states: UInt64) -> Position {
        guard !containers.isFull else {
            refuse("less nesting")
            return position
        }
        let isObject = position.pointee == UInt8(ascii: "{")
        if states != 0 { frames.append(Frame(states: states)) }
        containers.push(isObject: isObject)
        state = isObject ? .firstKey : .firstElement
        return position + 1
    }

    @inline(__always)
    private mutating func close(at position: Position, into buffer: inout OutputBuffer) throws(OutputFailure) {
        if containers.depth == frames.count { frames.removeLast() }
        containers.pop()
        state = containers.depth == 0 ? .document : .afterValue
        if matches.isOpen, matches.innermostDepth == containers.depth {
            try endMatch(at: position + 1, into: &buffer)
        }
    }

    /// Ends a scalar.
    ///
    /// - Parameter end: The position after it; `nil` if that is the end of the body.
    @inline(__always)
    mutating func endScalar(_ end: Position?, into buffer: inout OutputBuffer) throws(OutputFailure) {
        state = containers.depth == 0 ? .afterBareDocument : .afterValue
        if isSelected { try endMatch(at: end, into: &buffer) }
    }
}

/// Invalid bytes.
extension JSONFilter {
    /// Stops before an invalid byte.
    mutating func refuse(at position: Position) { refuse(expectation) }

    /// Stops before an invalid byte, with the expected token.
    mutating func refuse(_ expectation: String) {
        failedExpectation = expectation
        state = .failed
    }

    /// Sets the problem.
    mutating func fail(at offset: Int, isAtEnd: Bool = false) {
        state = .failed
        guard problem == nil else { return }
        problem = .invalid(expectation: failedExpectation, offset: offset, isAtEnd: isAtEnd)
    }

    /// The expected token in the current state, as a noun.
    var expectation: String {
        switch state {
        case .firstKey: "a name in double quotes or '}'"
        case .key: "a name in double quotes"
        case .colon: "':'"
        case .firstElement: "a JSON value or ']'"
        case .afterValue: afterValueExpectation
        case .string: "a closing '\"'"
        case .escape: "the rest of the escape"
        case .number: numberPhase.isComplete ? afterValueExpectation : "a digit"
        case .literal: literalLength == literal.utf8CodeUnitCount ? afterValueExpectation : "'\(literal)'"
        case .afterBareDocument: "white space"
        case .mark, .document, .value, .failed: "a JSON value"
        }
    }

    private var afterValueExpectation: String {
        if containers.depth == 0 { return "white space" }
        return containers.isInObject ? "',' or '}'" : "',' or ']'"
    }
}

extension UInt8 {
    /// Whether a value starts with the byte.
    @inline(__always)
    var beginsJSONValue: Bool {
        switch self {
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""), UInt8(ascii: "-"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
            true
        default: false
        }
    }
}

extension UnsafePointer<UInt8> {
    /// Skips white space between JSON tokens.
    @inline(__always)
    func skippingSpace(to end: Self) -> Self {
        var position = self + 1
        // Indentation.
        while end - position >= 8, ByteWord(at: position).value == 0x2020_2020_2020_2020 { position += 8 }
        while position < end, position.pointee.isJSONSpace { position += 1 }
        return position
    }
}
