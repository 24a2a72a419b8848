internal import Glibc

/// Where this system keeps the certificates that it trusts.
///
/// A directory of hashed names is preferred to the bundle: OpenSSL then reads the few certificates it needs, which
/// saves about 20 ms a process.
struct TrustStore: Hashable, Sendable {
    var file: String?
    var directory: String?

    private static let directories = ["/etc/ssl/certs", "/etc/pki/tls/certs"]
    private static let bundles = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem",
        "/etc/ssl/ca-bundle.pem",
    ]

    static let system = TrustStore(
        environment: { name in getenv(name).map { String(cString: $0) } },
        directories: directories,
        bundles: bundles
    )

    init(file: String? = nil, directory: String? = nil) {
        self.file = file
        self.directory = directory
    }

    /// `SSL_CERT_FILE` and `SSL_CERT_DIR` win, each alone or both together.
    init(environment: (String) -> String?, directories: [String], bundles: [String]) {
        file = environment("SSL_CERT_FILE").flatMap { $0.isEmpty ? nil : $0 }
        directory = environment("SSL_CERT_DIR").flatMap { $0.isEmpty ? nil : $0 }
        guard file == nil, directory == nil else { return }
        directory = directories.first(where: Self.holdsHashedLinks)
        if directory == nil { file = bundles.first { access($0, R_OK) == 0 } }
    }

    /// Whether there is a name such as `3513523f.0` among the first entries.
    private static func holdsHashedLinks(_ path: String) -> Bool {
        guard let stream = opendir(path) else { return false }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let isHashed = withUnsafeBytes(of: entry.pointee.d_name) { name in
                name.prefix(8).allSatisfy { isHexadecimal($0) } && name[8] == UInt8(ascii: ".")
                    && isDecimal(name[9])
            }
            if isHashed { return true }
        }
        return false
    }

    private static func isDecimal(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        isDecimal(byte) || (byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "f"))
    }
}
