/// Reads JSON texts in chunks and receives their tokens.
///
/// The methods of the extension are generic so that the receiver's methods are inlined: they run for each token.
@usableFromInline package protocol JSONTokenReceiver {
    typealias Position = UnsafePointer<UInt8>
    /// The destination of what is written during a call: a cursor, the address of a buffer, or nothing.
    associatedtype Output
    /// The error that the destination throws.
    associatedtype Failure: Error

    var tokenizer: JSONTokenizer { get set }

    /// Receives white space between tokens, or the separator before a text of a sequence.
    mutating func receiveSpace(_ start: Position, to end: Position, into output: inout Output)

    /// Receives the end of a byte order mark.
    mutating func receiveMark(into output: inout Output)

    mutating func receiveComma(into output: inout Output)

    mutating func receiveColon(into output: inout Output)

    /// Receives the first byte of a value; the state is that before it.
    mutating func beginValue(at position: Position, into output: inout Output)

    /// Receives the bracket that opens a container, after ``beginValue(at:into:)``.
    mutating func open(at position: Position, into output: inout Output)

    /// Receives the bracket that closes the innermost container, which is still open.
    mutating func close(at position: Position, into output: inout Output) throws(Failure)

    /// Receives the opening quote of a name or, after ``beginValue(at:into:)``, of a string.
    mutating func beginString(at position: Position, into output: inout Output)

    /// Receives a name or a string without escapes, with its quotes, in a chunk that ends at `chunkEnd`.
    mutating func receiveString(
        _ start: Position, to end: Position, before chunkEnd: Position, into output: inout Output)

    /// Skips to a quote, a backslash, a control character or the end of the chunk. It may read escapes, too.
    mutating func skipStringRun(_ start: Position, to end: Position, into output: inout Output) -> Position

    /// Receives an escape and its notation: a backslash and a character, `\uXXXX`, or a surrogate pair in one chunk. The
    /// escape is incomplete if the chunk ends after a high surrogate.
    mutating func receiveEscape(_ escape: JSONEscape, _ notation: UnsafeBufferPointer<UInt8>, into output: inout Output)

    /// Receives the closing quote of a name or a string.
    mutating func endString(at position: Position, into output: inout Output)

    /// Receives the start of a number, after ``beginValue(at:into:)``.
    mutating func beginNumber(into output: inout Output)

    /// Receives a part of a number, in a chunk that ends at `chunkEnd`.
    mutating func receiveNumber(
        _ start: Position, to end: Position, before chunkEnd: Position, into output: inout Output)

    /// Receives the end of a string, a number or a literal, which the state names.
    ///
    /// - Parameter end: The position after it; `nil` if that is the end of the input.
    mutating func endScalar(at end: Position?, into output: inout Output) throws(Failure)
}

extension JSONTokenReceiver {
    @inlinable package mutating func receiveSpace(_ start: Position, to end: Position, into output: inout Output) {}
    @inlinable package mutating func receiveMark(into output: inout Output) {}
    @inlinable package mutating func receiveComma(into output: inout Output) {}
    @inlinable package mutating func receiveColon(into output: inout Output) {}
    @inlinable package mutating func beginValue(at position: Position, into output: inout Output) {}
    @inlinable package mutating func open(at position: Position, into output: inout Output) {}
    @inlinable package mutating func close(at position: Position, into output: inout Output) throws(Failure) {}
    @inlinable package mutating func beginString(at position: Position, into output: inout Output) {}
    @inlinable @inline(__always)
    package mutating func receiveString(
        _ start: Position, to end: Position, before chunkEnd: Position, into output: inout Output
    ) {
        beginString(at: start, into: &output)
        endString(at: end - 1, into: &output)
    }

    @inlinable package mutating func receiveEscape(
        _ escape: JSONEscape, _ notation: UnsafeBufferPointer<UInt8>, into output: inout Output
    ) {}
    @inlinable package mutating func endString(at position: Position, into output: inout Output) {}
    @inlinable package mutating func beginNumber(into output: inout Output) {}
    @inlinable package mutating func receiveNumber(
        _ start: Position, to end: Position, before chunkEnd: Position, into output: inout Output
    ) {}
    @inlinable package mutating func endScalar(at end: Position?, into output: inout Output) throws(Failure) {}

