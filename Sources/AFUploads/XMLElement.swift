internal import AFHTTP

/// An element of a small XML document from a server: elements, attributes that are ignored, and text.
///
/// Declarations of document types, comments, CDATA sections and processing instructions are rejected: no response of S3
/// has them, and entities cannot be defined without them.
struct XMLElement: Hashable, Sendable {
    let name: String
    private(set) var text = ""
    private(set) var children: [XMLElement] = []

    fileprivate init(_ name: String) { self.name = name }

    /// Parses a document.
    ///
    /// - Returns: The root; `nil` unless the document is complete and well-formed.
    init?(parsing document: [UInt8]) {
        guard String(validating: document, as: UTF8.self) != nil else { return nil }
        var parser = XMLElementParser(bytes: document)
        guard let root = parser.parse() else { return nil }
        self = root
    }

    /// Returns the text of the child with this name; `nil` unless there is exactly one, which has no children.
    func only(_ name: String) -> String? {
        let named = children.filter { $0.name == name }
        return named.count == 1 && named[0].children.isEmpty ? named[0].text : nil
    }

    fileprivate mutating func append(_ text: String) { self.text += text }
    fileprivate mutating func append(_ child: XMLElement) { children.append(child) }
}

private struct XMLElementParser {
    let bytes: [UInt8]
    private var position = 0
    /// The open elements, the root first.
    private var open: [XMLElement] = []
    private var root: XMLElement?

    private static let maximumDepth = 8
    private static let entities = ["amp": "&", "apos": "'", "gt": ">", "lt": "<", "quot": "\""]

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func parse() -> XMLElement? {
        skip("\u{FEFF}")
        skipBlanks()
        if skip("<?xml"), skipTag() == nil { return nil }
        while position < bytes.count {
            let isParsed = bytes[position] == UInt8(ascii: "<") ? parseTag() : parseText()
            guard isParsed else { return nil }
        }
        return open.isEmpty ? root : nil
    }

    private mutating func parseTag() -> Bool {
        if skip("</") {
            guard let name = parseName(), let element = open.popLast(), element.name == name else { return false }
            skipBlanks()
            return skip(">") && close(element)
        }
        guard skip("<"), root == nil, open.count < Self.maximumDepth, let name = parseName(),
            let isEmpty = skipTag()
        else { return false }
        if isEmpty { return close(XMLElement(name)) }
        open.append(XMLElement(name))
        return true
    }

    private mutating func close(_ element: XMLElement) -> Bool {
        if open.isEmpty { root = element } else { open[open.count - 1].append(element) }
        return true
    }

    /// Skips the attributes and the end of a tag.
    ///
    /// - Returns: Whether the element is empty, or it is a declaration; `nil` if the tag does not end.
    private mutating func skipTag() -> Bool? {
        var quote: UInt8?
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if let mark = quote {
                if byte == mark { quote = nil }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
            case UInt8(ascii: "<"): return nil
            case UInt8(ascii: ">"): return [UInt8(ascii: "/"), UInt8(ascii: "?")].contains(bytes[position - 2])
            default: break
            }
        }
        return nil
    }

    private mutating func parseName() -> String? {
        let start = position
        while position < bytes.count, bytes[position].isOfXMLName { position += 1 }
        guard position > start, position < bytes.count,
            bytes[position].isXMLBlank || "/>".utf8.contains(bytes[position])
        else { return nil }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func parseText() -> Bool {
        let end = bytes[position...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        let raw = bytes[position..<end]
        position = end
        guard !open.isEmpty else { return raw.allSatisfy(\.isXMLBlank) }
        guard let text = Self.decoded(raw) else { return false }
        open[open.count - 1].append(text)
        return true
    }

    /// Returns the text with its references replaced; `nil` if one is unknown.
    private static func decoded(_ raw: ArraySlice<UInt8>) -> String? {
        let parts = raw.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        var text = String(decoding: parts.first ?? [], as: UTF8.self)
        for part in parts.dropFirst() {
            guard let end = part.prefix(12).firstIndex(of: UInt8(ascii: ";")),
                let character = character(String(decoding: part[..<end], as: UTF8.self))
            else { return nil }
            text += character + String(decoding: part[part.index(after: end)...], as: UTF8.self)
        }
        return text
    }

    /// Returns the character of a reference without its `&` and `;`.
    private static func character(_ reference: String) -> String? {
        guard reference.hasPrefix("#") else { return entities[reference] }
        let isHexadecimal = reference.hasPrefix("#x")
        let digits = reference.dropFirst(isHexadecimal ? 2 : 1)
        guard digits.utf8.allSatisfy({ $0.hexadecimalValue != nil }),
            let scalar = UInt32(digits, radix: isHexadecimal ? 16 : 10).flatMap(Unicode.Scalar.init), scalar != "\0"
        else { return nil }
        return String(scalar)
    }

    /// Skips the text, if it is next.
    @discardableResult
    private mutating func skip(_ text: String) -> Bool {
        guard bytes[position...].starts(with: text.utf8) else { return false }
        position += text.utf8.count
        return true
    }

    private mutating func skipBlanks() {
        while position < bytes.count, bytes[position].isXMLBlank { position += 1 }
    }
}

extension UInt8 {
    fileprivate var isXMLBlank: Bool { [0x20, 0x09, 0x0A, 0x0D].contains(self) }
    fileprivate var isOfXMLName: Bool { isASCIILetter || isASCIIDigit || "_-.:".utf8.contains(self) }
}
