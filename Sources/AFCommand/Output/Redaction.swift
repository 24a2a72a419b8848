internal import AFHTTP

/// What others may read of a request and its responses: everything but passwords, tokens and cookies.
///
/// Secrets are known by their names, in headers, URLs, forms and JSON; what is in files is never looked at.
struct Redaction: Hashable, Sendable {
    /// Whether nothing is taken out, as `--show-secrets` asks.
    let revealsSecrets: Bool

    static let mask = "•••"

    func value(of header: HTTPHeader) -> String {
        if revealsSecrets { return header.value }
        switch header.name.lowercased() {
        case "cookie": return cookies(header.value)
        case "set-cookie":
            let pair = header.value.prefix { $0 != ";" }
            return masked(pair) + header.value[pair.endIndex...]
        case "authorization", "proxy-authorization":
            let scheme = header.value.prefix { $0 != " " }
            return scheme.endIndex == header.value.endIndex ? Self.mask : "\(scheme) \(Self.mask)"
        case "location", "content-location", "referer": return url(header.value)
        default: return header.holdsSecret ? Self.mask : header.value
        }
    }

    /// The cookies of a request, each with its name.
    func cookies(_ text: String) -> String {
        if revealsSecrets { return text }
        return text.split(separator: ";").map { masked($0.drop { $0 == " " }) }.joined(separator: "; ")
    }

    /// A URL or a reference to one; user info is no part of it in any case.
    func url(_ text: String) -> String {
        revealsSecrets ? text.withoutUserInfo : QueryRedaction().url(text.withoutUserInfo)
    }

    /// A body in memory as text; `nil` where it is none.
    func text(_ body: [UInt8], type: MediaType?) -> String? {
        guard let text = String(validating: body, as: UTF8.self), !body.contains(0) else { return nil }
        if revealsSecrets { return text }
        switch BodyKind(type) {
        case .form: return QueryRedaction().query(text)
        default: return JSONRedaction.redacted(text) ?? text
        }
    }

    /// The value of a field of a form.
    func field(_ name: String, _ value: String) -> String {
        revealsSecrets || !SecretNames().contains(name) ? value : Self.mask
    }

    private func masked(_ pair: some StringProtocol) -> String {
        pair.halves(around: "=").map { "\($0.before)=\(Self.mask)" } ?? Self.mask
    }
}

/// Takes secrets out of JSON: the values of members whose names tell them to be one.
enum JSONRedaction {
    /// The text with the mask in the place of secrets, and not changed otherwise; `nil` for what is no JSON.
    static func redacted(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        guard var scanner = try? JSONScanner.document(bytes) else { return nil }
        let names = SecretNames()
        var result: [UInt8] = []
        var kept = 0
        while !scanner.isAtEnd {
            guard scanner.next == UInt8(ascii: "\"") else {
                scanner.move(to: scanner.position + 1)
                continue
            }
            let start = scanner.position
            guard (try? scanner.skipString()) != nil else { return nil }
            let name = JSONText.unquoted(scanner.text(start..<scanner.position))
            scanner.skipBlanks()
            // Behind a string only the name of a member has a colon.
            guard scanner.skip(UInt8(ascii: ":")), names.contains(name) else { continue }
            scanner.skipBlanks()
            result += bytes[kept..<scanner.position]
            guard (try? scanner.skipValue()) != nil else { return nil }
            result += JSONText.quoted(Redaction.mask).utf8
            kept = scanner.position
        }
        return String(decoding: result + bytes[kept...], as: UTF8.self)
    }
}
