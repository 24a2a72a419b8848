internal import AFCore
public import AFTransport
public import Foundation

/// A certificate under the name it has in Security.
public typealias SecCertificate = Certificate
/// A public key under the name it has in Security.
public typealias SecKey = PublicKey
/// The certificate chain of a server, under the name it has in Security.
public typealias SecTrust = ServerTrust

extension Bundle: AlamofireExtended {}

extension AlamofireExtension where ExtendedType: Bundle {
    /// The certificates in the bundle's resources: files that end in `.cer`, `.crt`, `.der` or `.pem`.
    public var certificates: [SecCertificate] { directory.certificates }
    /// The public keys of ``certificates``.
    public var publicKeys: [SecKey] { directory.publicKeys }

    /// Returns the paths of the resources with one of the extensions.
    public func paths(forResourcesOfTypes types: [String]) -> [String] { directory.paths(forResourcesOfTypes: types) }

    private var directory: CertificateDirectory { CertificateDirectory(path: type.resourcePath ?? type.bundlePath) }
}
