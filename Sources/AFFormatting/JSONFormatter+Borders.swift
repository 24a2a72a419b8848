internal import AFJSON

/// Text before the JSON, and its premature end.
extension JSONFormatter {
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Finds the first byte of the first document after a byte order mark and white space.
    mutating func begin(_ position: Position, at offset: Int, into buffer: inout OutputBuffer) -> Position {
        let byte = position.pointee
        if offset == markLength, markLength < 3, byte == Self.byteOrderMark[markLength] {
            markLength += 1
            if markLength == 3, layout == .asReceived { buffer.append(Self.byteOrderMark) }
            return position + 1
        }
        if markLength == 0 || markLength == 3, byte.isJSONSpace {
            showSpace(byte, into: &buffer)
            return position + 1
        }
        state = .betweenDocuments
        if markLength % 3 == 0, accept(byte, into: &buffer) { return position + 1 }
        beginGuard(with: Array(Self.byteOrderMark.prefix(markLength % 3)), into: &buffer)
        return position
    }

    private mutating func beginGuard(with held: [UInt8], into buffer: inout OutputBuffer) {
        state = .guardText
        guardLength = held.count
        held.withUnsafeBufferPointer { held in
            guard let start = held.baseAddress else { return }
            _ = showUnformatted(start, to: start + held.count, into: &buffer)
        }
    }

    /// Writes the guard up to the first byte that can start a container or a string.
    mutating func continueGuard(_ start: Position, to end: Position, into buffer: inout OutputBuffer) -> Position {
        var position = start
        while position < end, guardLength <= Self.maximumGuardLength {
            switch position.pointee {
            case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""):
                _ = showUnformatted(start, to: position, into: &buffer)
                textSanitizer.finish(into: &buffer)
                state = .betweenDocuments
                return position
            default:
                guardLength += 1
                position += 1
            }
        }
        if guardLength > Self.maximumGuardLength { state = .broken }
        return showUnformatted(start, to: position, into: &buffer)
    }

    /// Stops formatting before an invalid byte.
    ///
    /// - Parameter isSpaced: Whether omitted white space preceded it: `1 2` must not become `12`.
    mutating func refuse(isSpaced: Bool, into buffer: inout OutputBuffer) {
        if isSpaced, layout != .asReceived {
            switch state {
            case .betweenDocuments: buffer.append(UInt8(ascii: "\n"))
            case .colon, .firstKey, .firstElement, .afterValue: buffer.append(UInt8(ascii: " "))
            default: break
            }
        }
        state = .broken
    }

    /// Stops formatting, or treats an apparent first literal (the `f` of `for(;;);`) as a guard.
    mutating func stop(into buffer: inout OutputBuffer) {
        if state == .literal, documentCount == 1, containers.depth == 0, guardLength == 0 {
            let held = UnsafeBufferPointer(start: literal.utf8Start, count: literalLength)
            documentCount = 0
            return beginGuard(with: Array(held), into: &buffer)
        }
        leaveToken(into: &buffer)
        state = .broken
    }

    /// Writes the buffered part of the current token and ends its color.
    mutating func leaveToken(into buffer: inout OutputBuffer) {
        switch state {
        case .string, .escape:
            stringSanitizer.finish(into: &buffer)
            buffer.append(heldEscape)
            heldEscape = []
            if let palette { buffer.end(isKey ? palette.key : palette.string) }
        case .number:
            if let palette { buffer.end(palette.number) }
        case .literal:
            buffer.append(UnsafeRawBufferPointer(start: literal.utf8Start, count: literalLength))
        case .start where markLength < 3:
            beginGuard(with: Array(Self.byteOrderMark.prefix(markLength)), into: &buffer)
        default: break
        }
    }
}
