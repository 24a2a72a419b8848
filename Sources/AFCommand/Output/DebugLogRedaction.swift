internal import AFHTTP

/// Removes secrets from libcurl's messages, some of which contain header fields and URLs.
struct DebugLogRedaction: Sendable {
    var redaction = Redaction(revealsSecrets: false)

    func apply(to information: String) -> String {
        bracketedField(in: information) ?? urls(in: information)
    }

    /// Handles `h2h3 [name: value]`, and `[HTTP/2] [1] [name: value]` in later versions.
    private func bracketedField(in information: String) -> String? {
        guard information.hasSuffix("]"), let start = Self.startOfField(in: information) else { return nil }
        let field = information[start...].dropLast()
        // The names of pseudo-header fields begin with a colon.
        guard let colon = field.dropFirst().firstIndex(of: ":") else { return nil }
        let name = String(field[..<colon])
        let value = String(field[field.index(after: colon)...].drop { $0 == " " })
        let header = HTTPHeader(name: name, value: value)
        let isPath = name == ":path"
        let shown = header.holdsSecret ? Redaction.mask : isPath ? redaction.url(value) : redaction.value(of: header)
        return "\(information[..<start])\(name): \(shown)]"
    }

    private static func startOfField(in information: String) -> String.Index? {
        if information.hasPrefix("h2h3 [") { return information.firstIndex(of: "[").map(information.index(after:)) }
        guard information.hasPrefix("[HTTP/") else { return nil }
        let borders = information.ranges(of: "] [")
        return borders.count < 2 ? nil : borders[1].upperBound
    }

    /// Handles `Issue another request to this URL: 'http://…'`.
    private func urls(in information: String) -> String {
        var shown = ""
        var rest = information[...]
        while let separator = rest.firstRange(of: "://") {
            let end = rest[separator.upperBound...].firstIndex { $0 == "'" || $0 == " " } ?? rest.endIndex
            let start = rest[..<separator.lowerBound].utf8.lastIndex { !$0.isASCIILetter }.map(rest.utf8.index(after:))
            let url = rest[(start ?? rest.startIndex)..<end]
            shown += rest[..<url.startIndex] + redaction.url(String(url))
            rest = rest[end...]
        }
        return shown + rest
    }
}
