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
    ///
    /// Where secrets can be told apart from the rest, only they are masked: in forms and in JSON. Other text that names
    /// one, and what should be JSON and cannot be read, is masked as a whole.
    func text(_ body: [UInt8], type: MediaType?) -> String? {
        guard let text = String(validating: body, as: UTF8.self), !body.contains(0) else { return nil }
        if revealsSecrets { return text }
        let kind = BodyKind(type)
        if kind == .form { return QueryRedaction().query(text) }
        if let json = JSONRedaction.redacted(text) { return json }
        let isMasked = kind == .json || kind == .ndjson ? SecretText.hasNames(text) : SecretText.isLikely(text)
        return isMasked ? Self.mask : text
    }

    /// The value of a part of a form as text; `nil` where it is none.
    func field(_ name: String, _ value: [UInt8], type: MediaType?) -> String? {
        !revealsSecrets && SecretNames().contains(name) ? Self.mask : text(value, type: type)
    }

    private func masked(_ pair: some StringProtocol) -> String {
        pair.halves(around: "=").map { "\($0.before)=\(Self.mask)" } ?? Self.mask
    }
}
