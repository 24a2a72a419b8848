internal import COpenSSL

/// The server's side of digest authentication (RFC 7616), which verifies every parameter.
public struct DigestLogin: Sendable {
    public let user: String
    public let password: String
    public let realm = "test realm"
    public let nonce: String
    /// `MD5`, `MD5-sess`, `SHA-256` or `SHA-256-sess`; `nil` omits it, which means MD5.
    public let algorithm: String?
    /// `auth`, `auth-int` or a list of both; `nil` for the older form without `qop`.
    public let qualities: String?

    public init(
        user: String = "ada",
        password: String = "open sesame",
        nonce: String = "dcd98b7102dd2f0e8b11d0f600bfb0c0",
        algorithm: String? = "SHA-256",
        qualities: String? = "auth"
    ) {
        self.user = user
        self.password = password
        self.nonce = nonce
        self.algorithm = algorithm
        self.qualities = qualities
    }

    /// Returns the value of `WWW-Authenticate`.
    public func challenge(isStale: Bool = false) -> String {
        var text = "Digest realm=\"\(realm)\", nonce=\"\(nonce)\", opaque=\"of no meaning\""
        if let qualities { text += ", qop=\"\(qualities)\"" }
        if let algorithm { text += ", algorithm=\(algorithm)" }
        return isStale ? text + ", stale=true" : text
    }

    /// Whether the request has valid credentials.
    public func accepts(_ request: RecordedRequest) -> Bool {
        guard let field = request["Authorization"], field.hasPrefix("Digest ") else { return false }
        let given = Self.parameters(field.dropFirst("Digest ".count))
        guard given["username"] == user, given["realm"] == realm, given["nonce"] == nonce,
            given["uri"] == request.target, given["opaque"] == "of no meaning", given["algorithm"] == algorithm,
            let response = given["response"]
        else { return false }
        var secret = digest("\(user):\(realm):\(password)")
        if algorithm?.hasSuffix("-sess") == true { secret = digest("\(secret):\(nonce):\(given["cnonce"] ?? "")") }
        var subject = "\(request.method):\(request.target)"
        guard let quality = given["qop"] else {
            return qualities == nil && response == digest("\(secret):\(nonce):\(digest(subject))")
        }
        guard qualities?.contains(quality) == true, let count = given["nc"], let salt = given["cnonce"] else {
            return false
        }
        if quality == "auth-int" { subject += ":\(digest(request.body))" }
        return response == digest("\(secret):\(nonce):\(count):\(salt):\(quality):\(digest(subject))")
    }

    private func digest(_ text: String) -> String { digest(Array(text.utf8)) }

    private func digest(_ bytes: [UInt8]) -> String {
        var result = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count = 0
        let name = algorithm?.hasPrefix("SHA-256") == true ? "SHA256" : "MD5"
        EVP_Q_digest(nil, name, nil, bytes, bytes.count, &result, &count)
        return result.prefix(count).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Parses the parameters; quoted values may contain commas.
    private static func parameters(_ text: Substring) -> [String: String] {
        var (isQuoted, pieces) = (false, [""])
        for character in text {
            if character == "\"" { isQuoted.toggle() }
            if character == ",", !isQuoted { pieces.append("") } else { pieces[pieces.count - 1].append(character) }
        }
        return pieces.reduce(into: [:]) { parameters, piece in
            let halves = piece.split(separator: "=", maxSplits: 1)
            guard halves.count == 2 else { return }
            parameters[String(halves[0].drop { $0 == " " })] = String(halves[1].filter { $0 != "\"" })
        }
    }
}
