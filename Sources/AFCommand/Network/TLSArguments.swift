internal import AFCore
internal import FoundationEssentials

/// The TLS options, as typed.
struct TLSArguments: Equatable, Sendable {
    var verification: Verification?
    var authorityFile: String?
    var authorityDirectory: String?
    var certificate: String?
    var certificateKey: String?
    var certificateKeyPassword: CredentialSource?
    var version: TLSOptions.Version?
    var ciphers: String?
    var suites: String?
    var groups: String?
    var revocationList: String?
    var verifiesStatus = false
    var pins: [String] = []
    var showsCertificates = false
}

/// The trusted certificates.
enum Verification: Equatable, Sendable, ArgumentValue {
    case yes, no
    /// A file or directory of authorities that replaces the system's.
    case authorities(String)

    static var hint: ArgumentHint { .fileOr(["yes", "no"]) }

    init(argument: String) throws(UsageError) {
        switch argument.lowercased() {
        case "yes", "true": self = .yes
        case "no", "false": self = .no
        case "": throw UsageError("expected yes, no or the path of CA certificates")
        default: self = .authorities(argument)
        }
    }
}

extension TLSOptions.Version {
    /// The names of the option; `auto` is the latest version that both sides support.
    fileprivate static let choices: [(String, Self?)] = [
        ("auto", nil), ("tls1", .tls1_0), ("tls1.1", .tls1_1), ("tls1.2", .tls1_2), ("tls1.3", .tls1_3),
    ]
}

extension Option<TLSArguments>.Effect {
    fileprivate static var version: Self {
        let shape = OptionEntry.Shape.argument(name: "VERSION", hint: .choice(TLSOptions.Version.choices.map(\.0)))
        return Self(shape: shape, setting: \.version) { (text) throws(UsageError) in
            let version = try chosen(text ?? "", from: TLSOptions.Version.choices)
            return { $0.version = version }
        }
    }
}

extension OptionVariables<TLSArguments> {
    /// The variables of trusted certificates, which replace configured ones.
    fileprivate static var authorities: Self {
        .ofDefault("SSL_CERT_FILE", "CURL_CA_BUNDLE", "SSL_CERT_DIR") { values in
            if case .authorities? = values.verification { values.verification = nil }
            (values.authorityFile, values.authorityDirectory) = (nil, nil)
        }
    }
}

extension OptionRepetition {
    /// Of several paths all but the last one would be ignored; `yes` and `no` are settings.
    fileprivate static let authorities = Self(hint: "put all certificates into one file or directory") { argument in
        if case .authorities? = try? Verification(argument: argument) { "" } else { nil }
    }
}

extension OptionRequirement<TLSArguments> {
    /// There is a client certificate.
    fileprivate static var certificate: Self {
        Self(concernsConfigured: true) { tls in
            tls.certificate == nil ? UsageError("requires --cert") : nil
        }
    }
}

extension TLSArguments {
    /// Checks the SHA-256 digest of a public key, in curl's notation: `sha256//BASE64`.
    static func pin(_ argument: String) throws(UsageError) -> String {
        let prefix = "sha256//"
        guard argument.hasPrefix(prefix), Data(base64Encoded: String(argument.dropFirst(prefix.count)))?.count == 32
        else { throw UsageError("expected sha256// and the base64 of a SHA-256 digest, got '\(argument)'") }
        return argument
    }

