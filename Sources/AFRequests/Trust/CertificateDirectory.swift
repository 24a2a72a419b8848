public import AFTransport
internal import FoundationEssentials

/// A directory of certificates, comparable to an app's bundle on other systems.
///
/// Files are selected by extension, in any case: `.cer`, `.crt`, `.der` or `.pem`. They may contain DER or PEM,
/// regardless of the extension. Subdirectories and files without a valid certificate are ignored.
public struct CertificateDirectory: Hashable, Sendable {
    /// The path of the directory.
    public let path: String

    /// Creates a value for a directory, which is read on demand.
    public init(path: String) { self.path = path }

    /// The directory of the running executable.
    public static let main: CertificateDirectory = {
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "/"
        return CertificateDirectory(path: String(program[..<(program.lastIndex(of: "/") ?? program.startIndex)]))
    }()

    /// The certificates in the directory, ordered by file name.
    public var certificates: [Certificate] {
        paths(forResourcesOfTypes: ["cer", "crt", "der", "pem"]).flatMap { path in
            FileManager.default.contents(atPath: path).map { Certificate.certificates(in: Array($0)) } ?? []
        }
    }

    /// The public keys of the certificates in the directory.
    public var publicKeys: [PublicKey] { certificates.publicKeys }

    /// Returns the paths of the files with one of the extensions, in any case, ordered by name.
    public func paths(forResourcesOfTypes types: [String]) -> [String] {
        let endings = types.map { "." + $0.lowercased() }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { name in endings.contains { name.lowercased().hasSuffix($0) } }
            .sorted()
            .map { "\(path)/\($0)" }
    }
}
