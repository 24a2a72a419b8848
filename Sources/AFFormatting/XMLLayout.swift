/// XML with each element on its own line, indented by level.
///
/// Only white space between tags changes, and only in elements without text: the contents of other elements, CDATA and
/// comments included, are unchanged, as are declarations, comments and the inside of tags. An element without content
/// becomes an empty tag.
struct XMLLayout {
    private enum Content {
        /// Elements, each on its own line.
        case elements
        /// Text, possibly among other things: unchanged.
        case text
        case nothing
    }

    private let bytes: [UInt8]
    private let indent: Int
    /// The contents of the elements, in the order of their start tags.
    private var contents: [Content] = []

    /// Creates a layout.
    ///
    /// - Throws: ``XMLTokenizer/SyntaxError`` if the document is not well-formed.
    init(_ bytes: [UInt8], indent: Int) throws(XMLTokenizer.SyntaxError) {
        self.bytes = bytes
        self.indent = indent
        var tokenizer = XMLTokenizer(bytes)
        var open: [Int] = []
        var isBehindStartTag = false
        var isBehindOnlySpace = false
        while let token = try tokenizer.next() {
            switch token.kind {
            case .startTag:
                open.append(contents.count)
                contents.append(token.preservesSpace ? .text : .elements)
            case .text, .section: if let element = open.last { contents[element] = .text }
            case .endTag:
                guard let element = open.popLast() else { break }
                if isBehindStartTag { contents[element] = .nothing }
                // White space only may be significant.
                if isBehindOnlySpace { contents[element] = .text }
            case .emptyTag, .space, .aside: break
            }
            isBehindOnlySpace = isBehindStartTag && token.kind == .space
            isBehindStartTag = token.kind == .startTag
        }
    }

    /// Writes the text in chunks.
    func write(_ take: (ArraySlice<UInt8>) throws(OutputFailure) -> Void) throws(OutputFailure) {
        var tokenizer = XMLTokenizer(bytes)
        var contents = contents[...]
        /// The number of open elements within the unchanged one, including itself.
        var verbatimDepth: Int?
        var isFirst = true
        // The bytes were parsed before: nothing is thrown.
        while let token = try? tokenizer.next() {
            let content = token.kind == .startTag ? contents.popFirst() : nil
            if let depth = verbatimDepth {
                try take(bytes[token.range])
                if tokenizer.depth < depth { verbatimDepth = nil }
                continue
            }
            if token.kind == .space { continue }
            let level = token.kind == .startTag ? tokenizer.depth - 1 : tokenizer.depth
            if !isFirst { try take(lineBreak(level)) }
            isFirst = false
            if content == .nothing {
                try take(emptyTag(token.range))
                _ = try? tokenizer.next()
            } else {
                try take(bytes[token.range])
                if content == .text { verbatimDepth = tokenizer.depth }
            }
        }
    }

    /// Returns a line break with indentation, up to a maximum depth.
    private func lineBreak(_ level: Int) -> ArraySlice<UInt8> {
        guard level <= JSONFormatter.maximumIndentedDepth else { return [] }
        return [UInt8(ascii: "\n")] + [UInt8](repeating: UInt8(ascii: " "), count: level * indent)
    }

    private func emptyTag(_ tag: Range<Int>) -> ArraySlice<UInt8> {
        let inside = bytes[tag].dropLast()
        let end = inside.lastIndex { !$0.isMarkupSpace } ?? inside.startIndex
        return inside[...end] + Array("/>".utf8)
    }
}
