/// The structure between the tokens.
extension JSONFormatter {
    /// Processes a byte between two tokens that is not white space; returns `false` if it is invalid.
    @inline(__always)
    mutating func accept(_ byte: UInt8, into buffer: inout OutputBuffer) -> Bool {
        switch state {
        case .afterValue: acceptAfterValue(byte, into: &buffer)
        case .colon: acceptColon(byte, into: &buffer)
        case .key: acceptKey(byte, into: &buffer)
        case .value: beginValue(byte, into: &buffer)
        case .firstKey: acceptFirstKey(byte, into: &buffer)
        case .firstElement: acceptFirstElement(byte, into: &buffer)
        case .betweenDocuments: acceptDocument(byte, into: &buffer)
        // White space must follow a top-level number: `12:30` and `2024-01-01` are not JSON.
        default: false
        }
    }

    @inline(__always)
    private mutating func acceptAfterValue(_ byte: UInt8, into buffer: inout OutputBuffer) -> Bool {
        switch byte {
        case UInt8(ascii: ","):
            punctuate(byte, into: &buffer)
            breakLine(into: &buffer)
            state = containers.isInObject ? .key : .value
        case UInt8(ascii: "}") where containers.isInObject, UInt8(ascii: "]") where !containers.isInObject:
            close(byte, isEmpty: false, into: &buffer)
        default: return false
        }
        return true
    }

    @inline(__always)
    private mutating func acceptColon(_ byte: UInt8, into buffer: inout OutputBuffer) -> Bool {
        guard byte == UInt8(ascii: ":") else { return false }
        punctuate(byte, into: &buffer)
        if layout.isIndented { buffer.append(UInt8(ascii: " ")) }
        state = .value
        return true
    }

    @inline(__always)
    private mutating func acceptKey(_ byte: UInt8, into buffer: inout OutputBuffer) -> Bool {
        guard byte == UInt8(ascii: "\"") else { return false }
        beginString(isKey: true, into: &buffer)
        return true
    }

    private mutating func acceptFirstKey(_ byte: UInt8, into buffer: inout OutputBuffer) -> Bool {
        if byte == UInt8(ascii: "}") {
            close(byte, isEmpty: true, into: &buffer)
            return true
        }
        guard byte == UInt8(ascii: "\"") else { return false }
        breakLine(into: &buffer)
        return acceptKey(byte, into: &buffer)
    }

    private mutating func acceptFirstElement(_ byte: UInt8, into buffer: inout OutputBuffer) -> Bool {
        if byte == UInt8(ascii: "]") {
            close(byte, isEmpty: true, into: &buffer)
            return true
        }
        guard byte.beginsJSONValue else { return false }
        breakLine(into: &buffer)
        return beginValue(byte, into: &buffer)
    }

    private mutating func acceptDocument(_ byte: UInt8, into buffer: inout OutputBuffer) -> Bool {
        guard byte.beginsJSONValue else { return false }
        if documentCount > 0, layout != .asReceived { buffer.append(UInt8(ascii: "\n")) }
        documentCount += 1
        return beginValue(byte, into: &buffer)
    }

    @inline(__always)
    private mutating func beginValue(_ byte: UInt8, into buffer: inout OutputBuffer) -> Bool {
        switch byte {
        case UInt8(ascii: "\""): beginString(isKey: false, into: &buffer)
        case UInt8(ascii: "{"), UInt8(ascii: "["): return open(byte, into: &buffer)
        case UInt8(ascii: "t"): beginLiteral("true")
        case UInt8(ascii: "f"): beginLiteral("false")
        case UInt8(ascii: "n"): beginLiteral("null")
        default: return beginNumber(byte, into: &buffer)
        }
        return true
    }

    private mutating func open(_ byte: UInt8, into buffer: inout OutputBuffer) -> Bool {
        guard !containers.isFull else { return false }
        let isObject = byte == UInt8(ascii: "{")
        punctuate(byte, into: &buffer)
        containers.push(isObject: isObject)
        state = isObject ? .firstKey : .firstElement
        return true
    }

    private mutating func close(_ byte: UInt8, isEmpty: Bool, into buffer: inout OutputBuffer) {
        let staysOnLine = isEmpty || containers.depth > Self.maximumIndentedDepth
        containers.pop()
        if !staysOnLine { breakLine(into: &buffer) }
        punctuate(byte, into: &buffer)
        state = containers.depth == 0 ? .betweenDocuments : .afterValue
    }

    @inline(__always)
    private func punctuate(_ byte: UInt8, into buffer: inout OutputBuffer) {
        guard let palette else { return buffer.append(byte) }
        buffer.begin(palette.punctuation)
        buffer.append(byte)
        buffer.end(palette.punctuation)
    }

    /// Writes a line break with indentation, up to a maximum depth.
    @inline(__always)
    private func breakLine(into buffer: inout OutputBuffer) {
        guard case .indented(let indent) = layout, containers.depth <= Self.maximumIndentedDepth else { return }
        let width = containers.depth * indent
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
