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
    /// The path and query of the request if all other URLs may be upload resources.
    var uploadTarget: String?
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
        // The URLs of partial uploads permit writing to them.
        case "upload-concat": return header.value.hasPrefix("final;") ? "final;\(Self.mask)" : header.value
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
    /// The secrets of the request are masked in the query, and long ones in the path: a short one is a part of hosts and
    /// paths, too.
    func url(_ text: String) -> String {
        let plain = text.withoutUserInfo
        let hasSecretTarget = !secretTargets.isEmpty || uploadTarget != nil
        if revealsSecrets || known.isEmpty && !hasSecretTarget && !QueryRedaction.mayHoldSecret(plain) { return plain }
        let secret =
            secretTargets.first { $0.utf8.count > 1 && plain.hasSuffix($0) }
            ?? uploadTarget.flatMap { plain.target.isEmpty || plain.target == $0 ? nil : String(plain.target) }
        let shown = secret.map { "\(plain.dropLast($0.count))/\(Self.mask)" } ?? QueryRedaction().url(plain)
        let halves = shown.halves(around: "?")
        let before = halves.map { String($0.before) } ?? shown
        let path = String(before.target)
        let shownPath = known.redacted(path, mask: Self.mask, minimumLength: Self.minimumPathLength)
        return before.dropLast(path.count) + shownPath + (halves.map { "?\(masked(String($0.after)))" } ?? "")
    }

    private static let minimumPathLength = 8

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

    /// Returns the body of a response, or its start, as text; `nil` if it is not text.
    ///
    /// Only the values of secrets are masked: the rest explains a failure. A byte that is not UTF-8 becomes U+FFFD.
    func response(_ body: [UInt8], type: MediaType?, isComplete: Bool = false) -> String? {
        guard let text = Self.decoded(isComplete ? body : body.withoutCutCharacter, BodyKind(type)) else { return nil }
        if revealsSecrets { return text }
        let shown = responseByName(text, type, isComplete: isComplete)
        return isComplete ? masked(shown) : known.redacted(prefix: shown, mask: Self.mask)
    }

    private static func decoded(_ body: [UInt8], _ kind: BodyKind) -> String? {
        if body.contains(0) { return nil }
        if let text = String(validating: body, as: UTF8.self) { return text }
        let text = String(decoding: body, as: UTF8.self)
        let scalars = text.unicodeScalars
        // Compressed data and images may have no zero byte.
        let isText = kind != .unknown || scalars.count { $0 == "\u{FFFD}" } * 8 <= scalars.count
        return kind != .binary && isText ? text : nil
    }

    private func responseByName(_ text: String, _ type: MediaType?, isComplete: Bool) -> String {
        var json: String?
        if text.startsLikeJSON {
            let prefix = JSONRedaction.redacted(prefix: text, mask: Self.mask, numbers: isKnown)
            // Without a string before the first error, it is a text such as [2026-01-01].
            if prefix.utf8.contains(UInt8(ascii: "\"")) { json = prefix }
        } else if BodyKind(type) == .form {
            return QueryRedaction().query(text)
        }
        json = json ?? JSONRedaction.redacted(text, mask: Self.mask, isResponse: true, numbers: isKnown)
        // In one step: after a mask by name, the rest of a known secret would not be recognized.
        return TextRedaction.masked(json ?? text, isJSON: json != nil) { known.ranges(in: $0, isCut: !isComplete) }
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

extension [UInt8] {
    /// The bytes without a character of UTF-8 at the end of which only the first bytes are there.
    var withoutCutCharacter: [UInt8] {
        for length in 1...3 where length <= count {
            let byte = self[count - length]
            if byte < 0x80 { break }
            guard byte >= 0xC0 else { continue }
            let needed = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
            return needed > length ? dropLast(length) : self
        }
        return self
    }
}

extension String {
    /// The path and the query of a URL or a reference.
    fileprivate var target: Substring {
        let scheme = utf8.prefix { $0.isASCIILetter || $0.isASCIIDigit || "+-.".utf8.contains($0) }
        guard scheme.startIndex != scheme.endIndex, self[scheme.endIndex...].hasPrefix("://") else { return self[...] }
        return self[scheme.endIndex...].dropFirst(3).drop { !"/?#".contains($0) }
    }
}
