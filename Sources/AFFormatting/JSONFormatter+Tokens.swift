internal import AFJSON

/// Strings, numbers and literals, which chunks may split anywhere.
extension JSONFormatter {
    typealias Position = UnsafePointer<UInt8>

    @inline(__always)
    mutating func beginString(isKey: Bool, into buffer: inout OutputBuffer) {
        self.isKey = isKey
        if let palette { buffer.begin(isKey ? palette.key : palette.string) }
        buffer.append(UInt8(ascii: "\""))
        state = .string
    }

    /// Writes a string up to its end, a split escape, or an invalid byte.
    @inline(__always)
    mutating func continueString(_ start: Position, to end: Position, into buffer: inout OutputBuffer) -> Position {
        var position = start
        while true {
            position = showRun(position, to: end, into: &buffer)
            guard position < end else { return position }
            switch position.pointee {
            case UInt8(ascii: "\""):
                endString(into: &buffer)
                return position + 1
            case UInt8(ascii: "\\"):
                if isForTerminal { stringSanitizer.finish(into: &buffer) }
                guard let next = showEscape(position, to: end, into: &buffer) else { return end }
                position = next
                if state != .string { return position }
            default:
                stop(into: &buffer)
                return position
            }
        }
    }

    /// Writes the bytes up to a quote, a backslash or a control character.
    @inline(__always)
    private mutating func showRun(_ start: Position, to end: Position, into buffer: inout OutputBuffer) -> Position {
        if isForTerminal {
            let position = start.skippingStringRun(to: end)
            stringSanitizer.sanitize(UnsafeRawBufferPointer(start: start, count: position - start), into: &buffer)
            return position
        }
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

    @inline(__always)
    private mutating func endString(into buffer: inout OutputBuffer) {
        if isForTerminal { stringSanitizer.finish(into: &buffer) }
        buffer.append(UInt8(ascii: "\""))
        if let palette { buffer.end(isKey ? palette.key : palette.string) }
        if isKey { state = .colon } else { endScalar() }
    }

    /// Writes the escape at a position; `nil` if the chunk ends inside it and it was buffered.
    private mutating func showEscape(_ start: Position, to end: Position, into buffer: inout OutputBuffer) -> Position?
    {
        let bytes = UnsafeBufferPointer(start: start, count: min(end - start, JSONEscape.maximumLength))
        switch JSONEscape(bytes) {
        case .incomplete:
            heldEscape = Array(bytes)
            state = .escape
            return nil
        case .illegal(let index):
            buffer.append(UnsafeRawBufferPointer(start: start, count: index))
            stop(into: &buffer)
            return start + index
        case .surrogate:
            buffer.append(UnsafeRawBufferPointer(start: start, count: JSONEscape.surrogateLength))
            return start + JSONEscape.surrogateLength
        case .character(let character, let length):
            if layout.isIndented, character.needsNoEscape(ofLength: length) {
                buffer.append(character)
            } else {
                buffer.append(UnsafeRawBufferPointer(start: start, count: length))
            }
            return start + length
        }
    }

    /// Continues an escape of an earlier chunk, byte by byte.
    mutating func continueEscape(_ position: Position, into buffer: inout OutputBuffer) -> Position {
        let backslash = UInt8(ascii: "\\")
        var held = heldEscape + [position.pointee]
        heldEscape = []
        state = .string
        while held.first == backslash, state == .string {
            let shown = held.withUnsafeBufferPointer { held -> Int in
                guard let start = held.baseAddress else { return 0 }
                return showEscape(start, to: start + held.count, into: &buffer).map { $0 - start } ?? held.count
            }
            held.removeFirst(shown)
        }
        // At most the byte that ended the escape remains.
        return held.isEmpty ? position + 1 : position
    }

    @inline(__always)
    mutating func beginNumber(_ byte: UInt8, into buffer: inout OutputBuffer) -> Bool {
        guard let phase = JSONNumberPhase(first: byte) else { return false }
        if let palette { buffer.begin(palette.number) }
        buffer.append(byte)
        numberPhase = phase
        state = .number
        return true
    }

    @inline(__always)
    mutating func continueNumber(_ start: Position, to end: Position, into buffer: inout OutputBuffer) -> Position {
        var position = start
        var phase = numberPhase
        let target = buffer.reserve(end - start)
        while position < end {
            let byte = position.pointee
            if !(phase.takesDigits && byte &- UInt8(ascii: "0") < 10) {
                guard let next = phase.next(byte) else { break }
                phase = next
            }
            target[position - start] = byte
            position += 1
        }
        buffer.commit(position - start)
        numberPhase = phase
        if position < end {
            guard phase.isComplete else {
                stop(into: &buffer)
                return position
            }
            if let palette { buffer.end(palette.number) }
            endScalar()
        }
        return position
    }

    mutating func beginLiteral(_ literal: StaticString) {
        self.literal = literal
        literalLength = 1
        state = .literal
    }

    mutating func continueLiteral(_ position: Position, into buffer: inout OutputBuffer) -> Position {
        guard position.pointee == literal.utf8Start[literalLength] else {
            stop(into: &buffer)
            return position
        }
        literalLength += 1
        if literalLength == literal.utf8CodeUnitCount {
            let style = palette.map { literal.utf8Start.pointee == UInt8(ascii: "n") ? $0.null : $0.boolean }
            if let style { buffer.begin(style) }
            buffer.append(literal)
            if let style { buffer.end(style) }
            endScalar()
        }
        return position + 1
    }

    @inline(__always)
    private mutating func endScalar() {
        state = containers.depth == 0 ? .afterBareDocument : .afterValue
    }
}

extension Unicode.Scalar {
    /// Whether the character replaces its escape: `\/`, or `\uXXXX` of a visible character.
    fileprivate func needsNoEscape(ofLength length: Int) -> Bool {
        length == 2 ? self == "/" : isPlainlyVisible && self != "\"" && self != "\\"
    }
}

extension UnsafePointer<UInt8> {
    /// Skips to a quote, a backslash or a control character.
    @inline(__always)
    func skippingStringRun(to end: Self) -> Self {
        var position = self
        while end - position >= 8 {
            let count = ByteWord.firstIndex(in: ByteWord(at: position).endsOfStringRun)
            position += count
            if count < 8 { return position }
        }
        while position < end, !position.pointee.endsStringRun { position += 1 }
        return position
    }
}

extension ByteWord {
    @inline(__always)
    fileprivate var endsOfStringRun: UInt64 {
        bytes(equalTo: UInt8(ascii: "\"")) | bytes(equalTo: UInt8(ascii: "\\")) | bytes(below: 0x20)
    }
}

extension UInt8 {
    @inline(__always)
    fileprivate var endsStringRun: Bool { self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\") || self < 0x20 }
}
