internal import AFHTTP
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
            // The entry is shorter than its type, so the name is read where it stands instead of being copied whole.
            let start = UnsafeRawPointer(entry) + (MemoryLayout<dirent>.offset(of: \dirent.d_name) ?? 0)
            let name = String(cString: start.assumingMemoryBound(to: CChar.self)).utf8
            let digits = name.prefix { $0 != UInt8(ascii: ".") }
            let number = name.dropFirst(digits.count + 1)
            if digits.count == 8, digits.allSatisfy({ $0.hexadecimalValue != nil }), !number.isEmpty,
                number.allSatisfy(\.isASCIIDigit)
            {
                return true
            }
        }
        return false
    }
}
