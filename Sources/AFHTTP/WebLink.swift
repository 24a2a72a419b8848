/// A link of a `Link` header field (RFC 8288), such as the one to the next page.
///
/// ```swift
/// let next = response.links.first { $0.relations.contains("next") }?.target
/// ```
public struct WebLink: Hashable, Sendable {
    /// The URL or the reference between the angle brackets, as the server writes it.
    public let target: String
    /// The relation types in lower case, such as `next`.
    public let relations: [String]
    /// The URL or the reference of the context; `nil` if that is the response.
    public let anchor: String?

    /// Returns the links in the value of a `Link` field, which may contain several.
    ///
    /// Malformed links are skipped. Of repeated parameters, the first one counts.
    ///
    /// - Parameter value: A value such as `</people?page=2>; rel="next"`.
    public static func links(in value: String) -> [WebLink] {
        var scanner = Scanner(rest: value.utf8[...])
        var links: [WebLink] = []
        while let target = scanner.nextTarget() { links.append(scanner.link(to: target)) }
        return links
    }

    /// Reads a link at a time (RFC 8288 §B.2).
    private struct Scanner {
        var rest: Substring.UTF8View

        /// Returns the next text between angle brackets.
        mutating func nextTarget() -> String? {
            while rest.first != nil {
                skip { Self.isSpace($0) || $0 == UInt8(ascii: ",") }
                guard rest.first == UInt8(ascii: "<") else {
                    // A quoted comma separates no links.
                    skipLink()
                    continue
                }
                rest.removeFirst()
                let target = take { $0 != UInt8(ascii: ">") }
                guard rest.popFirst() != nil else { return nil }
                return target
            }
            return nil
        }

        /// Returns the link whose parameters follow. Of repeated parameters, the first counts.
        mutating func link(to target: String) -> WebLink {
            var relations: [String]?
            var anchor: String?
            while skipSemicolon() {
                guard let (name, value) = nextParameter() else { continue }
                switch name {
                case "rel": relations = relations ?? Self.words(of: value)
                case "anchor": anchor = anchor ?? value
                default: break
                }
            }
            skipLink()
            return WebLink(target: target, relations: relations ?? [], anchor: anchor)
        }

        /// Skips everything before the next semicolon of the link, and that; returns `false` at the end of the link.
        private mutating func skipSemicolon() -> Bool {
            skip { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") }
            guard rest.first == UInt8(ascii: ";") else { return false }
            rest.removeFirst()
            return true
        }

        /// Returns a parameter with its name in lower case; `nil` if there is none.
        private mutating func nextParameter() -> (name: String, value: String)? {
            skip(Self.isSpace)
            let name = take { !Self.isSpace($0) && !Self.isDelimiter($0) && $0 != UInt8(ascii: "=") }
            skip(Self.isSpace)
            guard rest.first == UInt8(ascii: "=") else { return name.isEmpty ? nil : (name.lowercased(), "") }
            rest.removeFirst()
            skip(Self.isSpace)
            let isQuoted = rest.first == UInt8(ascii: "\"")
            // Some servers write single quotes.
            if name == "rel", rest.first == UInt8(ascii: "'"),
                let end = rest.dropFirst().firstIndex(of: UInt8(ascii: "'"))
            {
                defer { rest = rest[rest.index(after: end)...] }
                return ("rel", String(Substring(rest[..<end].dropFirst())))
            }
            let value = isQuoted ? takeQuoted() : take { !Self.isSpace($0) && !Self.isDelimiter($0) }
            return (name.lowercased(), value)
        }

        private mutating func takeQuoted() -> String {
            rest.removeFirst()
            var bytes: [UInt8] = []
            while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
                bytes.append(byte == UInt8(ascii: "\\") ? rest.popFirst() ?? byte : byte)
            }
            return String(decoding: bytes, as: UTF8.self)
        }

        /// Skips everything up to the comma before the next link.
        private mutating func skipLink() {
            while let byte = rest.first, byte != UInt8(ascii: ",") {
                if byte == UInt8(ascii: "\"") { _ = takeQuoted() } else { rest.removeFirst() }
            }
        }

        private mutating func take(while matches: (UInt8) -> Bool) -> String {
            let word = rest.prefix(while: matches)
            rest = rest[word.endIndex...]
            return String(decoding: word, as: UTF8.self)
        }

        private mutating func skip(_ matches: (UInt8) -> Bool) { rest = rest.drop(while: matches) }

        private static func words(of value: String) -> [String] {
            value.lowercased().utf8.split(whereSeparator: isSpace).map { String(Substring($0)) }
        }

        private static func isDelimiter(_ byte: UInt8) -> Bool {
            byte == UInt8(ascii: ";") || byte == UInt8(ascii: ",")
        }

        private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
    }
}

extension HTTPURLResponse {
    /// The links in the `Link` fields of the response, in the server's order.
    public var links: [WebLink] { headers.values(for: "Link").flatMap(WebLink.links(in:)) }
}
