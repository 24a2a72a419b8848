internal import AFJSON

/// The output of tokens.
extension JSONFormatter: JSONTokenReceiver {
    typealias Output = UnsafeMutablePointer<OutputBuffer>
    typealias Failure = OutputFailure

    func receiveMark(into buffer: Output) {
        if layout == .asReceived { buffer.pointee.append(JSONTokenizer.byteOrderMark) }
    }

    /// Writes white space in the layout as received, except what a terminal obeys: a carriage return would overwrite a
    /// line.
    @inline(__always)
    func receiveSpace(_ start: Position, to end: Position, into buffer: Output) {
        guard layout == .asReceived else { return }
        for byte in UnsafeBufferPointer(start: start, count: end - start)
        where !isForTerminal || byte != UInt8(ascii: "\r") && byte != 0x1E {
            buffer.pointee.append(byte)
        }
    }

    @inline(__always)
    func receiveSeparator(_ position: Position, into buffer: Output) {
        punctuate(position.pointee, into: &buffer.pointee)
        if tokenizer.state != .colon {
            breakLine(into: &buffer.pointee)
        } else if layout.isIndented {
            buffer.pointee.append(UInt8(ascii: " "))
        }
    }

    @inline(__always)
    mutating func beginValue(at position: Position, into buffer: Output) {
        if tokenizer.state == .firstElement {
            breakLine(into: &buffer.pointee)
        } else if tokenizer.state == .document {
            if tokenizer.documentCount > 1, layout != .asReceived { buffer.pointee.append(UInt8(ascii: "\n")) }
        }
        if let palette, JSONNumberPhase(first: position.pointee) != nil { buffer.pointee.begin(palette.number) }
    }

    func open(at position: Position, into buffer: Output) { punctuate(position.pointee, into: &buffer.pointee) }

    mutating func close(at position: Position, into buffer: Output) {
        let isEmpty = tokenizer.state != .afterValue
        if !isEmpty { breakLine(depth: tokenizer.containers.depth - 1, into: &buffer.pointee) }
        punctuate(position.pointee, into: &buffer.pointee)
    }

    @inline(__always)
    mutating func beginString(at position: Position, into buffer: Output) {
        if tokenizer.state == .firstKey { breakLine(into: &buffer.pointee) }
        if let palette { buffer.pointee.begin(tokenizer.isKey ? palette.key : palette.string) }
        buffer.pointee.append(UInt8(ascii: "\""))
    }

    /// Writes the bytes up to a quote, a backslash or a control character.
    @inline(__always)
    mutating func skipStringRun(_ start: Position, to end: Position, into buffer: Output) -> Position {
        if isForTerminal {
            let position = start.skippingStringRun(to: end)
            if position > start, heldSurrogate != nil { leaveSurrogate(into: &buffer.pointee) }
            stringSanitizer.sanitize(
                UnsafeRawBufferPointer(start: start, count: position - start), into: &buffer.pointee)
            return position
        }
        if heldSurrogate != nil, start < end, !start.pointee.endsStringRun { leaveSurrogate(into: &buffer.pointee) }
        var position = start
        var target = buffer.pointee.reserve(end - start)
        while end - position >= 8 {
            let word = ByteWord(at: position)
            UnsafeMutableRawPointer(target).storeBytes(of: word.value.littleEndian, as: UInt64.self)
            let count = ByteWord.firstIndex(in: word.endsOfStringRun)
            position += count
            target += count
            if count < 8 { break }
        }
        while position < end, !position.pointee.endsStringRun {
            target.pointee = position.pointee
            position += 1
            target += 1
        }
        buffer.pointee.commit(position - start)
        return position
    }

