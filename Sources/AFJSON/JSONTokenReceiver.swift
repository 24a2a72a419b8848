/// Reads JSON texts in chunks and receives their tokens.
///
/// The methods of the extension are generic so that the receiver's methods are inlined: they run for each token.
@usableFromInline package protocol JSONTokenReceiver {
    typealias Position = UnsafePointer<UInt8>
    /// The destination of what is written during a call: the address of a buffer that cannot be copied, or nothing.
    associatedtype Output
    /// The error that the destination throws.
    associatedtype Failure: Error

    var tokenizer: JSONTokenizer { get set }

    /// Receives white space between tokens, or the separator before a text of a sequence.
    mutating func receiveSpace(_ start: Position, to end: Position, into output: Output)

    /// Receives the end of a byte order mark.
    mutating func receiveMark(into output: Output)

    /// Receives the comma or colon at a position; the state is that before it.
    mutating func receiveSeparator(_ position: Position, into output: Output)

    /// Receives the first byte of a value; the state is that before it.
    mutating func beginValue(at position: Position, into output: Output)

    /// Receives the bracket that opens a container, after ``beginValue(at:into:)``.
    mutating func open(at position: Position, into output: Output)

    /// Receives the bracket that closes the innermost container, which is still open.
    mutating func close(at position: Position, into output: Output) throws(Failure)

    /// Receives the opening quote of a name or, after ``beginValue(at:into:)``, of a string.
    mutating func beginString(at position: Position, into output: Output)

    /// Skips to a quote, a backslash, a control character or the end of the chunk.
    mutating func skipStringRun(_ start: Position, to end: Position, into output: Output) -> Position

    /// Receives an escape: a backslash and a character, `\uXXXX`, or a surrogate pair in one chunk.
    mutating func receiveEscape(_ escape: UnsafeBufferPointer<UInt8>, into output: Output)

    /// Receives the closing quote of a name or a string.
    mutating func endString(at position: Position, into output: Output)

    /// Receives a part of a number.
    mutating func receiveNumber(_ start: Position, to end: Position, into output: Output)

    /// Receives the end of a string, a number or a literal, which the state names.
    ///
    /// - Parameter end: The position after it; `nil` if that is the end of the input.
    mutating func endScalar(at end: Position?, into output: Output) throws(Failure)
}

extension JSONTokenReceiver {
    @inlinable package mutating func receiveSpace(_ start: Position, to end: Position, into output: Output) {}
    @inlinable package mutating func receiveMark(into output: Output) {}
    @inlinable package mutating func receiveSeparator(_ position: Position, into output: Output) {}
    @inlinable package mutating func beginValue(at position: Position, into output: Output) {}
    @inlinable package mutating func open(at position: Position, into output: Output) {}
    @inlinable package mutating func close(at position: Position, into output: Output) throws(Failure) {}
    @inlinable package mutating func beginString(at position: Position, into output: Output) {}
    @inlinable package mutating func receiveEscape(_ escape: UnsafeBufferPointer<UInt8>, into output: Output) {}
    @inlinable package mutating func endString(at position: Position, into output: Output) {}
    @inlinable package mutating func receiveNumber(_ start: Position, to end: Position, into output: Output) {}
    @inlinable package mutating func endScalar(at end: Position?, into output: Output) throws(Failure) {}

    @inlinable @inline(__always)
    package mutating func skipStringRun(_ start: Position, to end: Position, into output: Output) -> Position {
        start.skippingStringRun(to: end)
    }
}

extension JSONTokenReceiver {
    /// Reads a chunk up to its end or the first invalid byte.
    ///
    /// - Returns: The position of the first byte that was not read.
    @inlinable @inline(__always)
    package mutating func readTokens(
        _ start: Position,
        to end: Position,
        into output: Output
    ) throws(Failure) -> Position {
        var position = start
        while position < end, tokenizer.failure == nil {
            switch tokenizer.state {
            case .string: position = try continueString(position, to: end, into: output)
            case .number: position = try continueNumber(position, to: end, into: output)
            case .literal: position = try continueLiteral(position, to: end, into: output)
            case .escape: position = continueEscape(position, into: output)
            case .mark, .guardText:
                guard tokenizer.readPrefix(position.pointee) else { continue }
                position += 1
                if tokenizer.state == .mark, tokenizer.markLength == 3 { receiveMark(into: output) }
            default:
                // Most bytes between tokens are above the space.
                if position.pointee <= UInt8(ascii: " "), position.pointee.isJSONSpace {
                    let space = position
                    position = position.skippingSpace(to: end)
                    if tokenizer.state == .afterBareDocument { tokenizer.state = .document }
                    receiveSpace(space, to: position, into: output)
                } else {
                    position = try readToken(position, to: end, into: output)
                }
            }
        }
        return position
    }

