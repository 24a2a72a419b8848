internal import AFHTTP

/// The options that must be equal for two transfers to share a connection.
struct TrustIdentity: Hashable, Sendable {
    private let tls: TLSOptions
    private let proxy: ProxyOptions?
    private let unixSocketPath: String?
    private let isSocketAbstract: Bool
    /// libcurl 8.14 ignores the names after `if!` and `host!` when it looks for a connection to reuse.
    private let interface: String?
    private let localPorts: ClosedRange<UInt16>?
    /// Explicit addresses are stored in a group's DNS cache.
    private let resolve: [String]
    /// Addresses of another resolver are, too.
    private let dohURL: String?
    /// The credential of an authentication scheme that authenticates the connection (RFC 4559 §6).
    private let login: URLCredential?

    init(_ options: TransferOptions) {
        tls = options.tls
        proxy = options.proxy
        unixSocketPath = options.network.unixSocketPath
        isSocketAbstract = options.network.isSocketAbstract
        interface = options.network.interface
        localPorts = options.network.localPorts
        resolve = options.network.resolve
        dohURL = options.network.dohURL
        let isConnectionBound = options.authentication.map { !$0.kinds.isDisjoint(with: .connectionBound) } ?? false
        login = isConnectionBound ? options.authentication?.credential : nil
    }
}
