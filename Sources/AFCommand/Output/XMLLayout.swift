/// XML with an element on a line each, further in for each level.
///
/// Only white space between tags changes, and only in elements that hold no text: the content of all others, CDATA and
/// comments in it included, stays byte for byte, as do declarations, comments and the inside of tags. An element
/// without content becomes an empty tag.
struct XMLLayout {
    private let bytes: [UInt8]
    private let indent: Int
    /// Of every element in the order of their start tags: whether its content is to be left alone.
    private var isKept: [Bool] = []

    /// - Throws: where the bytes are no well-formed document.
    init(_ bytes: [UInt8], indent: Int) throws(XMLTokenizer.Malformation) {
        self.bytes = bytes
        self.indent = indent
        var tokenizer = XMLTokenizer(bytes)
        var open: [Int] = []
        var isBehindStartTag = false
        var isSpaceOnly = false
        while let token = try tokenizer.next() {
            switch token.kind {
            case .startTag:
                open.append(isKept.count)
                isKept.append(token.preservesSpace)
            case .text, .section: if let element = open.last { isKept[element] = true }
            case .endTag:
                // Nothing but white space: that may be what the element is about.
                if let element = open.popLast(), isSpaceOnly { isKept[element] = true }
            case .emptyTag, .space, .aside: break
            }
            isSpaceOnly = isBehindStartTag && token.kind == .space
            isBehindStartTag = token.kind == .startTag
        }
    }

    /// Gives the text piece by piece.
    func write(_ take: (ArraySlice<UInt8>) throws(OutputFailure) -> Void) throws(OutputFailure) {
        var tokenizer = XMLTokenizer(bytes)
        var element = 0
        var depth = 0
        /// The depth at which an element began whose content is left alone.
        var keptDepth: Int?
        /// A start tag that may turn out to be that of an empty element.
        var waiting: Range<Int>?
        var isFirst = true
        // The bytes were read to their end before: nothing is thrown.
        while let token = try? tokenizer.next() {
            if keptDepth != nil, token.kind != .startTag, token.kind != .endTag {
                try take(bytes[token.range])
                continue
            }
            if let tag = waiting.take() {
                if token.kind == .endTag {
                    depth -= 1
                    try take(emptyTag(tag))
                    continue
                }
                if token.kind == .space {
                    waiting = tag
                    continue
                }
                try take(bytes[tag])
            }
            switch token.kind {
            case .startTag:
                if keptDepth == nil { try breakLine(depth, &isFirst, take) }
                let isKept = isKept[element]
                element += 1
                depth += 1
                if keptDepth == nil, !isKept {
                    waiting = token.range
                } else {
                    keptDepth = keptDepth ?? depth
                    try take(bytes[token.range])
                }
            case .endTag:
                if keptDepth == nil { try breakLine(depth - 1, &isFirst, take) }
                if keptDepth == depth { keptDepth = nil }
                depth -= 1
                try take(bytes[token.range])
            case .emptyTag, .aside:
                try breakLine(depth, &isFirst, take)
                try take(bytes[token.range])
            case .space, .text, .section: break
            }
        }
    }

    /// A new line, indented for the open elements, unless those are too many.
    private func breakLine(
        _ depth: Int,
        _ isFirst: inout Bool,
        _ take: (ArraySlice<UInt8>) throws(OutputFailure) -> Void
    ) throws(OutputFailure) {
        defer { isFirst = false }
        guard !isFirst, depth <= JSONFormatter.maximumIndentedDepth else { return }
        try take([UInt8(ascii: "\n")] + [UInt8](repeating: UInt8(ascii: " "), count: depth * indent))
    }

    private func emptyTag(_ tag: Range<Int>) -> ArraySlice<UInt8> {
        let inside = bytes[tag].dropLast()
        let end = inside.lastIndex { !$0.isMarkupSpace } ?? inside.startIndex
        return inside[...end] + Array("/>".utf8)
    }
}