    @inlinable @inline(__always)
    package mutating func skipStringRun(_ start: Position, to end: Position, into output: inout Output) -> Position {
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
        into output: inout Output
    ) throws(Failure) -> Position {
        var position = start
        while position < end, tokenizer.failure == nil {
            if tokenizer.state.isInContainer, end - position > Self.lookahead {
                position = try readShortTokens(position, to: end, into: &output)
                // White space may reach the end.
                guard position < end, tokenizer.failure == nil else { break }
            }
            let byte = position.pointee
            switch tokenizer.state {
            case let state where byte <= UInt8(ascii: " ") && byte.isJSONSpace && state.allowsSpace:
                position = readSpace(position, to: end, into: &output)
            case .afterValue where byte == UInt8(ascii: ","):
                receiveComma(into: &output)
                tokenizer.state = tokenizer.containers.isInObject ? .key : .value
                position += 1
            case .afterValue where byte == (tokenizer.containers.isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]")),
                .firstKey where byte == UInt8(ascii: "}"), .firstElement where byte == UInt8(ascii: "]"):
                try readClosing(position, into: &output)
                position += 1
            case .key where byte == UInt8(ascii: "\""), .firstKey where byte == UInt8(ascii: "\""):
                position = readQuote(position, isKey: true, into: &output)
            case .colon where byte == UInt8(ascii: ":"):
                receiveColon(into: &output)
                tokenizer.state = .value
                position += 1
            case .value, .firstElement, .document: position = beginToken(position, into: &output)
            case .string: position = try continueString(position, to: end, into: &output)
            case .number: position = try continueNumber(position, to: end, into: &output)
            case .literal: position = try continueLiteral(position, to: end, into: &output)
            case .escape: position = continueEscape(position, into: &output)
            case .mark, .guardText: position = readPrefix(position, into: &output)
            default: tokenizer.failure = .unexpected
            }
        }
        return position
    }

    /// Reads the end of the input.
    @inlinable
    package mutating func endTokens(into output: inout Output) throws(Failure) {
        if tokenizer.mayEndBareDocument {
            try leaveScalar(at: nil, into: &output)
        } else if !tokenizer.mayEnd {
            tokenizer.failure = tokenizer.failure ?? .unexpected
        }
    }

    @inlinable
    mutating func readPrefix(_ position: Position, into output: inout Output) -> Position {
        guard tokenizer.readPrefix(position.pointee) else { return position }
        if tokenizer.state == .mark, tokenizer.markLength == 3 { receiveMark(into: &output) }
        return position + 1
    }

    /// Reads white space between tokens.
    @inlinable @inline(__always)
    mutating func readSpace(_ start: Position, to end: Position, into output: inout Output) -> Position {
        let position = start.skippingSpace(to: end)
        if tokenizer.state == .afterBareDocument { tokenizer.state = .document }
        receiveSpace(start, to: position, into: &output)
        return position
    }

    /// Reads the first byte of a value, except for that of a number, which is read with it.
    @inlinable @inline(__always)
    mutating func beginToken(_ position: Position, into output: inout Output) -> Position {
        let byte = position.pointee
        guard byte.beginsJSONValue else { return readRecordSeparator(position, into: &output) }
        if tokenizer.state == .document, !tokenizer.beginDocument() {
            tokenizer.failure = .unexpected
            return position
        }
        beginValue(at: position, into: &output)
        guard tokenizer.failure == nil else { return position }
        switch byte {
        case UInt8(ascii: "\""): return readQuote(position, isKey: false, into: &output)
        case UInt8(ascii: "{"), UInt8(ascii: "["): return readOpening(position, into: &output)
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
            tokenizer.beginLiteral(JSONLiteral(first: byte))
            return position + 1
        default:
            beginNumber(into: &output)
            tokenizer.beginNumber()
            return position
        }
    }

    @inlinable @inline(__always)
    mutating func readQuote(_ position: Position, isKey: Bool, into output: inout Output) -> Position {
        tokenizer.isKey = isKey
        beginString(at: position, into: &output)
        tokenizer.state = .string
        return position + 1
    }

    /// Reads the colon after a name if it follows directly.
    @inlinable @inline(__always)
    mutating func readColon(_ position: Position, to end: Position, into output: inout Output) -> Position {
        tokenizer.state = .colon
        guard position < end, position.pointee == UInt8(ascii: ":") else { return position }
        receiveColon(into: &output)
        tokenizer.state = .value
        return position + 1
    }

    /// Reads the separator before a text of a sequence.
    @inlinable
    mutating func readRecordSeparator(_ position: Position, into output: inout Output) -> Position {
        guard position.pointee == 0x1E, tokenizer.mayBeginRecord else {
            tokenizer.failure = .unexpected
            return position
        }
        receiveSpace(position, to: position + 1, into: &output)
        return position + 1
    }

