/// Splits XML (fifth edition, §2) into tags and the text between them, and checks that it is well-formed, as far as
/// that is possible without reading declarations.
struct XMLTokenizer {
    struct Token {
        enum Kind {
            case startTag, emptyTag, endTag
            /// White space only.
            case space
            case text
            /// A CDATA section: `<![CDATA[…]]>`.
            case section
            /// A comment, an instruction, the XML declaration or the document type declaration.
            case aside
        }

        let kind: Kind
        let range: Range<Int>
        /// The name of a tag.
        var name: Range<Int> = 0..<0
        /// Whether a start tag requires the white space inside to be preserved (§2.10).
        var preservesSpace = false
    }

    /// The offset at which the text is not well-formed.
    struct SyntaxError: Error { let offset: Int }

    /// The maximum depth: only attacks exceed it.
    static let maximumDepth = 1 << 20

    private let bytes: [UInt8]
    private(set) var position: Int
    /// The names of the open elements.
    private var open: [Range<Int>] = []
    private var hasRoot = false
    private var hasDocumentType = false
    private let start: Int

    /// The number of open elements.
    var depth: Int { open.count }

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        // A byte order mark
        start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        position = start
    }

    /// Returns the next token; `nil` at the end.
    mutating func next() throws(SyntaxError) -> Token? {
        guard position < bytes.count else {
            if !hasRoot || !open.isEmpty { throw SyntaxError(offset: bytes.count) }
            return nil
        }
        let from = position
        guard bytes[from] == UInt8(ascii: "<") else { return try text(from) }
        switch byte(from + 1) {
        case UInt8(ascii: "/"): return try endTag(from)
        case UInt8(ascii: "?"): return try instruction(from)
        case UInt8(ascii: "!"): return try declaration(from)
        default: return try startTag(from)
        }
    }

    private func byte(_ index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func text(_ from: Int) throws(SyntaxError) -> Token {
        let end = bytes[from...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        position = end
        if bytes[from..<end].allSatisfy(\.isMarkupSpace) { return Token(kind: .space, range: from..<end) }
        if open.isEmpty { throw SyntaxError(offset: from) }
        try checkReferences(from..<end)
        return Token(kind: .text, range: from..<end)
    }

    /// Checks that every `&` starts a reference (§4.1); its target is not checked.
    private func checkReferences(_ range: Range<Int>) throws(SyntaxError) {
        var rest = bytes[range]
        while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
            guard let end = rest[start...].prefix(64).firstIndex(of: UInt8(ascii: ";")) else {
                throw SyntaxError(offset: start)
            }
            let name = rest[(start + 1)..<end]
            let isNumber = name.first == UInt8(ascii: "#") && name.count > 1
            guard isNumber || name.first?.beginsMarkupName == true, name.allSatisfy({ !$0.isMarkupSpace }) else {
                throw SyntaxError(offset: start)
            }
            rest = rest[(end + 1)...]
        }
    }

    private mutating func startTag(_ from: Int) throws(SyntaxError) -> Token {
        if open.isEmpty, hasRoot { throw SyntaxError(offset: from) }
        position = from + 1
        let name = try takeName()
        var preservesSpace = false
        while true {
            let isSpaced = skipSpace()
            switch byte(position) {
            case UInt8(ascii: ">"):
                guard open.count < Self.maximumDepth else { throw SyntaxError(offset: from) }
                position += 1
                open.append(name)
                hasRoot = true
                return Token(
                    kind: .startTag, range: from..<position, name: name, preservesSpace: preservesSpace)
            case UInt8(ascii: "/") where byte(position + 1) == UInt8(ascii: ">"):
                position += 2
                hasRoot = true
                return Token(kind: .emptyTag, range: from..<position, name: name)
            default:
                guard isSpaced else { throw SyntaxError(offset: position) }
                let (attribute, value) = try takeAttribute()
                if bytes[attribute].elementsEqual("xml:space".utf8), bytes[value].elementsEqual("preserve".utf8) {
                    preservesSpace = true
                }
            }
        }
    }

    private mutating func endTag(_ from: Int) throws(SyntaxError) -> Token {
        position = from + 2
        let name = try takeName()
        skipSpace()
        guard byte(position) == UInt8(ascii: ">"), let expected = open.popLast(), bytes[expected] == bytes[name] else {
            throw SyntaxError(offset: from)
        }
        position += 1
        return Token(kind: .endTag, range: from..<position, name: name)
    }

    private mutating func takeName() throws(SyntaxError) -> Range<Int> {
        guard let first = byte(position), first.beginsMarkupName else { throw SyntaxError(offset: position) }
        let end = bytes[position...].firstIndex { !$0.continuesMarkupName } ?? bytes.count
        defer { position = end }
        return position..<end
    }

    private mutating func takeAttribute() throws(SyntaxError) -> (name: Range<Int>, value: Range<Int>) {
        let name = try takeName()
        skipSpace()
        guard byte(position) == UInt8(ascii: "=") else { throw SyntaxError(offset: position) }
        position += 1
        skipSpace()
        guard let quote = byte(position), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw SyntaxError(offset: position)
        }
        let start = position + 1
        guard let end = bytes[start...].firstIndex(where: { $0 == quote || $0 == UInt8(ascii: "<") }),
            bytes[end] == quote
        else { throw SyntaxError(offset: start) }
        try checkReferences(start..<end)
        position = end + 1
        return (name, start..<end)
    }

    @discardableResult
    private mutating func skipSpace() -> Bool {
        let from = position
        position = bytes[from...].firstIndex { !$0.isMarkupSpace } ?? bytes.count
        return position > from
    }

    private mutating func instruction(_ from: Int) throws(SyntaxError) -> Token {
        position = from + 2
        let target = try takeName()
        // The XML declaration is allowed at the start only (§2.8).
        if from != start, bytes[target].map({ $0 | 0x20 }).elementsEqual("xml".utf8) {
            throw SyntaxError(offset: from)
        }
        position = try end(of: "?>", from: position, begunAt: from)
        return Token(kind: .aside, range: from..<position)
    }

    private mutating func declaration(_ from: Int) throws(SyntaxError) -> Token {
        if bytes[from...].starts(with: "<!--".utf8) {
            let end = try end(of: "--", from: from + 4, begunAt: from)
            guard byte(end) == UInt8(ascii: ">") else { throw SyntaxError(offset: end) }
            position = end + 1
            return Token(kind: .aside, range: from..<position)
        }
        if bytes[from...].starts(with: "<![CDATA[".utf8), !open.isEmpty {
            position = try end(of: "]]>", from: from + 9, begunAt: from)
            return Token(kind: .section, range: from..<position)
        }
        guard bytes[from...].starts(with: "<!DOCTYPE".utf8), !hasRoot, !hasDocumentType else {
            throw SyntaxError(offset: from)
        }
        hasDocumentType = true
        position = try endOfDocumentType(from)
        return Token(kind: .aside, range: from..<position)
    }

    /// Returns the end of the first occurrence of the text.
    private func end(of text: StaticString, from: Int, begunAt start: Int) throws(SyntaxError) -> Int {
        let text = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        var searchStart = from
        while let index = bytes[min(searchStart, bytes.count)...].firstIndex(of: text[0]) {
            if bytes[index...].starts(with: text) { return index + text.count }
            searchStart = index + 1
        }
        throw SyntaxError(offset: start)
    }

    /// Quoted strings and comments of an internal subset may contain brackets.
    private func endOfDocumentType(_ from: Int) throws(SyntaxError) -> Int {
        var index = from + 9
        var isInSubset = false
        while let byte = byte(index) {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                guard let quote = bytes[(index + 1)...].firstIndex(of: byte) else { throw SyntaxError(offset: from) }
                index = quote
            case UInt8(ascii: "<") where bytes[index...].starts(with: "<!--".utf8):
                index = try end(of: "-->", from: index + 4, begunAt: index) - 1
            case UInt8(ascii: "["): isInSubset = true
            case UInt8(ascii: "]"): isInSubset = false
            case UInt8(ascii: ">") where !isInSubset: return index + 1
            default: break
            }
            index += 1
        }
        throw SyntaxError(offset: from)
    }
}

extension UInt8 {
    fileprivate var continuesMarkupName: Bool {
        beginsMarkupName || 0x30...0x39 ~= self || self == UInt8(ascii: "-") || self == UInt8(ascii: ".")
    }
}