    /// Reads the end of the input.
    @inlinable
    package mutating func endTokens(into output: Output) throws(Failure) {
        if tokenizer.mayEndBareDocument {
            try leaveScalar(at: nil, into: output)
        } else if !tokenizer.mayEnd {
            tokenizer.failure = tokenizer.failure ?? .unexpected
        }
    }

    /// Reads a token between two others that is not white space.
    ///
    /// - Returns: The position of the next byte; the same position if the byte is invalid.
    @inlinable @inline(__always)
    mutating func readToken(_ position: Position, to end: Position, into output: Output) throws(Failure) -> Position {
        let byte = position.pointee
        switch tokenizer.state {
        case .afterValue:
            if byte == UInt8(ascii: ",") { return try readComma(position, to: end, into: output) }
            guard byte == (tokenizer.containers.isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else { break }
            return try readClosing(position, into: output)
        case .colon:
            guard byte == UInt8(ascii: ":") else { break }
            receiveSeparator(position, into: output)
            tokenizer.state = .value
            return position + 1
        case .firstKey where byte == UInt8(ascii: "}"), .firstElement where byte == UInt8(ascii: "]"):
            return try readClosing(position, into: output)
        case .key, .firstKey:
            guard byte == UInt8(ascii: "\"") else { break }
            return try readMember(position, to: end, into: output)
        case .value, .firstElement, .document:
            guard byte.beginsJSONValue else { return readRecordSeparator(position, into: output) }
            if tokenizer.state == .document, !tokenizer.beginDocument() { break }
            return try readValue(position, to: end, into: output)
        default: break
        }
        tokenizer.failure = .unexpected
        return position
    }

    /// Reads the separator before a text of a sequence.
    @inlinable
    mutating func readRecordSeparator(_ position: Position, into output: Output) -> Position {
        guard position.pointee == 0x1E, tokenizer.mayBeginRecord else {
            tokenizer.failure = .unexpected
            return position
        }
        receiveSpace(position, to: position + 1, into: output)
        return position + 1
    }

    // Tokens mostly follow each other without white space: reading the next one directly saves choosing by the state.

    @inlinable @inline(__always)
    mutating func readComma(_ position: Position, to end: Position, into output: Output) throws(Failure) -> Position {
        receiveSeparator(position, into: output)
        let next = position + 1
        if tokenizer.containers.isInObject {
            tokenizer.state = .key
            guard next < end, next.pointee == UInt8(ascii: "\"") else { return next }
            return try readMember(next, to: end, into: output)
        } else {
            tokenizer.state = .value
            return next
        }
    }

    /// Reads a name and, if both follow it directly, the colon and the value.
    @inlinable @inline(__always)
    mutating func readMember(_ position: Position, to end: Position, into output: Output) throws(Failure) -> Position {
        tokenizer.isKey = true
        beginString(at: position, into: output)
        let next = try continueString(position + 1, to: end, into: output)
        guard tokenizer.state == .value, next < end, next.pointee.beginsJSONValue else { return next }
        return try readValue(next, to: end, into: output)
    }

    @inlinable @inline(__always)
    mutating func readValue(_ position: Position, to end: Position, into output: Output) throws(Failure) -> Position {
        beginValue(at: position, into: output)
        guard tokenizer.failure == nil else { return position }
        let byte = position.pointee
        switch byte {
        case UInt8(ascii: "\""):
            tokenizer.isKey = false
            beginString(at: position, into: output)
            return try continueString(position + 1, to: end, into: output)
        case UInt8(ascii: "{"), UInt8(ascii: "["): return readOpening(position, into: output)
        case UInt8(ascii: "t"): tokenizer.beginLiteral("true")
        case UInt8(ascii: "f"): tokenizer.beginLiteral("false")
        case UInt8(ascii: "n"): tokenizer.beginLiteral("null")
        default:
            guard let phase = JSONNumberPhase(first: byte) else { return position }
            tokenizer.numberPhase = phase
            tokenizer.state = .number
            receiveNumber(position, to: position + 1, into: output)
            return try continueNumber(position + 1, to: end, into: output)
        }
        return try continueLiteral(position + 1, to: end, into: output)
    }

    @inlinable @inline(__always)
    mutating func readOpening(_ position: Position, into output: Output) -> Position {
        guard !tokenizer.containers.isFull else {
            tokenizer.failure = .nesting
            return position
        }
        let isObject = position.pointee == UInt8(ascii: "{")
        open(at: position, into: output)
        tokenizer.containers.push(isObject: isObject)
        tokenizer.state = isObject ? .firstKey : .firstElement
        return position + 1
    }

    @inlinable @inline(__always)
    mutating func readClosing(_ position: Position, into output: Output) throws(Failure) -> Position {
        try close(at: position, into: output)
        tokenizer.containers.pop()
        tokenizer.state = tokenizer.containers.depth == 0 ? .document : .afterValue
        return position + 1
    }

    @inlinable @inline(__always)
    mutating func leaveScalar(at end: Position?, into output: Output) throws(Failure) {
        try endScalar(at: end, into: output)
        tokenizer.state = tokenizer.containers.depth == 0 ? .afterBareDocument : .afterValue
    }
}

/// Receivers that store tokens.
extension JSONTokenReceiver where Output == Void, Failure == Never {
    /// Reads a complete input.
    ///
    /// - Throws: ``JSONSyntaxError`` with the first invalid byte.
    package mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) throws(JSONSyntaxError) {
        var count = 0
        if let start = bytes.baseAddress { count = readTokens(start, to: start + bytes.count, into: ()) - start }
        if tokenizer.failure == nil { endTokens(into: ()) }
        if tokenizer.failure != nil { throw tokenizer.error(at: count, isAtEnd: count == bytes.count) }
    }
}

