internal import AFJSON

/// Pretty-prints JSON (RFC 8259) as it arrives, in constant memory.
///
/// Order, duplicate keys and the notation of numbers are preserved. Each of several documents starts on a new line.
/// Escapes of visible characters are shown as those characters, others are unchanged. A byte order mark is removed; a
/// guard before the JSON, such as `)]}',`, is kept.
///
/// From the first invalid byte on, everything is unformatted; see ``brokenOffset``.
package struct JSONFormatter: BodyFormatting {
    package enum Layout: Hashable, Sendable {
        /// One line per member and element, with this number of spaces per level.
        case indented(Int)
        /// Without white space, and with unchanged escapes: a line per text.
        case compact
        /// Unchanged white space and escapes: for colors only.
        case asReceived

        @inline(__always)
        var isIndented: Bool { if case .indented = self { true } else { false } }
    }

    private enum Part {
        case guardText, documents, unformatted
    }

    /// The maximum indentation depth: growing indentation would make the output many times as long as the input.
    static let maximumIndentedDepth = 128
    /// The maximum length of a guard; a longer text before the JSON is not JSON.
    static let maximumGuardLength = 256

    let layout: Layout
    let palette: Palette?
    let isForTerminal: Bool
    let isColored: Bool
    /// Whether commas and brackets have no color.
    let hasPlainCommas: Bool
    let pieces: JSONPieces
    /// The number of spaces per level.
    let indent: Int
    /// The maximum depth of containers with line breaks.
    let maximumBrokenDepth: Int

    /// The offset of the first invalid byte, or the length of input that ended too early; `nil` if it is valid so far.
    package private(set) var brokenOffset: Int?

    var tokenizer = JSONTokenizer()
    /// The notation of a high surrogate, which belongs to the next escape if that is a low one.
    var heldSurrogate: [UInt8]?
    /// The characters that replace their escapes.
    var visibleCharacters = VisibleCharacters()
    /// Sanitizes strings for a terminal.
    var stringSanitizer = Sanitizer(notation: .json)

    private var part = Part.documents
    private(set) var guardLength = 0
    /// Sanitizes text that is not JSON for a terminal.
    private var textSanitizer = Sanitizer(notation: .text)
    /// The number of input bytes before the current chunk.
    private var offset = 0
    /// Whether the previous chunk ended in white space.
    private var endedInSpace = false

    /// Creates a formatter.
    ///
    /// - Parameter isForTerminal: Whether control sequences are escaped for a terminal.
    package init(layout: Layout = .indented(4), palette: Palette? = nil, isForTerminal: Bool = false) {
        self.layout = layout
        self.palette = palette
        self.isForTerminal = isForTerminal
        (indent, maximumBrokenDepth) =
            if case .indented(let indent) = layout { (indent, Self.maximumIndentedDepth) } else { (0, -1) }
        isColored = palette != nil
        hasPlainCommas = palette.map { $0.punctuation == .plain } ?? true
        pieces =
            palette.map { JSONPieces($0, separatesMembers: layout.isIndented) }
            ?? (layout.isIndented ? .spaced : .unspaced)
    }

    package var warning: String? {
        brokenOffset.map { "the body is not JSON from byte \($0 + 1) on, and unformatted from there" }
    }

    package mutating func consume(_ bytes: UnsafeRawBufferPointer, into buffer: inout OutputBuffer)
        throws(OutputFailure)
    {
        guard let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        if part == .unformatted, !isForTerminal { return try buffer.pass(bytes) }
        var start = 0
        while start < bytes.count {
            let count = min(Self.chunkSize, bytes.count - start)
            try format(base + start, to: base + start + count, into: &buffer)
            offset += count
            start += count
            try buffer.drain()
        }
    }

    package mutating func finish(into buffer: inout OutputBuffer) throws(OutputFailure) {
        switch part {
        case .guardText: brokenOffset = 0
        case .documents:
            withUnsafeMutablePointer(to: &buffer) { buffer in
                var cursor = OutputCursor(buffer)
                endTokens(into: &cursor)
                cursor.commit()
            }
            if tokenizer.failure != nil {
                brokenOffset = offset
                leaveToken(into: &buffer)
            }
        case .unformatted: break
        }
        textSanitizer.finish(into: &buffer)
        part = .unformatted
        try buffer.drain()
    }

    private mutating func format(
        _ start: Position,
        to end: Position,
        into buffer: inout OutputBuffer
    ) throws(OutputFailure) {
        var position = start
        while position < end {
            switch part {
            case .documents:
                position = withUnsafeMutablePointer(to: &buffer) { buffer in
                    var cursor = OutputCursor(buffer)
                    defer { cursor.commit() }
                    return readTokens(position, to: end, into: &cursor)
                }
                guard tokenizer.failure != nil else { continue }
                leaveDocuments(isSpaced: position > start ? position[-1].isJSONSpace : endedInSpace, into: &buffer)
                if part == .unformatted { brokenOffset = offset + (position - start) }
            case .guardText: position = continueGuard(position, to: end, into: &buffer)
            case .unformatted:
                showUnformatted(UnsafeRawBufferPointer(start: position, count: end - position), into: &buffer)
                position = end
            }
        }
        endedInSpace = end[-1].isJSONSpace
    }
}

