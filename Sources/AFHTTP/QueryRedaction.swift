/// Removes secrets from URLs, queries and forms before they are displayed.
///
/// An item is secret by its name, such as `access_token`, or by a value that looks like a token.
///
/// ```swift
/// QueryRedaction().url("https://example.org/?page=2&api_key=k3y")  // https://example.org/?page=2&api_key=•••
/// ```
public struct QueryRedaction: Hashable, Sendable {
    /// The names whose values are secret.
    public var names: SecretNames
    /// The text that replaces a secret.
    public var replacement: String

    /// Creates a redaction; by default for the usual names, with three dots as replacement.
    public init(names: SecretNames = SecretNames(), replacement: String = "•••") {
        self.names = names
        self.replacement = replacement
    }

    /// Returns the URL without the secrets of its query and of the parameters of its path, such as `;jsessionid=1`, and
    /// without its fragment, which is not sent to servers.
    ///
    /// User info stays: use `withoutUserInfo` of the text first.
    public func url(_ text: String) -> String {
        if !Self.mayHoldSecret(text) { return text }
        let bytes = Array(text.utf8.prefix { $0 != UInt8(ascii: "#") })[...]
        return redacted(bytes, secrets(inURL: bytes))
    }

    /// Whether a URL has a query, a fragment or parameters of its path. Most URLs have none.
    package static func mayHoldSecret(_ url: String) -> Bool { url.utf8.contains(where: "?#;".utf8.contains) }

    /// Returns the query, without question mark, or the form without its secrets.
    public func query(_ text: some StringProtocol) -> String {
        let bytes = Array(text.utf8)[...]
        return redacted(bytes, secrets(inQuery: bytes))
    }

    private func redacted(_ bytes: ArraySlice<UInt8>, _ secrets: [Range<Int>]) -> String {
        var (shown, end) = ([UInt8](), bytes.startIndex)
        for secret in secrets {
            shown += bytes[end..<secret.lowerBound] + Array(replacement.utf8)
            end = secret.upperBound
        }
        return String(decoding: shown + bytes[end...], as: UTF8.self)
    }
}

/// The rule. Names begin after `&` and `;`, in a path after `;` (RFC 3986 §3.3). A secret value ends at the next `&`, in a
/// path at the next `/`: it may contain semicolons.
extension QueryRedaction {
    /// Returns the secrets of a URL or a request target: of the parameters of its path, of its query and of its fragment.
    package func secrets(inURL bytes: ArraySlice<UInt8>) -> [Range<Int>] {
        let pathEnd = bytes.firstIndex { "?#".utf8.contains($0) } ?? bytes.endIndex
        let fragment = bytes[pathEnd...].firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
        let parameters = bytes[..<pathEnd].split(separator: UInt8(ascii: "/")).compactMap { segment in
            segment.firstIndex(of: UInt8(ascii: ";")).flatMap { secret(in: segment[($0 + 1)...]) }
        }
        return parameters + secrets(inQuery: bytes[pathEnd..<fragment].dropFirst())
            + secrets(inQuery: bytes[fragment...].dropFirst())
    }

    /// Returns the secrets of a query or a form.
    package func secrets(inQuery bytes: ArraySlice<UInt8>) -> [Range<Int>] {
        bytes.split(separator: UInt8(ascii: "&")).compactMap(secret)
    }

    private func secret(in items: ArraySlice<UInt8>) -> Range<Int>? {
        for item in items.split(separator: UInt8(ascii: ";")) {
            let sign = item.firstIndex(of: UInt8(ascii: "="))
            let value = sign.map { item[($0 + 1)...] } ?? item
            let isSecret = isSecret(item[..<(sign ?? item.startIndex)], value, depth: 0)
            if Safety.refuses("17-queries", isSecret) { return value.startIndex..<items.endIndex }
        }
        return nil
    }

    private func isSecret(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>, depth: Int) -> Bool {
        if value.isEmpty { return false }
        let text = String(decoding: value, as: UTF8.self)
        return names.containInQuery(String(decoding: name, as: UTF8.self), value: text) || Self.looksLikeToken(text)
            || holdsSecret(text, depth: depth)
    }

    /// Whether a value, which may be encoded, is a URL with user info, or a URL, a form or JSON with a secret.
    private func holdsSecret(_ value: String, depth: Int) -> Bool {
        let bytes = value.percentDecodedBytes ?? Array(value.utf8)
        let text = String(decoding: bytes, as: UTF8.self)
        if text.contains("://"), text.withoutUserInfo != text { return true }
        let isJSON = bytes.first.map("{[".utf8.contains) ?? false
        // Tokens of content delivery networks separate their parameters with tildes.
        return bytes.split { "?&;#~".utf8.contains($0) || isJSON && "{,".utf8.contains($0) }.contains { item in
            guard let sign = item.firstIndex(where: { $0 == UInt8(ascii: "=") || isJSON && $0 == UInt8(ascii: ":") })
            else { return false }
            return depth == Self.maximumDepth || isSecret(item[..<sign], item[(sign + 1)...], depth: depth + 1)
        }
    }

    /// The maximum depth of URLs in URLs; what is deeper is masked.
    private static let maximumDepth = 3

    /// Whether the value is a JSON web token, or has at least forty letters and digits, sixteen of which form no words.
    private static func looksLikeToken(_ value: String) -> Bool {
        if value.hasPrefix("eyJ"), value.count(where: { $0 == "." }) == 2 { return true }
        let bytes = value.percentDecodedBytes ?? Array(value.utf8)
        let isDense =
            bytes.count >= 40 && !value.utf8.contains { "+/".utf8.contains($0) }
            && bytes.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-_.~%=+/".utf8.contains($0) }
            && bytes.split { !$0.isASCIILetter && !$0.isASCIIDigit }.filter(isNoWord).reduce(0) { $0 + $1.count } >= 16
        return isDense && bytes.contains(where: \.isASCIIDigit) && bytes.contains(where: \.isASCIILetter)
    }

    /// Whether it is long, letters and digits are mixed, or capitals are inside.
    private static func isNoWord(_ run: ArraySlice<UInt8>) -> Bool {
        if run.count >= 16 { return true }
        let hasLetter = run.contains(where: \.isASCIILetter)
        return hasLetter && run.contains(where: \.isASCIIDigit)
            || run.dropFirst().contains { 0x41...0x5A ~= $0 } && run.contains { 0x61...0x7A ~= $0 }
    }
}
