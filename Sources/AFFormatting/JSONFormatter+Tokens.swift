internal import AFJSON

/// The output of tokens.
extension JSONFormatter: JSONTokenReceiver {
    typealias Output = OutputCursor
    typealias Failure = Never

    func receiveMark(into output: inout OutputCursor) {
        if layout == .asReceived { output.append { $0.append(JSONTokenizer.byteOrderMark) } }
    }

    /// Writes white space in the layout as received, except what a terminal obeys: a carriage return would overwrite a
    /// line.
    @inline(__always)
    func receiveSpace(_ start: Position, to end: Position, into output: inout OutputCursor) {
        guard layout == .asReceived else { return }
        for byte in UnsafeBufferPointer(start: start, count: end - start)
        where !isForTerminal || byte != UInt8(ascii: "\r") && byte != 0x1E {
            output.append(byte)
        }
    }

    @inline(__always)
    func receiveComma(into output: inout OutputCursor) {
        guard hasPlainCommas, tokenizer.containers.depth <= maximumBrokenDepth else {
            punctuate(UInt8(ascii: ","), into: &output)
            return breakLine(depth: tokenizer.containers.depth, into: &output)
        }
        appendLine(after: Self.commaAndLine, 2, depth: tokenizer.containers.depth, into: &output)
    }

    @inline(__always)
    func receiveColon(into output: inout OutputCursor) { output.append(pieces.colon) }

    @inline(__always)
    func beginValue(at position: Position, into output: inout OutputCursor) {
        if tokenizer.state == .firstElement {
            breakLine(depth: tokenizer.containers.depth, into: &output)
        } else if tokenizer.state == .document, tokenizer.documentCount > 1, layout != .asReceived {
            output.append(UInt8(ascii: "\n"))
        }
    }

    @inline(__always)
    func open(at position: Position, into output: inout OutputCursor) { punctuate(position.pointee, into: &output) }

    @inline(__always)
    func close(at position: Position, into output: inout OutputCursor) {
        let isEmpty = tokenizer.state != .afterValue
        if !isEmpty { breakLine(depth: tokenizer.containers.depth &- 1, into: &output) }
        punctuate(position.pointee, into: &output)
    }

    @inline(__always)
    func beginString(at position: Position, into output: inout OutputCursor) {
        if tokenizer.state == .firstKey { breakLine(depth: tokenizer.containers.depth, into: &output) }
        output.append(tokenizer.isKey ? pieces.startOfKey : pieces.startOfString)
    }

    @inline(__always)
    mutating func receiveString(
        _ start: Position, to end: Position, before chunkEnd: Position, into output: inout OutputCursor
    ) {
        if isColored || isForTerminal { return receiveStyledString(start, to: end, before: chunkEnd, into: &output) }
        if tokenizer.state == .firstKey { breakLine(depth: tokenizer.containers.depth, into: &output) }
        output.append(start, to: end, before: chunkEnd)
    }

    @inline(__always)
    private mutating func receiveStyledString(
        _ start: Position, to end: Position, before chunkEnd: Position, into output: inout OutputCursor
    ) {
        beginString(at: start, into: &output)
        if isForTerminal, !UnsafeBufferPointer(start: start + 1, count: end - start - 2).isClean(before: chunkEnd) {
            _ = skipSpecialRun(start + 1, to: end - 1, into: &output)
        } else {
            output.append(start + 1, to: end - 1, before: chunkEnd)
        }
        endString(at: end - 1, into: &output)
    }

    /// Writes the bytes up to a quote, a control character, or an escape that ``takeEscapes(_:to:into:)`` leaves.
    @inline(__always)
    mutating func skipStringRun(_ start: Position, to end: Position, into output: inout OutputCursor) -> Position {
        var position = start
        repeat {
            position =
                isForTerminal || heldSurrogate != nil
                ? skipSpecialRun(position, to: end, into: &output) : copyRun(position, to: end, into: &output)
        } while takeEscapes(&position, to: end, into: &output)
        return position
    }

    @inline(__always)
    private func copyRun(_ start: Position, to end: Position, into output: inout OutputCursor) -> Position {
        var position = start
        var target = output.reserve(end - start)
        while end - position >= ByteBlock.size {
            let block = ByteBlock(at: position)
            block.copy(to: target)
            let ends = block.endsOfStringRun
            if ends != 0 {
                position += ends.trailingZeroBitCount
                output.advance(position - start)
                return position
            }
            position += ByteBlock.size
            target += ByteBlock.size
        }
        while position < end, !position.pointee.endsStringRun {
            target.pointee = position.pointee
            position += 1
            target += 1
        }
        output.advance(position - start)
        return position
    }

