internal import Glibc

extension HTTPHeaders {
    /// Parses the fields of a complete header, including its status line. Lines that are no fields are skipped.
    package init(parsingHead head: [UInt8]) {
        var fields: [HTTPHeader] = []
        head.withUnsafeBytes { bytes in
            var rest = bytes[...]
            _ = rest.popLine()
            while let line = rest.popLine(), !line.isBlankLine {
                if let field = HTTPHeader(line: line) {
                    fields.append(field)
                } else if line.continuesField, let last = fields.popLast() {
                    fields.append(
                        HTTPHeader(
                            name: last.name, value: String(octets: last.value.octets + [0x20] + line.trimmedLine)))
                }
            }
        }
        self.init(repeating: fields)
    }
}

extension HTTPHeader {
    /// Parses a field line; `nil` if it has no name.
    package init?(line: UnsafeRawBufferPointer) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0, line[0] > 0x20 else { return nil }
        let name = UnsafeRawBufferPointer(rebasing: line[..<colon])
        let value = UnsafeRawBufferPointer(rebasing: line[(colon + 1)...])
        self.init(
            name: String(octets: name.trimmedLine),
            value: String(octets: value.trimmedLine)
        )
    }
}

extension UInt8 {
    fileprivate var isBlankOrLineEnd: Bool { self == 0x20 || self == 0x0D || self == 0x0A || self == 0x09 }
}

extension UnsafeRawBufferPointer {
    /// The line without surrounding blanks and line ending.
    package var trimmedLine: Slice<UnsafeRawBufferPointer> {
        var start = startIndex
        var end = endIndex
        while start < end, self[start] == 0x20 || self[start] == 0x09 { start += 1 }
        // Other control characters are part of the value.
        while end > start, self[end - 1].isBlankOrLineEnd { end -= 1 }
        return self[start..<end]
    }

    /// Whether this is the empty line after a header.
    package var isBlankLine: Bool { count > 0 && (self[0] == 0x0D || self[0] == 0x0A) }

    /// Whether the line continues the value of the previous field (RFC 9112 §5.2).
    package var continuesField: Bool { count > 0 && (self[0] == 0x20 || self[0] == 0x09) }
}

extension Slice<UnsafeRawBufferPointer> {
    /// Removes and returns the first line with its line ending; `nil` at the end.
    package mutating func popLine() -> UnsafeRawBufferPointer? {
        guard let start = UnsafeRawBufferPointer(rebasing: self).baseAddress, !isEmpty else { return nil }
        // `firstIndex` compares byte by byte: 2,500 instructions for the header of a small response.
        let length = memchr(start, 0x0A, count).map { start.distance(to: $0) + 1 } ?? count
        removeFirst(length)
        return UnsafeRawBufferPointer(start: start, count: length)
    }
}
