internal import AFJSON

/// The output of tokens.
extension JSONFormatter: JSONTokenReceiver {
    func receiveMark(into buffer: inout OutputBuffer) {
        if layout == .asReceived { buffer.append(JSONTokenizer.byteOrderMark) }
    }

    /// Writes white space in the layout as received, except carriage returns that would overwrite a line on a terminal.
    @inline(__always)
    func receiveSpace(_ start: Position, to end: Position, into buffer: inout OutputBuffer) {
        guard layout == .asReceived else { return }
        for byte in UnsafeBufferPointer(start: start, count: end - start)
        where !isForTerminal || byte != UInt8(ascii: "\r") {
            buffer.append(byte)
        }
    }

    @inline(__always)
    func receiveSeparator(_ position: Position, into buffer: inout OutputBuffer) {
        punctuate(position.pointee, into: &buffer)
        if tokenizer.state != .colon {
            breakLine(into: &buffer)
        } else if layout.isIndented {
            buffer.append(UInt8(ascii: " "))
        }
    }

    @inline(__always)
    mutating func beginValue(at position: Position, into buffer: inout OutputBuffer) {
        if tokenizer.state == .firstElement {
            breakLine(into: &buffer)
        } else if tokenizer.state == .document {
            if documentCount > 0, layout != .asReceived { buffer.append(UInt8(ascii: "\n")) }
            documentCount += 1
        }
        if let palette, JSONNumberPhase(first: position.pointee) != nil { buffer.begin(palette.number) }
    }

    func open(at position: Position, into buffer: inout OutputBuffer) { punctuate(position.pointee, into: &buffer) }

    mutating func close(at position: Position, into buffer: inout OutputBuffer) {
        let isEmpty = tokenizer.state != .afterValue
        if !isEmpty { breakLine(depth: tokenizer.containers.depth - 1, into: &buffer) }
        punctuate(position.pointee, into: &buffer)
    }

    @inline(__always)
    mutating func beginString(at position: Position, into buffer: inout OutputBuffer) {
        if tokenizer.state == .firstKey { breakLine(into: &buffer) }
        if let palette { buffer.begin(tokenizer.isKey ? palette.key : palette.string) }
        buffer.append(UInt8(ascii: "\""))
    }

    /// Writes the bytes up to a quote, a backslash or a control character.
    @inline(__always)
    mutating func skipStringRun(_ start: Position, to end: Position, into buffer: inout OutputBuffer) -> Position {
        if isForTerminal {
            let position = start.skippingStringRun(to: end)
            if position > start, heldSurrogate != nil { leaveSurrogate(into: &buffer) }
            stringSanitizer.sanitize(UnsafeRawBufferPointer(start: start, count: position - start), into: &buffer)
            return position
        }
        if heldSurrogate != nil, start < end, !start.pointee.endsStringRun { leaveSurrogate(into: &buffer) }
        var position = start
        var target = buffer.reserve(end - start)
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
        buffer.commit(position - start)
        return position
    }

    /// Writes an escape, or the visible character that it encodes. Both halves of a surrogate pair are one character.
    mutating func receiveEscape(_ escape: UnsafeBufferPointer<UInt8>, into buffer: inout OutputBuffer) {
        if isForTerminal { stringSanitizer.finish(into: &buffer) }
        if let high = heldSurrogate {
            let pair = high + escape
            if case .character(let character, length: JSONEscape.maximumLength) = JSONEscape(pair[...]) {
                heldSurrogate = nil
                return pair.withUnsafeBytes { show(character, notation: $0, into: &buffer) }
            }
            leaveSurrogate(into: &buffer)
        }
        switch JSONEscape(escape) {
        case .incomplete: heldSurrogate = Array(escape)
        case .character(let character, _): show(character, notation: UnsafeRawBufferPointer(escape), into: &buffer)
        case .surrogate, .illegal: buffer.append(UnsafeRawBufferPointer(escape))
        }
    }

    @inline(__always)
    mutating func endString(at position: Position, into buffer: inout OutputBuffer) {
        leaveString(into: &buffer)
        buffer.append(UInt8(ascii: "\""))
        if let palette { buffer.end(tokenizer.isKey ? palette.key : palette.string) }
    }

    @inline(__always)
    mutating func receiveNumber(_ start: Position, to end: Position, into buffer: inout OutputBuffer) {
        let target = buffer.reserve(end - start)
        for index in 0..<end - start { target[index] = start[index] }
        buffer.commit(end - start)
    }

    @inline(__always)
    mutating func endScalar(at end: Position?, into buffer: inout OutputBuffer) {
        switch tokenizer.state {
        case .number:
            if let palette { buffer.end(palette.number) }
        case .literal:
            let isNull = tokenizer.readLiteral.first == UInt8(ascii: "n")
            let style = palette.map { isNull ? $0.null : $0.boolean }
            if let style { buffer.begin(style) }
            buffer.append(UnsafeRawBufferPointer(tokenizer.readLiteral))
            if let style { buffer.end(style) }
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
