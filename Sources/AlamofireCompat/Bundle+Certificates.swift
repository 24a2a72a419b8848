internal import AFCore
public import AFTransport
public import Foundation

/// A certificate under the name it has in Security.
public typealias SecCertificate = Certificate
/// A public key under the name it has in Security.
public typealias SecKey = PublicKey
/// What a server showed of itself, under the name it has in Security.
public typealias SecTrust = ServerTrust

extension Bundle: AlamofireExtended {}

extension AlamofireExtension where ExtendedType: Bundle {
    /// The certificates among the bundle's resources: files that end in `.cer`, `.crt`, `.der` or `.pem`.
    public var certificates: [SecCertificate] { folder.certificates }
    /// The public keys of ``certificates``.
    public var publicKeys: [SecKey] { folder.publicKeys }

    /// The resources with one of these endings.
    public func paths(forResourcesOfTypes types: [String]) -> [String] { folder.paths(forResourcesOfTypes: types) }

    private var folder: CertificateFolder { CertificateFolder(path: type.resourcePath ?? type.bundlePath) }
}
