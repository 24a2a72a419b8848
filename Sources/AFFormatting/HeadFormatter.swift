package import AFHTTP

/// Formats the header of a request or a response.
///
/// Without colors and sorting a header is written unchanged. Colored headers end their lines with LF, others with CRLF.
package struct HeadFormatter {
    package let palette: Palette?
    /// Whether fields are sorted by name, bytewise; fields of one name keep their order.
    package let isSorted: Bool
    /// Whether control sequences are escaped for a terminal.
    package let isForTerminal: Bool
    /// Whether a brace at the start of a line is escaped, as lines with one are events.
    package let isBesideEvents: Bool

    package init(
        palette: Palette? = nil, isSorted: Bool = false, isForTerminal: Bool = false, isBesideEvents: Bool = false
    ) {
        self.palette = palette
        self.isSorted = isSorted
        self.isForTerminal = isForTerminal
        self.isBesideEvents = isBesideEvents
    }

    /// Writes a header from its parts.
    package func format(startLine: String, headers: HTTPHeaders, into buffer: inout OutputBuffer) {
        format(Self.head(startLine: startLine, headers: headers), into: &buffer)
    }

    /// Returns a header from its parts, for headers without a textual form (HTTP/2, dry runs).
    package static func head(startLine: String, headers: HTTPHeaders) -> [UInt8] {
        var head = startLine + "\r\n"
        for field in headers { head += "\(field.name):\(field.value.isEmpty ? "" : " ")\(field.value)\r\n" }
        return (head + "\r\n").octets
    }

    /// Writes a header from its bytes, including the blank line.
    package func format(_ head: [UInt8], into buffer: inout OutputBuffer) {
        let head = isBesideEvents ? head.escapingLeadingBraces : head
        guard palette != nil || isSorted else { return show(head[...], into: &buffer) }
        var (start, fields) = lines(of: head)
        if isSorted { sort(&fields) }
        if let start { showStart(start, into: &buffer) }
        for field in fields { showField(field, into: &buffer) }
        endLine(into: &buffer)
    }

    /// Writes trailer fields.
    ///
    /// - Parameter isSeparated: Whether a blank line follows.
    package func format(trailers: HTTPHeaders, isSeparated: Bool = true, into buffer: inout OutputBuffer) {
        var fields = trailers.map { field in
            let line = "\(field.name):\(field.value.isEmpty ? "" : " ")\(field.value)".octets
            return (isBesideEvents ? line.escapingLeadingBraces : line)[...]
        }
        if isSorted { sort(&fields) }
        for field in fields { showField(field, into: &buffer) }
        if isSeparated { endLine(into: &buffer) }
    }

    /// Returns the start line and the field lines without line ends; a folded field (RFC 9112 §5.2) is one element.
    private func lines(of head: [UInt8]) -> (start: ArraySlice<UInt8>?, fields: [ArraySlice<UInt8>]) {
        var lines: [ArraySlice<UInt8>] = []
        for line in head.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            let isFolded = line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t")
            if isFolded, lines.count > 1, let field = lines.popLast() {
                lines.append(head[field.startIndex..<line.endIndex])
            } else if !line.isEmpty {
                lines.append(line)
            }
        }
        return (lines.first, Array(lines.dropFirst()))
    }

    private func sort(_ fields: inout [ArraySlice<UInt8>]) {
        let keyed = fields.map { (name: $0.prefix { $0 != UInt8(ascii: ":") }, field: $0) }
        // The standard library's sort is stable.
        fields = keyed.sorted { $0.name.lexicographicallyPrecedes($1.name) }.map(\.field)
    }

    private func showStart(_ line: ArraySlice<UInt8>, into buffer: inout OutputBuffer) {
        guard let palette else {
            show(line, into: &buffer)
            return endLine(into: &buffer)
        }
        let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
        for (index, word) in words.enumerated() {
            if index > 0 { buffer.append(UInt8(ascii: " ")) }
            show(word, palette.style(ofWord: index, in: words), into: &buffer)
        }
        endLine(into: &buffer)
    }

    private func showField(_ line: ArraySlice<UInt8>, into buffer: inout OutputBuffer) {
        if let palette, let colon = line.firstIndex(of: UInt8(ascii: ":")) {
            show(line[..<colon], palette.fieldName, into: &buffer)
            show(line[colon...colon], palette.punctuation, into: &buffer)
            show(folded: line[(colon + 1)...], palette.fieldValue, into: &buffer)
        } else {
            show(line, into: &buffer)
        }
        endLine(into: &buffer)
    }

    /// Writes a folded value (RFC 9112 §5.2), with the line ends of the output.
    private func show(folded value: ArraySlice<UInt8>, _ style: TextStyle, into buffer: inout OutputBuffer) {
        let lines = value.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            if index > 0 { endLine(into: &buffer) }
            show(line.last == UInt8(ascii: "\r") ? line.dropLast() : line, style, into: &buffer)
        }
    }

    private func endLine(into buffer: inout OutputBuffer) {
        buffer.append(palette == nil ? "\r\n" as StaticString : "\n")
    }

    private func show(_ bytes: ArraySlice<UInt8>, _ style: TextStyle, into buffer: inout OutputBuffer) {
        guard !bytes.isEmpty else { return }
        buffer.begin(style)
        show(bytes, into: &buffer)
        buffer.end(style)
    }

    private func show(_ bytes: ArraySlice<UInt8>, into buffer: inout OutputBuffer) {
        bytes.withUnsafeBytes { bytes in
            guard Safety.refuses("05-heads", isForTerminal) else { return buffer.append(bytes) }
            var sanitizer = Sanitizer(notation: .text)
            sanitizer.sanitize(bytes, into: &buffer)
            sanitizer.finish(into: &buffer)
        }
    }
}

extension Palette {
    /// Returns the style of a word of a start line: `GET /path HTTP/1.1` or `HTTP/1.1 404 Not Found`.
    fileprivate func style(ofWord index: Int, in words: [ArraySlice<UInt8>]) -> TextStyle {
        let isResponse = words.first?.starts(with: "HTTP/".utf8) ?? false
        if !isResponse { return [method, target, version][index] }
        if index == 0 { return version }
        let code = words.count > 1 ? Int(String(decoding: words[1], as: UTF8.self)) : nil
        return code.map(status) ?? .plain
    }
}

extension [UInt8] {
    /// The lines with an escape for each brace that is their first character.
    fileprivate var escapingLeadingBraces: [UInt8] {
        var escaped: [UInt8] = []
        var isAtStart = true
        for byte in self {
            if isAtStart, byte == UInt8(ascii: "{") { escaped += "\\x7b".utf8 } else { escaped.append(byte) }
            let isBlank = byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
            isAtStart = byte == UInt8(ascii: "\n") || isAtStart && isBlank
        }
        return escaped
    }
}