    /// Writes an escape, or the visible character that it encodes. Both halves of a surrogate pair are one character.
    mutating func receiveEscape(_ escape: UnsafeBufferPointer<UInt8>, into buffer: Output) {
        if isForTerminal { stringSanitizer.finish(into: &buffer.pointee) }
        if let high = heldSurrogate {
            let pair = high + escape
            if case .character(let character, length: JSONEscape.maximumLength) = JSONEscape(pair[...]) {
                heldSurrogate = nil
                return pair.withUnsafeBytes { show(character, notation: $0, into: &buffer.pointee) }
            }
            leaveSurrogate(into: &buffer.pointee)
        }
        switch JSONEscape(escape) {
        case .incomplete: heldSurrogate = Array(escape)
        case .character(let character, _):
            show(character, notation: UnsafeRawBufferPointer(escape), into: &buffer.pointee)
        case .surrogate, .illegal: buffer.pointee.append(UnsafeRawBufferPointer(escape))
        }
    }

    @inline(__always)
    mutating func endString(at position: Position, into buffer: Output) {
        leaveString(into: &buffer.pointee)
        buffer.pointee.append(UInt8(ascii: "\""))
        if let palette { buffer.pointee.end(tokenizer.isKey ? palette.key : palette.string) }
    }

    @inline(__always)
    mutating func receiveNumber(_ start: Position, to end: Position, into buffer: Output) {
        let target = buffer.pointee.reserve(end - start)
        for index in 0..<end - start { target[index] = start[index] }
        buffer.pointee.commit(end - start)
    }

    @inline(__always)
    mutating func endScalar(at end: Position?, into buffer: Output) {
        switch tokenizer.state {
        case .number:
            if let palette { buffer.pointee.end(palette.number) }
        case .literal:
            let isNull = tokenizer.readLiteral.first == UInt8(ascii: "n")
            let style = palette.map { isNull ? $0.null : $0.boolean }
            if let style { buffer.pointee.begin(style) }
            buffer.pointee.append(UnsafeRawBufferPointer(tokenizer.readLiteral))
            if let style { buffer.pointee.end(style) }
        default: break
        }
    }

    /// Writes the parts of a string that are held because its next byte matters.
    @inline(__always)
    mutating func leaveString(into buffer: inout OutputBuffer) {
        if heldSurrogate != nil { leaveSurrogate(into: &buffer) }
        if isForTerminal { stringSanitizer.finish(into: &buffer) }
    }

    @inline(never)
    private mutating func leaveSurrogate(into buffer: inout OutputBuffer) {
        if let heldSurrogate { buffer.append(heldSurrogate) }
        heldSurrogate = nil
    }

    private func show(_ character: Unicode.Scalar, notation: UnsafeRawBufferPointer, into buffer: inout OutputBuffer) {
        if layout.isIndented, character.needsNoEscape(ofLength: notation.count) {
            buffer.append(character)
        } else {
            buffer.append(notation)
        }
    }

    @inline(__always)
    private func punctuate(_ byte: UInt8, into buffer: inout OutputBuffer) {
        guard let palette else { return buffer.append(byte) }
        buffer.begin(palette.punctuation)
        buffer.append(byte)
        buffer.end(palette.punctuation)
    }

    @inline(__always)
    private func breakLine(into buffer: inout OutputBuffer) {
        breakLine(depth: tokenizer.containers.depth, into: &buffer)
    }

    /// Writes a line break with indentation, up to a maximum depth.
    @inline(__always)
    private func breakLine(depth: Int, into buffer: inout OutputBuffer) {
        guard case .indented(let indent) = layout, tokenizer.containers.depth <= Self.maximumIndentedDepth else {
            return
        }
        let width = depth * indent
        let line = buffer.reserve(1 + width)
        line.pointee = UInt8(ascii: "\n")
        var filled = 0
        while filled < width {
            UnsafeMutableRawPointer(line + 1 + filled).storeBytes(of: 0x2020_2020_2020_2020, as: UInt64.self)
            filled += 8
        }
        buffer.commit(1 + width)
    }
}

extension Unicode.Scalar {
    /// Whether the character replaces its escape: `\/`, or `\uXXXX` of a visible character.
    fileprivate func needsNoEscape(ofLength length: Int) -> Bool {
        length == 2 ? self == "/" : isPlainlyVisible && self != "\"" && self != "\\"
    }
}
