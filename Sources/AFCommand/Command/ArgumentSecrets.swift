internal import AFHTTP
internal import AFJSON

extension Invocation {
    /// The typed secrets, which other users of the machine can read in the list of processes until they are hidden.
    var typedSecrets: [String] {
        var secrets: [String] = []
        for source in [authentication.credential, authentication.refreshToken, tls.certificateKeyPassword] {
            if case .typed(let text)? = source { secrets.append(text) }
        }
        for edit in request.headers.map(\.edit) {
            if case .add(let header) = edit, header.holdsSecret { secrets.append(header.value) }
        }
        for url in positionals + network.proxies.map(\.url) {
            if let text = url.userInfo { secrets.append(text) }
        }
        for word in positionals {
            guard let item = try? RequestItem(word), word.userInfo == nil else { continue }
            let isHeader = item.separator == .header
            if isHeader ? HTTPHeader(name: item.name, value: "").holdsSecret : SecretNames().contains(item.name) {
                secrets.append(item.value)
            }
        }
        return secrets
    }
}

extension String {
    /// The part of a URL before the at sign.
    fileprivate var userInfo: String? {
        let start = firstRange(of: "://")?.upperBound ?? startIndex
        let authority = self[start..<(self[start...].firstIndex(ofAny: "/?#") ?? endIndex)]
        guard start > startIndex, let end = authority.lastIndex(ofAny: "@"), end > authority.startIndex else {
            return nil
        }
        return String(authority[..<end])
    }
}
