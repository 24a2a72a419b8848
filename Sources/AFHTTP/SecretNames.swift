/// Decides by name whether a value is a password, a token or a cookie.
///
/// The rule applies to header fields, items of queries and forms, and members of JSON. Names have many notations, such
/// as `X-Api-Key`, `api_key` and `apiKey`; their last words decide. In doubt a name counts as secret.
///
/// ```swift
/// SecretNames().contains("user[password]")  // true
/// SecretNames(["customer"]).contains("Customer")  // true
/// ```
public struct SecretNames: Hashable, Sendable {
    /// Additional secret names, compared as words, regardless of separators.
    public var others: Set<String>

    /// Creates the usual names plus additional ones.
    public init(_ others: Set<String> = []) {
        self.others = others
    }

    /// Whether a value of this name is a secret.
    ///
    /// In `user[password]`, `user.password` and `passwords[0]`, the last part that is not a number decides.
    public func contains(_ name: some StringProtocol) -> Bool {
        let words = Self.decidingWords(of: name)
        let joined = Self.joined(words)
        if isOther(joined) { return true }
        if Self.openEndings.contains(where: joined.hasSuffix) { return false }
        if Self.names.contains(joined) { return true }
        return Safety.refuses(
            "17-names",
            Self.lastWords.contains(joined) || words.last.map(Self.lastWords.contains) == true
                || Self.endings.contains(where: joined.hasSuffix))
    }

    /// Whether a number of this name is no secret: a `code` is that of OAuth, which is a text, or of an error.
    package func containsTextsOnly(_ name: some StringProtocol) -> Bool {
        let joined = Self.joined(Self.decidingWords(of: name))
        return Self.names.contains(joined) && !isOther(joined)
    }

    /// Whether a value in a query is a secret: one of a secret name, or a `state` or a `policy` that is no word.
    package func containInQuery(_ name: some StringProtocol, value: some StringProtocol) -> Bool {
        contains(name) || Self.opaqueNames.contains(Self.joined(Self.decidingWords(of: name))) && Self.isOpaque(value)
    }

    /// Whether a value in a response is a secret: one of a secret name, except a `code`, a `key` or a `ticket` that is a word,
    /// as of an error.
    package func containInResponse(_ name: some StringProtocol, value: some StringProtocol) -> Bool {
        contains(name) && (!areCommon(name) || Self.isOpaque(value))
    }

    /// Whether the name is also that of values that are no secrets, so that in a response the value decides.
    package func areCommon(_ name: some StringProtocol) -> Bool {
        let words = Self.decidingWords(of: name)
        let isCommon = words == ["code"] || words == ["key"] || words.last == "ticket"
        return isCommon && !isOther(Self.joined(words))
    }

    /// Whether a value contains at least 16 letters and digits of both kinds that no other character separates.
    package static func isOpaque(_ value: some StringProtocol) -> Bool {
        value.utf8.split { !$0.isASCIILetter && !$0.isASCIIDigit }.contains { run in
            run.count >= 16 && run.contains(where: \.isASCIILetter) && run.contains(where: \.isASCIIDigit)
        }
    }

    private func isOther(_ joined: String) -> Bool {
        others.contains { Self.joined(Self.words(of: $0[...])) == joined }
    }

    /// Secret as a complete name, but too common as the last word of one: `country_code`.
    private static let names: Set<String> = ["code", "ticket"]

    /// Of a signed URL or of OAuth, or a word, as in `?state=open`: in a query, the value decides.
    private static let opaqueNames: Set<String> = ["policy", "sign", "state"]

    /// Secret as the last word, but not as its ending: `monkey`, `bypass`.
    private static let lastWords: Set<String> = [
        "auth", "bearer", "creds", "csrf", "dpop", "hmac", "key", "otp", "pass", "pin", "psk", "pw", "pwd", "sid",
        "sig", "ticket", "totp", "xsrf",
    ]

    /// Secret also without a separator: `authtoken`, `PHPSESSID`.
    private static let endings = [
        "accessid", "accesskey", "accesskeyid", "apikey", "apikeys", "assertion", "authcode", "authentication",
        "authkey", "authorization", "authorizationcode", "codeverifier", "connectionstring", "cookie", "credential",
        "credentials", "devicecode", "jwt", "keypairid", "oauthverifier", "passcode", "passphrase", "passwd",
        "password", "passwordconfirmation", "passwords", "privatekey", "resourcekey", "rlkey", "samlresponse", "secret",
        "secretkey", "secrets", "securitycode", "sessid", "session", "sessionid", "signature", "token", "uploadid",
        "userpass", "verificationcode",
    ]

    /// Not secret: public keys, page tokens, and names that only describe secrets.
    private static let openEndings = [
        "acceptsignature", "allowcredentials", "cachekey", "foreignkey", "idempotencykey", "nexttoken", "pagetoken",
        "partitionkey", "primarykey", "publickey", "secwebsocketkey", "sortkey", "surrogatekey",
    ]

    // The first use of `joined()` searches for a conformance, which takes 76 µs of a start.
    private static func joined(_ words: [String]) -> String { words.reduce(into: "") { $0 += $1 } }

    /// The words of the part of a name that decides: of `user[password]`, the last one that is not a number.
    private static func decidingWords(of name: some StringProtocol) -> [String] {
        let parts = (name.percentDecoded ?? String(name)).split { "[].".contains($0) }
        return parts.last { !$0.utf8.allSatisfy(\.isASCIIDigit) }.map(words) ?? []
    }

    /// The words of a name in lower case, without a trailing number: `X-Api-Key`, `apiKey2`, `API_KEY`.
    private static func words(of name: Substring) -> [String] {
        var words: [[UInt8]] = [[]]
        let bytes = Array(name.utf8)
        for (index, byte) in bytes.enumerated() {
            guard byte >= 0x80 || byte.isASCIILetter || byte.isASCIIDigit else {
                words.append([])
                continue
            }
            // The last of several upper-case letters starts a new word: API-Key in APIKey.
            let isAfterNonUppercase = index > 0 && !bytes[index - 1].isUppercase
            let isBeforeLowercase = index + 1 < bytes.count && bytes[index + 1].isLowercase
            if byte.isUppercase, isAfterNonUppercase || isBeforeLowercase { words.append([]) }
            words[words.count - 1].append(byte.asciiLowercased)
        }
        while let last = words.last, last.last.map(\.isASCIIDigit) ?? true {
            if last.isEmpty { words.removeLast() } else { words[words.count - 1].removeLast() }
        }
        return words.filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
    }
}

extension UInt8 {
    fileprivate var isUppercase: Bool { isASCIILetter && asciiLowercased != self }
    fileprivate var isLowercase: Bool { isASCIILetter && asciiLowercased == self }
}
