internal import AFHTTP

/// A challenge of digest authentication that can be answered (RFC 7616, RFC 2069).
///
/// Not left to libcurl: it considers the first challenge only, and 7.88 computes SHA-256 in the name of SHA-512-256.
struct DigestChallenge: Sendable {
    /// The quality of protection; `nil` for servers of RFC 2069.
    private enum Quality: String { case auth, integrity = "auth-int" }

    let nonce: String
    /// Whether the server rejected only the nonce of the previous response (`stale=true`).
    let isStale: Bool
    private let parameters: [String: String]
    /// OpenSSL's name of the algorithm.
    private let digestName: String
    private let isSession: Bool
    private let quality: Quality?

    /// Returns `nil` for a challenge that cannot be answered.
    ///
    /// - Parameter hasBody: Whether the request has a body, which `auth-int` would cover.
    init?(_ challenge: AuthenticationChallenge, hasBody: Bool) {
        guard challenge.method == .digest, let nonce = challenge.parameters["nonce"],
            challenge.parameters.values.allSatisfy({ HTTPHeader(name: "X", value: $0).isValid })
        else { return nil }
        let words = (challenge.parameters["qop"] ?? "").split { $0 == "," || $0 == " " }.map { $0.lowercased() }
        let isKnown = { (quality: Quality) in words.contains(quality.rawValue) }
        guard words.isEmpty || isKnown(.auth) || isKnown(.integrity) && !hasBody else { return nil }
        quality = words.isEmpty ? nil : isKnown(.auth) ? .auth : .integrity
        var algorithm = challenge.parameters["algorithm"]?.lowercased() ?? "md5"
        isSession = algorithm.hasSuffix("-sess")
        if isSession { algorithm.removeLast("-sess".count) }
        // Without a quality, the client's nonce is not sent, and the server could not compute the session's secret.
        guard let name = Self.digestNames[algorithm], RunningDigest(name) != nil, quality != nil || !isSession else {
            return nil
        }
        digestName = name
        self.nonce = nonce
        isStale = challenge.parameters["stale"]?.lowercased() == "true"
        parameters = challenge.parameters
    }

    private static let digestNames = ["md5": "MD5", "sha-256": "SHA2-256", "sha-512-256": "SHA2-512/256"]

    /// Whether the challenge permits credentials for a request.
    func covers(requestWithBody hasBody: Bool) -> Bool { quality != .integrity || !hasBody }

    /// Returns the value of `Authorization` for a request.
    ///
    /// - Parameters:
    ///   - salt: The client's nonce.
    ///   - count: The number of requests under the server's nonce, including this one.
    func authorization(
        _ credential: URLCredential,
        method: HTTPMethod,
        target: String,
        salt: String,
        count: Int = 1
    ) -> String {
        let number = count.padded(to: 8, radix: 16)
        let realm = parameters["realm"] ?? ""
        var secret = digest(credential.user, realm, credential.password)
        if isSession { secret = digest(secret, nonce, salt) }
        // `auth-int` is answered only for requests without a body.
        let subject =
            quality == .integrity ? digest(method.rawValue, target, digest("")) : digest(method.rawValue, target)
        let hashesUser = parameters["userhash"]?.lowercased() == "true"
        var fields = [
            ("username", (hashesUser ? digest(credential.user, realm) : credential.user).quoted),
            ("realm", realm.quoted),
            ("nonce", nonce.quoted), ("uri", target.quoted),
        ]
        if let quality {
            fields += [("cnonce", salt.quoted), ("nc", number), ("qop", quality.rawValue)]
            fields.append(("response", digest(secret, nonce, number, salt, quality.rawValue, subject).quoted))
        } else {
            fields.append(("response", digest(secret, nonce, subject).quoted))
        }
        if let opaque = parameters["opaque"] { fields.append(("opaque", opaque.quoted)) }
        if let algorithm = parameters["algorithm"] { fields.append(("algorithm", algorithm)) }
        if hashesUser { fields.append(("userhash", "true")) }
        return "Digest " + fields.map { "\($0.0)=\($0.1)" }.joined(separator: ", ")
    }

    private func digest(_ texts: String...) -> String {
        // Checked by the initializer.
        guard let digest = RunningDigest(digestName) else { preconditionFailure("OpenSSL lost \(digestName)") }
        texts.joined(separator: ":").octets.withUnsafeBytes { digest.update($0) }
        return digest.finish().hexadecimal
    }
}

extension String {
    fileprivate var quoted: String {
        "\"\(map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined())\""
    }
}