    /// Writes consecutive escapes as ``receiveEscape(_:_:into:)`` does, which needs 1.4 times as long for a text of them.
    ///
    /// Stops at a surrogate, a character that stays escaped, `\/`, an illegal escape, and before the last bytes of the chunk.
    ///
    /// - Returns: Whether there was one.
    @inline(__always)
    private mutating func takeEscapes(
        _ position: inout Position, to end: Position, into output: inout OutputCursor
    ) -> Bool {
        guard position < end, position.pointee == UInt8(ascii: "\\"), layout.isIndented, !holdsString else {
            return false
        }
        let start = position
        let target = output.reserve(end - start)
        var written = 0
        while end - position >= JSONEscape.surrogateLength, position[0] == UInt8(ascii: "\\") {
            if let value = JSONEscape.value(at: position) {
                guard value >= 0x80, let character = Unicode.Scalar(value), visibleCharacters.contains(character) else {
                    break
                }
                written += character.write(to: target + written)
                position += JSONEscape.surrogateLength
            } else {
                guard position[1].escapedCharacter != nil, position[1] != UInt8(ascii: "/") else { break }
                (target[written], target[written + 1]) = (position[0], position[1])
                written += 2
                position += 2
            }
        }
        output.advance(written)
        return position > start
    }

    /// Writes a run of a string for a terminal, or after a high surrogate.
    @inline(__always)
    private mutating func skipSpecialRun(
        _ start: Position, to end: Position, into output: inout OutputCursor
    ) -> Position {
        let start = holdsString ? start : copyVisibleRun(start, to: end, into: &output)
        let position = start.skippingStringRun(to: end)
        guard position > start else { return position }
        output.append {
            if heldSurrogate != nil { leaveSurrogate(into: &$0) }
            let run = UnsafeRawBufferPointer(start: start, count: position - start)
            if isForTerminal { stringSanitizer.sanitize(run, into: &$0) } else { $0.append(run) }
        }
        return position
    }

    /// Writes the characters of a string up to its end, a backslash, a character that affects a terminal, or a part of one.
    @inline(__always)
    private func copyVisibleRun(_ start: Position, to end: Position, into output: inout OutputCursor) -> Position {
        var position = start
        var target = output.reserve(end - start)
        while position < end {
            var length = 0
            if end - position >= ByteBlock.size {
                let block = ByteBlock(at: position)
                block.copy(to: target)
                length = block.visibleLengthOfString
            }
            if length == 0 {
                if position.pointee.endsStringRun { break }
                length = UnsafeBufferPointer(start: position, count: end - position).lengthOfCleanCharacter(at: 0)
                if length == 0 { break }
                for index in 0..<length { target[index] = position[index] }
            }
            position += length
            target += length
        }
        output.advance(position - start)
        return position
    }

    /// Writes an escape, or the visible character that it encodes. Both halves of a surrogate pair are one character.
    @inline(__always)
    mutating func receiveEscape(
        _ escape: JSONEscape, _ notation: UnsafeBufferPointer<UInt8>, into output: inout OutputCursor
    ) {
        if !holdsString, case .character(let character, _) = escape, layout.isIndented,
            character.needsNoEscape(ofLength: notation.count)
        {
            output.append(character)
        } else {
            output.append { receiveSpecialEscape(escape, notation, into: &$0) }
        }
    }

    @inline(never)
    private mutating func receiveSpecialEscape(
        _ escape: JSONEscape, _ notation: UnsafeBufferPointer<UInt8>, into buffer: inout OutputBuffer
    ) {
        if isForTerminal { stringSanitizer.finish(into: &buffer) }
        if let high = heldSurrogate {
            let pair = high + notation
            if case .character(let character, length: JSONEscape.maximumLength) = JSONEscape(pair[...]) {
                heldSurrogate = nil
                return pair.withUnsafeBytes { show(character, notation: $0, into: &buffer) }
            }
            leaveSurrogate(into: &buffer)
        }
        let bytes = UnsafeRawBufferPointer(notation)
        switch escape {
        case .incomplete: heldSurrogate = Array(notation)
        case .character(let character, _): show(character, notation: bytes, into: &buffer)
        case .surrogate, .illegal: buffer.append(bytes)
        }
    }

