internal import AFHTTP
internal import AFJSON

/// Makes untrusted bytes safe for a terminal by escaping control characters.
///
/// Escaped are C0 controls except line feed, tab and the carriage return of a CRLF; DEL; C1 controls, as raw bytes and
/// as U+0080–009F; the controls of the bidirectional algorithm; the separators of lines and paragraphs, which some programs
/// read as line ends; bytes that are not UTF-8. Everything else is unchanged.
package struct Sanitizer: BodyFormatting {
    package enum Notation: Sendable {
        /// `\x1b` for a byte (an ASCII control, or a byte that is not UTF-8), `\u202e` for a character.
        case text
        /// As `text`, but line ends and tabs are escaped, too: for names and messages on one line.
        case line
        /// `\u001b` and `\u202e`, the escapes of JSON strings; bytes that are not UTF-8, for which JSON has no escape,
        /// become U+FFFD.
        case json
    }

    let notation: Notation
    /// The end of a chunk that depends on the next one: an incomplete UTF-8 sequence, or a carriage return.
    private var held: [UInt8] = []

    package init(notation: Notation = .text) {
        self.notation = notation
    }

    package mutating func consume(_ bytes: UnsafeRawBufferPointer, into buffer: inout OutputBuffer)
        throws(OutputFailure)
    {
        var rest = bytes[...]
        while !rest.isEmpty {
            let chunk = rest.prefix(Self.chunkSize)
            sanitize(UnsafeRawBufferPointer(rebasing: chunk), into: &buffer)
            rest = rest.dropFirst(chunk.count)
            try buffer.drain()
        }
    }

    /// Sanitizes without writing; the output may be six times as long as the input.
    @inline(__always)
    mutating func sanitize(_ bytes: UnsafeRawBufferPointer, into buffer: inout OutputBuffer) {
        guard let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), !bytes.isEmpty else { return }
        var chunk = UnsafeBufferPointer(start: base, count: bytes.count)
        if !held.isEmpty { chunk = continueHeld(with: chunk, into: &buffer) }
        let clean = chunk.cleanPrefixLength(readable: chunk.count)
        if clean > 0 { buffer.append(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(chunk)[..<clean])) }
        if clean < chunk.count { sanitizeMixed(UnsafeBufferPointer(rebasing: chunk[clean...]), into: &buffer) }
    }

    /// Whether bytes are held, which the next ones decide about.
    @inline(__always)
    var holdsBytes: Bool { !held.isEmpty }

    package mutating func finish(into buffer: inout OutputBuffer) {
        guard holdsBytes else { return }
        showMalformed(held, into: &buffer)
        held = []
    }

    /// Returns the text as one line without control characters.
    package static func line(_ text: some StringProtocol) -> String { sanitized(text, notation: .line) }

    /// Returns the text without control characters.
    package static func text(_ text: some StringProtocol) -> String { sanitized(text, notation: .text) }

    private static func sanitized(_ text: some StringProtocol, notation: Notation) -> String {
        // Most names and messages.
        if text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return String(text) }
        let output = MemoryOutput()
        var buffer = OutputBuffer(output)
        var sanitizer = Sanitizer(notation: notation)
        text.octets.withUnsafeBytes { sanitizer.sanitize($0, into: &buffer) }
        sanitizer.finish(into: &buffer)
        // Writing to memory does not fail.
        try? buffer.flush()
        return output.text
    }

    /// Processes bytes until the buffered ones are decided; returns the rest of the chunk.
    private mutating func continueHeld(
        with chunk: UnsafeBufferPointer<UInt8>,
        into buffer: inout OutputBuffer
    ) -> UnsafeBufferPointer<UInt8> {
        var used = 0
        while !held.isEmpty, used < chunk.count {
            let bytes = held + [chunk[used]]
            held = []
            used += 1
            bytes.withUnsafeBufferPointer { sanitizeMixed($0, into: &buffer) }
        }
        return UnsafeBufferPointer(rebasing: chunk[used...])
    }

    private mutating func sanitizeMixed(_ bytes: UnsafeBufferPointer<UInt8>, into buffer: inout OutputBuffer) {
        var shown = 0
        var index = 0
        while index < bytes.count {
            let rest = UnsafeBufferPointer(rebasing: bytes[index...])
            let action = action(for: rest)
            switch action {
            case .passes(let length):
                let next = UnsafeBufferPointer(rebasing: rest[length...])
                index += length + next.cleanPrefixLength(readable: next.count)
            case .undecided, .control, .unsafe, .malformed:
                buffer.append(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[shown..<index])))
                index += replace(rest, action, into: &buffer)
                shown = index
            }
        }
        buffer.append(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[shown...])))
    }

    private enum Action {
        case passes(Int)
        case control
        case unsafe(UInt32, length: Int)
        case malformed(Int)
        case undecided
    }

    @inline(__always)
    private func action(for bytes: UnsafeBufferPointer<UInt8>) -> Action {
        switch bytes[0] {
        case 0x0A, 0x09: return notation == .line ? .control : .passes(1)
        case 0x0D where notation == .text:
            guard bytes.count > 1 else { return .undecided }
            return bytes[1] == 0x0A ? .passes(2) : .control
        case 0..<0x20, 0x7F: return .control
        case 0x20..<0x7F: return .passes(1)
        default: break
        }
        switch UTF8Sequence(bytes) {
        case .scalar(let value, let length):
            let isUnsafe = Safety.refuses("05-c1-and-bidi", value.affectsTerminal)
            return isUnsafe ? .unsafe(value, length: length) : .passes(length)
        case .malformed(let length): return .malformed(length)
        case .incomplete: return .undecided
        }
    }

    /// Writes the escape or buffers the bytes; returns the number of processed bytes.
    private mutating func replace(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ action: Action,
        into buffer: inout OutputBuffer
    ) -> Int {
        switch action {
        case .passes(let length): return length
        case .control:
            buffer.appendEscape(notation == .json ? "\\u00" : "\\x", UInt32(bytes[0]), digits: 2)
            return 1
        case .unsafe(let value, let length):
            buffer.appendEscape("\\u", value, digits: 4)
            return length
        case .malformed(let length):
            showMalformed(bytes.prefix(length), into: &buffer)
            return length
        case .undecided:
            held = Array(bytes)
            return bytes.count
        }
    }

    private func showMalformed(_ bytes: some Collection<UInt8>, into buffer: inout OutputBuffer) {
        if notation == .json { return buffer.append("\u{FFFD}" as Unicode.Scalar) }
        for byte in bytes { buffer.appendEscape("\\x", UInt32(byte), digits: 2) }
    }
}