    @inlinable @inline(__always)
    mutating func readOpening(_ position: Position, into output: inout Output) -> Position {
        guard !tokenizer.containers.isFull else {
            tokenizer.failure = .nesting
            return position
        }
        let isObject = position.pointee == UInt8(ascii: "{")
        open(at: position, into: &output)
        tokenizer.containers.push(isObject: isObject)
        tokenizer.state = isObject ? .firstKey : .firstElement
        return position + 1
    }

    @inlinable @inline(__always)
    mutating func readClosing(_ position: Position, into output: inout Output) throws(Failure) {
        try close(at: position, into: &output)
        tokenizer.containers.pop()
        tokenizer.state = tokenizer.containers.depth == 0 ? .document : .afterValue
    }

    @inlinable @inline(__always)
    mutating func leaveScalar(at end: Position?, into output: inout Output) throws(Failure) {
        try endScalar(at: end, into: &output)
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
        var nothing: Void = ()
        if let start = bytes.baseAddress { count = readTokens(start, to: start + bytes.count, into: &nothing) - start }
        if tokenizer.failure == nil { endTokens(into: &nothing) }
        if tokenizer.failure != nil { throw tokenizer.error(at: count, isAtEnd: count == bytes.count) }
    }
}

/// Strings, numbers and literals, which chunks may split anywhere.
extension JSONTokenReceiver {
    /// Reads a string up to its end, an invalid byte or the end of the chunk.
    @inlinable @inline(__always)
    mutating func continueString(
        _ start: Position,
        to end: Position,
        into destination: inout Output
    ) throws(Failure) -> Position {
        // A local value stays in registers.
        var output = destination
        defer { destination = output }
        var position = start
        while true {
            position = skipStringRun(position, to: end, into: &output)
            // Escapes often follow each other.
            while position < end, position.pointee == UInt8(ascii: "\\") {
                let escape = JSONEscape(at: position, to: end)
                if let length = escape.length {
                    receiveEscape(escape, UnsafeBufferPointer(start: position, count: length), into: &output)
                    position += length
                    continue
                }
                tokenizer.state = .escape
                while position < end, tokenizer.state == .escape, tokenizer.failure == nil {
                    position = continueEscape(position, into: &output)
                }
                if tokenizer.state != .string { return position }
            }
            guard position < end else { return position }
            if position.pointee == UInt8(ascii: "\"") { break }
            if position.pointee < 0x20 {
                tokenizer.failure = .controlCharacter
                return position
            }
        }
        endString(at: position, into: &output)
        position += 1
        if tokenizer.isKey { return readColon(position, to: end, into: &output) }
        try leaveScalar(at: position, into: &output)
        return position
    }

    /// Reads a byte of an escape.
    @inlinable
    mutating func continueEscape(_ position: Position, into output: inout Output) -> Position {
        if let escape = tokenizer.readEscape(position.pointee) {
            escape.withUnsafeBufferPointer { receiveEscape(JSONEscape($0), $0, into: &output) }
        }
        return tokenizer.failure == nil ? position + 1 : position
    }

    @inlinable @inline(__always)
    mutating func continueNumber(
        _ start: Position,
        to end: Position,
        into output: inout Output
    ) throws(Failure) -> Position {
        let position = tokenizer.continueNumber(start, to: end)
        receiveNumber(start, to: position, before: end, into: &output)
        return try endBareToken(position, isComplete: tokenizer.numberPhase.isComplete, to: end, into: &output)
    }

    /// Reads a literal, whose end is known from the next byte: `nullx` is not a value.
    @inlinable @inline(__always)
    mutating func continueLiteral(
        _ start: Position,
        to end: Position,
        into output: inout Output
    ) throws(Failure) -> Position {
        let position = tokenizer.continueLiteral(start, to: end)
        return try endBareToken(position, isComplete: tokenizer.isLiteralComplete, to: end, into: &output)
    }

    @inlinable @inline(__always)
    mutating func endBareToken(
        _ position: Position,
        isComplete: Bool,
        to end: Position,
        into output: inout Output
    ) throws(Failure) -> Position {
        guard position < end else { return position }
        if isComplete, position.pointee.endsBareToken {
            try leaveScalar(at: position, into: &output)
        } else {
            tokenizer.failure = .unexpected
        }
        return position
    }
}
