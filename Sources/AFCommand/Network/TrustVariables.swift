internal import AFCore
internal import AFFormatting
internal import Glibc

/// The environment variables that select the trusted certificates, for messages.
struct TrustVariables: Sendable {
    /// The variable of a file and its value; `nil` if none is in use.
    let file: (name: String, path: String)?
    /// The names of all variables in use.
    let names: [String]

    /// Creates the variables in use: none if an option selects the certificates.
    init(_ options: TLSOptions, _ variables: Variables) {
        guard options.authorities == .system else {
            (file, names) = (nil, [])
            return
        }
        func value(_ name: String) -> (name: String, path: String)? {
            variables[name].flatMap { $0.isEmpty ? nil : (name, $0) }
        }
        file = value("SSL_CERT_FILE") ?? value("CURL_CA_BUNDLE")
        names = [file, value("SSL_CERT_DIR")].compactMap { $0?.name }
    }

    /// The message about a file that OpenSSL cannot use; `nil` if it is not from a variable.
    var unusableFile: String? {
        file.map { file in
            let problem =
                access(file.path, R_OK) == 0
                ? "'\(file.path)' contains no PEM certificate" : "cannot read '\(file.path)': \(systemMessage(errno))"
            return "the variable \(file.name): \(problem)"
        }
    }
}
