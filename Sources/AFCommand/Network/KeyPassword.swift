/// The password of a private key, from its source or from a prompt.
struct KeyPassword {
    private let path: String
    private let sources: SecretSources

    /// Creates the value.
    ///
    /// - Parameter path: The path of the key file.
    init(path: String, _ sources: SecretSources) {
        self.path = path
        self.sources = sources
    }

    /// Returns the password; `nil` if the key has no password, or none is needed.
    ///
    /// - Parameter isNeeded: Whether to prompt for a missing one if the key is encrypted.
    func text(_ source: CredentialSource?, isNeeded: Bool) throws -> String? {
        try naming("--cert-key-pass") {
            do {
                if let source { return try sources.text(source, question) }
                return try isNeeded && isEncrypted() ? try sources.text(.prompt, question) : nil
            } catch let error as UsageError {
                let hint = "give it as @FILE, env:NAME, fd:NUMBER or exec:COMMAND"
                guard source == nil else { throw error.hinting(hint) }
                throw UsageError("the key in '\(known: path)' requires a password", hint: hint)
            }
        }
    }

    private var question: SecretQuestion { SecretQuestion("password", "of the key in \(path)") }

    /// Whether the file is encrypted, by its PKCS #8 label or a header of the older format (RFC 1421).
    ///
    /// A file that can be read only once is left to TLS.
    private func isEncrypted() throws -> Bool {
        guard try sources.files.describe(path).kind == .regular else { return false }
        let text = String(decoding: try sources.files.read(path, .certificates), as: UTF8.self)
        return text.contains("-----BEGIN ENCRYPTED PRIVATE KEY-----") || text.contains("Proc-Type: 4,ENCRYPTED")
    }
}