/// Text before the JSON, and what follows an invalid byte.
extension JSONFormatter {
    /// Ends the formatting before an invalid byte, or starts a guard if there was no document.
    ///
    /// - Parameter isSpaced: Whether white space preceded the byte: `1 2` must not become `12`.
    private mutating func leaveDocuments(isSpaced: Bool, into buffer: inout OutputBuffer) {
        if guardLength == 0, let held = startOfGuard {
            tokenizer = JSONTokenizer()
            part = .guardText
            guardLength = held.count
            return held.withUnsafeBytes { showUnformatted($0, into: &buffer) }
        }
        if isSpaced, layout != .asReceived {
            switch tokenizer.state {
            case .document: buffer.append(UInt8(ascii: "\n"))
            case .colon, .firstKey, .firstElement, .afterValue: buffer.append(UInt8(ascii: " "))
            default: break
            }
        }
        leaveToken(into: &buffer)
        part = .unformatted
    }

    /// The bytes that were read if they may start a guard: a part of a byte order mark, an apparent literal (the `f` of
    /// `for(;;);`), or none.
    private var startOfGuard: [UInt8]? {
        switch tokenizer.state {
        case .mark: Array(JSONTokenizer.byteOrderMark.prefix(tokenizer.markLength))
        case .document where tokenizer.documentCount == 0: []
        case .literal
        where tokenizer.documentCount == 1 && tokenizer.containers.depth == 0 && !tokenizer.isLiteralComplete:
            Array(tokenizer.readLiteral)
        default: nil
        }
    }

    /// Writes the guard up to the first byte that can start a container or a string.
    private mutating func continueGuard(
        _ start: Position,
        to end: Position,
        into buffer: inout OutputBuffer
    ) -> Position {
        var position = start
        while position < end, guardLength <= Self.maximumGuardLength {
            switch position.pointee {
            case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""):
                showUnformatted(UnsafeRawBufferPointer(start: start, count: position - start), into: &buffer)
                textSanitizer.finish(into: &buffer)
                part = .documents
                return position
            default:
                guardLength += 1
                position += 1
            }
        }
        if guardLength > Self.maximumGuardLength {
            part = .unformatted
            brokenOffset = 0
        }
        showUnformatted(UnsafeRawBufferPointer(start: start, count: position - start), into: &buffer)
        return position
    }

    /// Writes the buffered part of the current token and ends its color.
    private mutating func leaveToken(into buffer: inout OutputBuffer) {
        switch tokenizer.state {
        case .string, .escape:
            leaveString(into: &buffer)
            buffer.append(tokenizer.escape)
            if let palette { buffer.end(tokenizer.isKey ? palette.key : palette.string) }
        case .number:
            if let palette { buffer.end(palette.number) }
        case .literal: buffer.append(UnsafeRawBufferPointer(tokenizer.readLiteral))
        case .mark: startOfGuard?.withUnsafeBytes { showUnformatted($0, into: &buffer) }
        default: break
        }
    }

    /// Writes text that is not JSON: before it, and from the first invalid byte on.
    private mutating func showUnformatted(_ bytes: UnsafeRawBufferPointer, into buffer: inout OutputBuffer) {
        if isForTerminal { textSanitizer.sanitize(bytes, into: &buffer) } else { buffer.append(bytes) }
    }
}