extension UInt32 {
    /// Whether the character affects a terminal: C1 controls, separators (UAX #14), and those that change the direction of
    /// text (UAX #9).
    @inline(__always)
    fileprivate var affectsTerminal: Bool {
        switch self {
        case 0x80...0x9F, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns the number of leading bytes that are shown unchanged in every notation: visible ASCII, spaces, and
    /// complete characters that do not affect a terminal.
    ///
    /// - Parameter readable: The number of bytes that may be read: at least those of the buffer.
    /// - Precondition: The byte after the buffer, if it may be read, continues no character.
    @inline(__always)
    fileprivate func cleanPrefixLength(readable: Int) -> Int {
        guard let start = baseAddress else { return 0 }
        var index = 0
        while index < count {
            var length = readable - index >= ByteBlock.size ? ByteBlock(at: start + index).visibleLength : 0
            if length == 0 { length = lengthOfCleanCharacter(at: index) }
            if length == 0 { return index }
            index += length
        }
        return Swift.min(index, count)
    }

    /// Returns the length of a character that does not affect a terminal; 0 for other bytes.
    @inline(__always)
    func lengthOfCleanCharacter(at index: Int) -> Int {
        switch self[index] {
        case 0x20..<0x7F: 1
        case 0x80...: lengthOfCleanSequence(at: index)
        default: 0
        }
    }

    @inline(never)
    private func lengthOfCleanSequence(at index: Int) -> Int {
        guard case .scalar(let value, let length) = UTF8Sequence(UnsafeBufferPointer(rebasing: self[index...])),
            !value.affectsTerminal
        else { return 0 }
        return length
    }

    /// Whether every byte is shown unchanged.
    ///
    /// - Parameter end: The end of the bytes that may be read.
    @inline(__always)
    func isClean(before end: UnsafePointer<UInt8>) -> Bool {
        guard let start = baseAddress else { return true }
        return cleanPrefixLength(readable: end - start) == count
    }
}

extension OutputBuffer {
    fileprivate mutating func appendEscape(_ prefix: StaticString, _ value: UInt32, digits: Int) {
        append(prefix)
        for position in (0..<digits).reversed() {
            let digit = UInt8(truncatingIfNeeded: value >> (4 * UInt32(position)) & 0xF)
            append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }
}
