internal import AFExpressions
internal import AFFormatting
internal import AFHTTP
internal import AFJSON

/// Removes passwords, tokens and cookies from requests and responses for display.
///
/// Secrets are recognized by name in header fields, URLs, forms and JSON; files are not read. Those of the request are
/// recognized everywhere.
struct Redaction: Hashable, Sendable {
    /// Whether secrets are kept, with `--show-secrets`.
    let revealsSecrets: Bool
    /// The paths with queries of upload resources, which permit writing to the upload.
    var secretTargets: [String] = []
    /// The secrets of the request, which a response may repeat.
    var known = KnownSecrets()

    static let mask = "•••"

    /// Returns a text without the secrets of the request.
    func masked(_ text: String) -> String {
        Safety.requires("17-repeated", revealsSecrets) ? text : known.redacted(text, mask: Self.mask)
    }

    func value(of header: HTTPHeader) -> String {
        if Safety.requires("17-headers", revealsSecrets) { return header.value }
        switch header.name.lowercased() {
        case "location", "content-location", "referer": return url(header.value)
        default: return masked(valueByName(header))
        }
    }

    private func valueByName(_ header: HTTPHeader) -> String {
        switch header.name.lowercased() {
        case "cookie": return cookies(header.value)
        case "set-cookie":
            let pair = header.value.prefix { $0 != ";" }
            return maskedValue(pair) + header.value[pair.endIndex...]
        case "authorization", "proxy-authorization":
            let scheme = header.value.prefix { $0 != " " }
            return scheme.endIndex == header.value.endIndex ? Self.mask : "\(scheme) \(Self.mask)"
        case "link": return links(header.value)
        case "refresh":
            return header.value.halves(around: "=").map { "\($0.before)=\(url(String($0.after)))" } ?? header.value
        default: return header.holdsSecret ? Self.mask : header.value
        }
    }

    /// Returns the value of a `Link` field (RFC 8288), in which URLs are in angle brackets.
    private func links(_ text: String) -> String {
        text.split(separator: "<", omittingEmptySubsequences: false).enumerated()
            .map { index, part in
                guard index > 0, let end = part.firstIndex(of: ">") else { return String(part) }
                return url(String(part[..<end])) + part[end...]
            }
            .joined(separator: "<")
    }

    /// Returns the cookies of a request with their values masked.
    func cookies(_ text: String) -> String {
        if revealsSecrets { return text }
        return text.split(separator: ";").map { maskedValue($0.drop { $0 == " " }) }.joined(separator: "; ")
    }

    /// Returns a URL or a reference, always without user info.
    ///
    /// The secrets of the request are masked in the query only: a short one is a part of hosts and paths, too.
    func url(_ text: String) -> String {
        let plain = text.withoutUserInfo
        if revealsSecrets { return plain }
        let secret = secretTargets.first { $0.utf8.count > 1 && plain.hasSuffix($0) }
        let shown = secret.map { "\(plain.dropLast($0.count))/\(Self.mask)" } ?? QueryRedaction().url(plain)
        return shown.halves(around: "?").map { "\($0.before)?\(masked(String($0.after)))" } ?? shown
    }

    /// Returns a body in memory as text; `nil` if it is not text.
    ///
    /// In forms and JSON, also JSON that is sent as a form, only the secrets are masked. Other text that contains a secret
    /// name, and invalid JSON, is masked completely.
    func text(_ body: [UInt8], type: MediaType?) -> String? {
        guard let text = String(validating: body, as: UTF8.self), !body.contains(0) else { return nil }
        if revealsSecrets { return text }
        let kind = BodyKind(type)
        if kind == .form, !text.startsLikeJSON { return masked(QueryRedaction().query(text)) }
        if let json = JSONRedaction.redacted(text, mask: Self.mask, numbers: isKnown) { return masked(json) }
        let isMasked = kind == .json || kind == .ndjson ? SecretText.hasNames(text) : SecretText.isLikely(text)
        return isMasked ? Self.mask : masked(text)
    }

    /// Returns the start of a body as text; `nil` if it is not text.
    func prefix(_ body: [UInt8], type: MediaType?) -> String? {
        var body = body
        // The last character may be cut.
        while body.last.map({ $0 >= 0x80 }) == true, String(validating: body, as: UTF8.self) == nil, body.count > 0 {
            body.removeLast()
        }
        guard let text = String(validating: body, as: UTF8.self), !body.contains(0) else { return nil }
        return revealsSecrets ? text : known.redacted(prefix: prefixByName(text, type), mask: Self.mask)
    }

    private func prefixByName(_ text: String, _ type: MediaType?) -> String {
        if text.startsLikeJSON { return JSONRedaction.redacted(prefix: text, mask: Self.mask, numbers: isKnown) }
        if BodyKind(type) == .form { return QueryRedaction().query(text) }
        if let json = JSONRedaction.redacted(text, mask: Self.mask, numbers: isKnown) { return json }
        return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .map { SecretText.isLikely(String($0)) ? Self.mask : String($0) }.joined(separator: "\n")
    }

    /// Whether a number of JSON contains a secret of the request. Its mask is a string.
    private func isKnown(_ number: String) -> Bool { known.areRepeated(in: number) }

    /// Returns the value of a form part as text; `nil` if it is not text.
    func field(_ name: String, _ value: [UInt8], type: MediaType?) -> String? {
        !revealsSecrets && SecretNames().contains(name) ? Self.mask : text(value, type: type)
    }

    private func maskedValue(_ pair: some StringProtocol) -> String {
        pair.halves(around: "=").map { "\($0.before)=\(Self.mask)" } ?? Self.mask
    }
}

extension String {
    /// Whether the text starts with an object or array, after a byte order mark, or with a guard such as `)]}'`.
    var startsLikeJSON: Bool {
        let start = utf8.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        return utf8.dropFirst(start).first { $0 > 0x20 }.map("{[)".utf8.contains) ?? false
    }
}
