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
        var parser = Parser(scanner: FieldScanner(value))
        var links: [WebLink] = []
        while let target = parser.nextTarget() { links.append(parser.link(to: target)) }
        return links
    }

    /// Reads a link at a time (RFC 8288 §B.2).
    private struct Parser {
        var scanner: FieldScanner

        /// Returns the next text between angle brackets.
        mutating func nextTarget() -> String? {
            while scanner.next != nil {
                scanner.skip { $0.isBlank || $0 == UInt8(ascii: ",") }
                if scanner.skip(UInt8(ascii: "<")) { return scanner.take(upTo: UInt8(ascii: ">")) }
                // A quoted comma separates no links.
                skipLink()
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
            scanner.skip { !$0.isFieldSeparator }
            return scanner.skip(UInt8(ascii: ";"))
        }

        /// Returns a parameter with its name in lower case; `nil` if its name is empty.
        private mutating func nextParameter() -> (name: String, value: String)? {
            scanner.skipBlanks()
            let name = scanner.takeName().lowercased()
            scanner.skipBlanks()
            guard scanner.skip(UInt8(ascii: "=")) else { return name.isEmpty ? nil : (name, "") }
            scanner.skipBlanks()
            // Some servers write single quotes.
            if name == "rel", scanner.next == UInt8(ascii: "'") {
                var quoted = scanner
                _ = quoted.skipByte()
                if let value = quoted.take(upTo: UInt8(ascii: "'")) {
                    scanner = quoted
                    return (name, value)
                }
            }
            return (name, scanner.takeValue())
        }

        /// Skips everything up to the comma before the next link.
        private mutating func skipLink() {
            while let byte = scanner.next, byte != UInt8(ascii: ",") {
                if byte == UInt8(ascii: "\"") { _ = scanner.takeQuoted() } else { _ = scanner.skipByte() }
            }
        }

        private static func words(of value: String) -> [String] {
            value.lowercased().utf8.split(whereSeparator: \.isBlank).map { String(Substring($0)) }
        }
    }
}

extension HTTPURLResponse {
    /// The links in the `Link` fields of the response, in the server's order.
    public var links: [WebLink] { headers.values(for: "Link").flatMap(WebLink.links(in:)) }
}
