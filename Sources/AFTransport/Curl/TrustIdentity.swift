internal import AFHTTP

/// Everything that decides who may share a connection: transfers that differ in it never do.
struct TrustIdentity: Hashable, Sendable {
    private let tls: TLSOptions
    private let proxy: ProxyOptions?
    private let unixSocketPath: String?
    /// Addresses given by hand stay in a group's cache of names.
    private let resolve: [String]
    /// So do those that another resolver gave.
    private let dohURL: String?
    /// The credential of a login that belongs to the connection (RFC 4559 §6).
    private let login: URLCredential?

    init(_ options: TransferOptions) {
        tls = options.tls
        proxy = options.proxy
        unixSocketPath = options.network.unixSocketPath
        resolve = options.network.resolve
        dohURL = options.network.dohURL
        let isConnectionBound = options.authentication.map { !$0.kinds.isDisjoint(with: .connectionBound) } ?? false
        login = isConnectionBound ? options.authentication?.credential : nil
    }
}
