public import AFTransport
internal import FoundationEssentials

/// A folder with certificates in it, as an app's bundle is one on other systems.
///
/// A file counts by the ending of its name: `.cer`, `.crt`, `.der` or `.pem`, upper case or lower. It may hold DER or
/// PEM, whatever the ending. Folders within are not looked into; files without a readable certificate are passed over.
public struct CertificateFolder: Hashable, Sendable {
    /// Where it is.
    public let path: String

    /// The folder at a path, which is not looked at before it is asked for something.
    public init(path: String) { self.path = path }

    /// The folder that the running program's file is in.
    public static let main: CertificateFolder = {
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "/"
        return CertificateFolder(path: String(program[..<(program.lastIndex(of: "/") ?? program.startIndex)]))
    }()

    /// Every certificate in the folder, by the names of the files.
    public var certificates: [Certificate] {
        paths(forResourcesOfTypes: ["cer", "crt", "der", "pem"]).flatMap { path in
            FileManager.default.contents(atPath: path).map { Certificate.certificates(in: Array($0)) } ?? []
        }
    }

    /// The keys of every certificate in the folder.
    public var publicKeys: [PublicKey] { certificates.publicKeys }

    /// Paths of the files whose names end so, without regard to case, in the order of their names.
    public func paths(forResourcesOfTypes types: [String]) -> [String] {
        let endings = types.map { "." + $0.lowercased() }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { name in endings.contains { name.lowercased().hasSuffix($0) } }
            .sorted()
            .map { "\(path)/\($0)" }
    }
}
