internal import AFHTTP
internal import Glibc

/// The location of the system's trusted certificates.
///
/// A hashed directory is preferred to the bundle: OpenSSL then reads only the certificates it needs, which saves about
/// 20 ms per process.
struct TrustStore: Hashable, Sendable {
    var file: String?
    var directory: String?

    private static let directories = ["/etc/ssl/certs", "/etc/pki/tls/certs"]
    /// The bundles of Debian, Ubuntu and Alpine; two of Fedora and RHEL; two of openSUSE; those of others.
    private static let bundles = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
        "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "/var/lib/ca-certificates/ca-bundle.pem",
        "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
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

    /// Finds the location. `SSL_CERT_FILE` or `CURL_CA_BUNDLE`, and `SSL_CERT_DIR`, take precedence, alone or together.
    init(environment: (String) -> String?, directories: [String], bundles: [String]) {
        func path(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
        file = path("SSL_CERT_FILE") ?? path("CURL_CA_BUNDLE")
        directory = path("SSL_CERT_DIR")
        guard file == nil, directory == nil else { return }
        // Fedora and RHEL store their authorities in a bundle: hashed links beside it are an administrator's additions.
        directory = directories.first { access("\($0)/ca-bundle.crt", F_OK) != 0 && Self.holdsHashedLinks($0) }
        if directory == nil { file = bundles.first { access($0, R_OK) == 0 } }
    }

    /// The message for a system without certificate authorities; `nil` if there are some.
    var absence: String? {
        guard self == TrustStore() else { return nil }
        let paths = (Self.directories + Self.bundles).joined(separator: ", ")
        return "this system has no certificate authorities: there are none in \(paths)"
    }

    /// Whether one of the first entries has a name such as `3513523f.0`.
    private static func holdsHashedLinks(_ path: String) -> Bool {
        guard let stream = opendir(path) else { return false }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            // The entry is shorter than its type, so the name is read in place instead of copying the complete entry.
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
