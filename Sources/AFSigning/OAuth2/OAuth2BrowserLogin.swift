internal import AFHTTP
internal import AFTransport
internal import FoundationEssentials

/// The secrets of a login in a browser: the proof key (RFC 7636) and the state (RFC 6749 §10.12).
struct OAuth2BrowserLogin: Sendable {
    /// The address to which the browser is redirected.
    let redirectURI: String
    /// The `code_verifier`, which is sent with the code.
    let verifier: String
    /// The value that shows that a redirect belongs to this login.
    let state: String

    /// The `code_challenge` by the method S256 (RFC 7636 §4.2).
    var challenge: String { Self.base64URL(SHA256Digest(of: Array(verifier.utf8)).bytes) }

    private static func random(byteCount: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        return base64URL((0..<byteCount).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    /// Base64 for URLs without padding (RFC 4648 §5).
    private static func base64URL(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// The meaning of a request to the redirect address (RFC 6749 §4.1.2).
    enum Redirect: Equatable {
        case code(String)
        case refused(code: String, description: String?)
        /// The request does not belong to this login.
        case other
    }

    /// Returns the meaning of a request.
    ///
    /// - Parameters:
    ///   - target: The target of the request line: path and query.
    ///   - path: The path of the redirect address.
    func redirect(_ target: String, path: String) -> Redirect {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == path else { return .other }
        var fields: [String: String] = [:]
        for pair in parts[1].split(separator: "&") {
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let decoded = halves.map { $0.replacing("+", with: "%20").percentDecoded }
            guard decoded.count == 2, let name = decoded[0], let value = decoded[1] else { continue }
            // A repeated parameter has no meaning (RFC 6749 §3.1).
            guard fields.updateValue(value, forKey: name) == nil else { return .other }
        }
        guard fields["state"] == state else { return .other }
        if let code = fields["error"] { return .refused(code: code, description: fields["error_description"]) }
        guard let code = fields["code"], !code.isEmpty else { return .other }
        return .code(code)
    }
}

extension OAuth2BrowserLogin {
    /// Creates a login with random secrets.
    init(redirectURI: String) {
        self.init(
            redirectURI: redirectURI, verifier: Self.random(byteCount: 32), state: Self.random(byteCount: 16))
    }
}