    @inline(__always)
    mutating func endString(at position: Position, into output: inout OutputCursor) {
        if holdsString { output.append { leaveString(into: &$0) } }
        output.append(tokenizer.isKey ? pieces.endOfKey : pieces.endOfString)
    }

    @inline(__always)
    func beginNumber(into output: inout OutputCursor) {
        if isColored { output.append(pieces.startOfNumber) }
    }

    @inline(__always)
    func receiveNumber(
        _ start: Position, to end: Position, before chunkEnd: Position, into output: inout OutputCursor
    ) {
        output.append(start, to: end, before: chunkEnd)
    }

    @inline(__always)
    func endScalar(at end: Position?, into output: inout OutputCursor) {
        switch tokenizer.state {
        case .number: if isColored { output.append(pieces.endOfNumber) }
        case .literal:
            switch tokenizer.literal {
            case .true: output.append(pieces.true)
            case .false: output.append(pieces.false)
            case .null: output.append(pieces.null)
            }
        default: break
        }
    }

    /// Whether parts of a string are held.
    @inline(__always)
    private var holdsString: Bool { heldSurrogate != nil || stringSanitizer.holdsBytes }

    /// Writes the parts of a string that are held because its next byte matters.
    mutating func leaveString(into buffer: inout OutputBuffer) {
        if heldSurrogate != nil { leaveSurrogate(into: &buffer) }
        if isForTerminal { stringSanitizer.finish(into: &buffer) }
    }

    @inline(never)
    private mutating func leaveSurrogate(into buffer: inout OutputBuffer) {
        if let heldSurrogate { buffer.append(heldSurrogate) }
        heldSurrogate = nil
    }

    private func show(
        _ character: Unicode.Scalar,
        notation: UnsafeRawBufferPointer,
        into buffer: inout OutputBuffer
    ) {
        if layout.isIndented, character.needsNoEscape(ofLength: notation.count) {
            buffer.append(character)
        } else {
            buffer.append(notation)
        }
    }

    /// Writes a comma or a bracket.
    @inline(__always)
    private func punctuate(_ byte: UInt8, into output: inout OutputCursor) {
        if hasPlainCommas { return output.append(byte) }
        let piece = pieces.punctuation
        let target = output.reserve(piece.count)
        UnsafeMutableRawPointer(target).storeBytes(of: piece.bytes, as: SIMD4<UInt64>.self)
        target[pieces.punctuationIndex] = byte
        output.advance(piece.count)
    }

    /// Writes a line break with indentation, up to a maximum depth.
    @inline(__always)
    private func breakLine(depth: Int, into output: inout OutputCursor) {
        guard tokenizer.containers.depth <= maximumBrokenDepth else { return }
        appendLine(after: Self.line, 1, depth: depth, into: &output)
    }

    /// Appends a text of some bytes and spaces, and more spaces: the indentation of most lines is one store.
    @inline(__always)
    private func appendLine(
        after start: SIMD16<UInt8>,
        _ length: Int,
        depth: Int,
        into output: inout OutputCursor
    ) {
        let count = length &+ depth &* indent
        let line = UnsafeMutableRawPointer(output.reserve(count))
        line.storeBytes(of: start, as: SIMD16<UInt8>.self)
        var filled = ByteBlock.size
        while filled < count {
            (line + filled).storeBytes(of: SIMD16(repeating: UInt8(ascii: " ")), as: SIMD16<UInt8>.self)
            filled += ByteBlock.size
        }
        output.advance(count)
    }

    /// A line feed and spaces, without and with a comma.
    @inline(__always)
    private static var line: SIMD16<UInt8> { SIMD16(10, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32) }
    @inline(__always)
    private static var commaAndLine: SIMD16<UInt8> {
        SIMD16(44, 10, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32)
    }
}

extension Unicode.Scalar {
    /// Whether the character replaces its escape: `\/`, or `\uXXXX` of a visible character.
    @inline(__always)
    fileprivate func needsNoEscape(ofLength length: Int) -> Bool {
        length == 2 ? self == "/" : isPlainlyVisible && self != "\"" && self != "\\"
    }
}
