internal import AFExpressions
internal import AFFormatting
internal import AFHTTP
internal import AFJSON
internal import FoundationEssentials

/// Collects the secrets of a request, recognized by name, so that the parts of a response that repeat them can be masked.
struct RequestSecrets {
    /// The minimum length of a secret: a shorter one is a part of other texts, too.
    private static let minimumLength = 4
    /// The minimum length of the value of a cookie or of a string in JSON: many are settings, such as `lang=en`, or labels,
    /// such as `{"Key": "Name"}`.
    private static let minimumValueLength = 8
    /// The maximum number of secrets: each one costs time and memory.
    static let limit = 1000

    private(set) var known = KnownSecrets()

    /// Adds a password or a token.
    mutating func add(_ text: some StringProtocol, minimumLength: Int = Self.minimumLength) {
        guard text.utf8.count >= minimumLength, !known.isIncomplete else { return }
        known.add(String(text))
        if known.texts.count > Self.limit { known.hideAll() }
    }

    /// Adds the secrets of a header field.
    mutating func add(_ header: HTTPHeader) {
        switch header.name.lowercased() {
        case "cookie":
            for pair in header.value.split(separator: ";") {
                let value = pair.halves(around: "=")?.after ?? pair
                add(value, minimumLength: Self.minimumValueLength)
            }
        case "authorization", "proxy-authorization":
            let words = header.value.split(separator: " ", maxSplits: 1)
            guard let credentials = words.last else { return }
            add(credentials)
            // Parameters, such as key="..."; those of Digest are no secrets.
            if words[0].lowercased() != "digest" {
                for parameter in credentials.split(separator: ",") {
                    guard let value = parameter.halves(around: "=")?.after else { continue }
                    add(value.drop { $0 == "\"" }.prefix { $0 != "\"" }, minimumLength: Self.minimumValueLength)
                }
            }
            guard words.count == 2, words[0].lowercased() == "basic",
                let login = Data(base64Encoded: String(credentials)),
                let (_, password) = String(decoding: login, as: UTF8.self).halves(around: ":")
            else { return }
            add(password)
        case "referer": add(url: header.value)
        default: if header.holdsSecret { add(header.value) }
        }
    }

    /// Adds the secrets of a URL or of a request target.
    mutating func add(url: String) {
        let bytes = Array(url.utf8.prefix { $0 != UInt8(ascii: "#") })[...]
        add(QueryRedaction().secrets(inURL: bytes).map { bytes[$0] })
    }

    /// Adds the secrets of a query or a form.
    private mutating func add(_ values: [ArraySlice<UInt8>]) {
        for value in values.map({ String(decoding: $0, as: UTF8.self) }) {
            add(value)
            if let decoded = value.replacing("+", with: " ").percentDecoded { add(decoded) }
        }
    }

    /// Adds the secrets of a body.
    mutating func add(_ body: [UInt8], type: MediaType?) {
        guard let text = String(validating: body, as: UTF8.self) else { return }
        if BodyKind(type) == .form, !text.startsLikeJSON {
            return add(QueryRedaction().secrets(inQuery: body[...]).map { body[$0] })
        }
        let (strings, numbers) = JSONRedaction.secrets(in: text)
        for string in strings { add(string, minimumLength: Self.minimumValueLength) }
        for number in numbers { add(number) }
    }

    /// Adds the value of a form part, if it is a secret or contains one.
    mutating func add(_ value: [UInt8], named name: String, type: MediaType?) {
        guard SecretNames().contains(name) else { return add(value, type: type) }
        if let text = String(validating: value, as: UTF8.self) { add(text) }
    }
}