    /// The options that set these values, in the order of the help.
    @OptionList<Self> static var options: [Option<Self>] {
        Option(
            "--verify",
            summary: "Verify the certificate: yes, no or a CA path",
            details: "A path is a file or directory of CA certificates, which replace the system's.",
            repetition: .authorities,
            effect: .argument("CHECK", sets: \.verification)
        )

        Option(
            "-k", "--insecure",
            summary: "Accept any certificate; same as --verify no",
            curl: [.letter("k")],
            effect: .flag(\.verification, sets: .no)
        )

        Option(
            "--cacert",
            summary: "Trust the CA certificates in this PEM file",
            yieldsTo: ["--verify", "--insecure"],
            repetition: .error,
            curl: [.same],
            variables: .authorities,
            effect: .argument("FILE", hint: .file, sets: \.authorityFile)
        )

        Option(
            "--capath",
            summary: "Trust the CA certificates in this hashed directory",
            isRare: true,
            yieldsTo: ["--verify", "--insecure"],
            repetition: .error,
            curl: [.same],
            effect: .argument("DIRECTORY", hint: .directory, sets: \.authorityDirectory)
        )

        Option(
            "--cert",
            summary: "Client certificate (PEM)",
            details: "The file may also contain the private key.",
            repetition: .error,
            curl: [.translated("cert", "E")],
            effect: .argument("FILE", hint: .file, sets: \.certificate)
        )

        Option(
            "--cert-key",
            summary: "Private key of the client certificate",
            requires: .certificate,
            repetition: .error,
            curl: [.named("key")],
            effect: .argument("FILE", hint: .file, sets: \.certificateKey)
        )

        Option(
            "--cert-key-pass",
            summary: "Password of the private key",
            details: """
                To keep it out of the process list, use `@FILE` (its first line), `env:NAME`, `fd:NUMBER`, \
                `exec:COMMAND` (see `--auth`), or `-` for a prompt. If the key is encrypted and no password is given, \
                afcli prompts on the terminal.
                """,
            requires: .certificate,
            curl: [.translated("pass")],
            secrets: .credential,
            effect: .argument("PASSWORD", sets: \.certificateKeyPassword)
        )

        Option(
            "--ssl",
            summary: "Use exactly this TLS version, or auto",
            curl: [
                .translated("tlsv1.2"), .translated("tlsv1", "1"), .translated("tlsv1.0"), .translated("tlsv1.1"),
                .translated("tlsv1.3"), .translated("tls-max"),
            ],
            effect: .version
        )

        Option(
            "--ciphers",
            summary: "Ciphers in OpenSSL's notation",
            curl: [.same],
            effect: .argument("LIST", sets: \.ciphers)
        )

        Option(
            "--tls13-ciphers",
            summary: "Suites of TLS 1.3 in OpenSSL's notation",
            isRare: true,
            curl: [.same],
            isCopiedToCurl: true,
            effect: .argument("LIST", sets: \.suites)
        )

        Option(
            "--curves",
            summary: "Groups of the key exchange in OpenSSL's notation",
            isRare: true,
            curl: [.same],
            isCopiedToCurl: true,
            effect: .argument("LIST", sets: \.groups)
        )

        Option(
            "--crlfile",
            summary: "Reject the revoked certificates in this PEM file",
            isRare: true,
            repetition: .error,
            curl: [.same],
            effect: .argument("FILE", hint: .file, sets: \.revocationList)
        )

        Option(
            "--cert-status",
            summary: "Require a stapled OCSP response",
            isRare: true,
            curl: [.same],
            isCopiedToCurl: true,
            effect: .flag(\.verifiesStatus, sets: true)
        )

        Option(
            "--pin",
            summary: "Accept only this public key: sha256//BASE64",
            details: "May be repeated; one of the keys must match.",
            yieldsTo: ["--pin"],
            curl: [.translated("pinnedpubkey")],
            effect: .argument("PIN", parsing: pin, appendsTo: \.pins)
        )

        Option(
            "--cert-info",
            summary: "Show the server's certificates",
            details: """
                Prints subject, issuer, names, validity, key, signature, fingerprint, and the public key in the \
                notation of `--pin`, on standard error before the response. Redirect targets and TLS proxies are \
                included. The certificates are shown before the verification, even if it fails. `--report` contains \
                them, too.
                """,
            excludes: ["--input"],
            effect: .flag(\.showsCertificates, sets: true)
        )
    }
}
