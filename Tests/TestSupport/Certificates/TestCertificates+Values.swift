public import AFTransport

extension TestCertificates.Identity {
    /// The certificate chain that a server with this identity sends.
    public var chain: [Certificate] {
        get throws { Certificate.certificates(in: try ScratchFolder.bytes(at: certificate)) }
    }

    /// Returns the trust value that a client receives from a server with this identity.
    public func trust(
        host: String = "localhost",
        root: String? = nil,
        isStapled: Bool = false
    ) async throws -> ServerTrust {
        let root = if let root { root } else { try await TestCertificates.shared.root }
        return ServerTrust(
            host: host,
            certificates: try chain,
            stapledResponse: try isStapled ? stapledResponse.map(ScratchFolder.bytes(at:)) : nil,
            authorities: .file(root)
        )
    }
}