/// Strings, numbers and literals, which chunks may split anywhere.
extension JSONTokenReceiver {
    /// Reads a string up to its end, an invalid byte or the end of the chunk.
    @inlinable @inline(__always)
    mutating func continueString(_ start: Position, to end: Position, into output: Output) throws(Failure) -> Position {
        tokenizer.state = .string
        var position = start
        while true {
            position = skipStringRun(position, to: end, into: output)
            guard position < end else { return position }
            switch position.pointee {
            case UInt8(ascii: "\""):
                endString(at: position, into: output)
                position += 1
                guard tokenizer.isKey else {
                    try leaveScalar(at: position, into: output)
                    return position
                }
                tokenizer.state = .colon
                // The colon mostly follows directly.
                guard position < end, position.pointee == UInt8(ascii: ":") else { return position }
                receiveSeparator(position, into: output)
                tokenizer.state = .value
                return position + 1
            case UInt8(ascii: "\\"):
                if let length = position.escapeLength(to: end) {
                    receiveEscape(UnsafeBufferPointer(start: position, count: length), into: output)
                    position += length
                    continue
                }
                tokenizer.state = .escape
                while position < end, tokenizer.state == .escape, tokenizer.failure == nil {
                    position = continueEscape(position, into: output)
                }
                if tokenizer.state != .string { return position }
            default:
                tokenizer.failure = .controlCharacter
                return position
            }
        }
    }

    /// Reads a byte of an escape.
    @inlinable
    mutating func continueEscape(_ position: Position, into output: Output) -> Position {
        if let escape = tokenizer.readEscape(position.pointee) {
            escape.withUnsafeBufferPointer { receiveEscape($0, into: output) }
        }
        return tokenizer.failure == nil ? position + 1 : position
    }

    @inlinable @inline(__always)
    mutating func continueNumber(_ start: Position, to end: Position, into output: Output) throws(Failure) -> Position {
        let position = tokenizer.continueNumber(start, to: end)
        receiveNumber(start, to: position, into: output)
        return try endBareToken(position, isComplete: tokenizer.numberPhase.isComplete, to: end, into: output)
    }

    /// Reads a literal, whose end is known from the next byte: `nullx` is not a value.
    @inlinable
    mutating func continueLiteral(
        _ start: Position,
        to end: Position,
        into output: Output
    ) throws(Failure) -> Position {
        let position = tokenizer.continueLiteral(start, to: end)
        return try endBareToken(position, isComplete: tokenizer.isLiteralComplete, to: end, into: output)
    }

    @inlinable @inline(__always)
    mutating func endBareToken(
        _ position: Position,
        isComplete: Bool,
        to end: Position,
        into output: Output
    ) throws(Failure) -> Position {
        guard position < end else { return position }
        if isComplete, position.pointee.endsBareToken {
            try leaveScalar(at: position, into: output)
        } else {
            tokenizer.failure = .unexpected
        }
        return position
    }
}
