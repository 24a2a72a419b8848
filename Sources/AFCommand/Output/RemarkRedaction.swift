internal import AFHTTP

/// Removes secrets from libcurl's messages, some of which contain header fields, cookies and URLs.
enum RemarkRedaction {
    static func apply(to remark: String) -> String {
        bracketedField(in: remark) ?? cookie(in: remark) ?? urls(in: remark)
    }

    /// Handles `h2h3 [name: value]`, and `[HTTP/2] [1] [name: value]` in later versions.
    private static func bracketedField(in remark: String) -> String? {
        guard remark.hasSuffix("]"), let start = startOfField(in: remark) else { return nil }
        let field = remark[start...].dropLast()
        // The names of pseudo-header fields begin with a colon.
        guard let colon = field.dropFirst().firstIndex(of: ":") else { return nil }
        let name = String(field[..<colon])
        let value = String(field[field.index(after: colon)...].drop { $0 == " " })
        let isSecret = HTTPHeader(name: name, value: value).holdsSecret
        let shown = isSecret ? secret : name == ":path" ? QueryRedaction().url(value) : value
        return "\(remark[..<start])\(name): \(shown)]"
    }

    private static func startOfField(in remark: String) -> String.Index? {
        if remark.hasPrefix("h2h3 [") { return remark.firstIndex(of: "[").map(remark.index(after:)) }
        guard remark.hasPrefix("[HTTP/") else { return nil }
        let borders = remark.ranges(of: "] [")
        return borders.count < 2 ? nil : borders[1].upperBound
    }

    /// Handles `Added cookie name="value" for domain …`, and `Replaced cookie …`.
    private static func cookie(in remark: String) -> String? {
        guard remark.hasPrefix("Added cookie ") || remark.hasPrefix("Replaced cookie "),
            let opening = remark.firstRange(of: "=\""),
            let closing = remark.ranges(of: "\" for domain ").last, closing.lowerBound >= opening.upperBound
        else { return nil }
        return remark[..<opening.upperBound] + secret + remark[closing.lowerBound...]
    }

    /// Handles `Issue another request to this URL: 'http://…'`.
    private static func urls(in remark: String) -> String {
        var shown = ""
        var rest = remark[...]
        while let place = rest.firstRange(of: "://") {
            let end = rest[place.upperBound...].firstIndex { $0 == "'" || $0 == " " } ?? rest.endIndex
            let url = String(rest[place.lowerBound..<end]).withoutUserInfo
            shown += rest[..<place.lowerBound] + QueryRedaction().url(url)
            rest = rest[end...]
        }
        return shown + rest
    }

    private static let secret = "•••"
}
