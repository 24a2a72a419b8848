internal import AFHTTP
internal import AFJSON

/// A secret in the arguments of the process, which other users of the machine can read until it is hidden.
struct ArgumentSecret: Equatable, Sendable {
    private let text: [UInt8]
    /// The bytes after the secret; `nil` if it ends the argument.
    private let suffix: [UInt8]?

    /// A secret that ends its argument.
    static func value(_ text: some StringProtocol) -> Self { Self(text: Array(text.utf8), suffix: nil) }

    /// The part of a URL before the at sign.
    static func userInfo(_ text: some StringProtocol) -> Self {
        Self(text: Array(text.utf8), suffix: [UInt8(ascii: "@")])
    }

    /// The value of a typed multipart part; `nil` unless it contains a secret or its name is that of one.
    static func ofPart(_ text: String) -> Self? {
        guard let (name, value) = text.halves(around: "=") else { return nil }
        return SecretNames().contains(String(name)) ? .value(value) : ofBody(String(value))
    }

    /// A typed body; `nil` unless it contains a secret.
    static func ofBody(_ text: String) -> Self? {
        let isHarmless =
            Redaction(revealsSecrets: false).text(Array(text.utf8), type: nil) == text
            && QueryRedaction().query(text) == text
        return isHarmless ? nil : .value(text)
    }

    /// The value of a typed header field; `nil` unless it contains a secret.
    static func ofHeader(_ header: HTTPHeader) -> Self? {
        Redaction(revealsSecrets: false).value(of: header) == header.value ? nil : .value(header.value)
    }

    /// The secrets of a typed URL: its user info, and its query and its fragment if a name in them is that of a secret.
    static func ofURL(_ text: String) -> [Self] {
        var secrets: [Self] = []
        if let userInfo = text.userInfo { secrets.append(.userInfo(userInfo)) }
        for mark in ["?", "#"] as [Unicode.Scalar] {
            guard let (_, items) = text.halves(around: mark), QueryRedaction().query(items) != items else { continue }
            secrets.append(.value(items))
        }
        return secrets
    }

    /// Returns the range of the secret in an argument.
    func range(in argument: [UInt8]) -> Range<Int>? {
        guard !text.isEmpty else { return nil }
        if let suffix {
            guard let range = argument.firstRange(of: text + suffix) else { return nil }
            return range.lowerBound..<range.upperBound - suffix.count
        }
        guard argument.suffix(text.count).elementsEqual(text) else { return nil }
        let start = argument.count - text.count
        // An argument of its own, after a separator, or after the letter of an option.
        let isGlued = argument.first == UInt8(ascii: "-") && start >= 2
        guard start == 0 || isGlued || "=: @;?#".utf8.contains(argument[start - 1]) else { return nil }
        return start..<argument.count
    }
}

extension Invocation {
    /// The typed secrets.
    var typedSecrets: [ArgumentSecret] {
        var secrets: [ArgumentSecret] = []
        for source in [authentication.credential, authentication.refreshToken, tls.certificateKeyPassword] {
            if case .typed(let text)? = source { secrets.append(.value(text)) }
        }
        for edit in request.headers.map(\.edit) {
            if case .add(let header) = edit { secrets += [ArgumentSecret.ofHeader(header)].compactMap(\.self) }
        }
        secrets += validation.expectedHeaders.compactMap { $0.field.flatMap(ArgumentSecret.ofHeader) }
        secrets += validation.expectedValues.compactMap(\.secretText).map(ArgumentSecret.value)
        secrets += request.parts.compactMap { ArgumentSecret.ofPart($0.text) }
        let address = (try? Positionals(positionals, method: request.method))?.address
        let endpoints = [
            address, authentication.tokenURL, authentication.deviceURL, authentication.authorizeURL,
            network.resolver?.text,
        ]
        secrets += (endpoints.compactMap(\.self) + network.proxies.map(\.url)).flatMap(ArgumentSecret.ofURL)
        if let body = request.raw { secrets += [ArgumentSecret.ofBody(body)].compactMap(\.self) }
        for word in positionals where word != address {
            if let value = word.secretValue { secrets.append(.value(value)) }
        }
        return secrets
    }
}

extension CurlArguments {
    /// The typed secrets.
    var typedSecrets: [ArgumentSecret] {
        let certificatePassword = certificate.flatMap { CurlTransfer.certificate($0).password }
        let values = [user, bearer, proxyUser, keyPassword, certificatePassword].compactMap(\.self)
        // A cookie without an equals sign is the name of a file.
        var secrets = (values + cookies.filter { $0.contains("=") }).map(ArgumentSecret.value)
        secrets += parts.compactMap { ArgumentSecret.ofPart($0.text) }
        secrets += (urls + [proxy, referer].compactMap(\.self)).flatMap(ArgumentSecret.ofURL)
        secrets += (data.map(\.text) + queries).compactMap(ArgumentSecret.ofBody)
        for field in headers {
            guard let (name, value) = field.halves(around: ":") else { continue }
            let header = HTTPHeader(name: String(name), value: String(value.drop { $0 == " " }))
            secrets += [ArgumentSecret.ofHeader(header)].compactMap(\.self)
        }
        return secrets
    }
}

extension String {
    /// The part of a URL before the at sign; the scheme may be missing.
    fileprivate var userInfo: Substring? {
        let start = firstRange(of: "://")?.upperBound ?? startIndex
        let authority = self[start..<(self[start...].firstIndex(ofAny: "/?#") ?? endIndex)]
        guard let end = authority.lastIndex(ofAny: "@"), end > authority.startIndex else { return nil }
        return authority[..<end]
    }

    /// The value of an item whose name is that of a secret, as typed.
    fileprivate var secretValue: Substring? {
        guard let item = try? RequestItem(self) else { return nil }
        // A name with escapes is hidden, too.
        let start = item.name + item.separator.rawValue
        let value = hasPrefix(start) ? dropFirst(start.count) : self[...]
        let isSecret =
            item.separator == .header
            ? ArgumentSecret.ofHeader(HTTPHeader(name: item.name, value: String(value))) != nil
            : SecretNames().contains(item.name)
        return isSecret || ArgumentSecret.ofBody(String(value)) != nil ? value : nil
    }
}
