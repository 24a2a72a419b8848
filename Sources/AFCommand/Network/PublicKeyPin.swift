internal import FoundationEssentials

/// The SHA-256 digest of a public key, in curl's notation: `sha256//BASE64`.
struct PublicKeyPin: Hashable, Sendable, ArgumentValue {
    let text: String

    init(argument: String) throws(UsageError) {
        let prefix = "sha256//"
        guard argument.hasPrefix(prefix),
            let digest = Data(base64Encoded: String(argument.dropFirst(prefix.count))),
            digest.count == 32
        else {
            throw UsageError("expected sha256// and the base64 of a SHA-256 digest, got '\(argument)'")
        }
        text = argument
    }
}
