public import AFHTTP

/// One request to one server, completely described: a transfer depends on no other setting.
public struct Transfer: Sendable {
    /// The method, sent as written; anything but a token fails with ``TransferFailure/Kind/invalidRequest``.
    public var method: HTTPMethod
    /// The URL. Its user info is not used: credentials are in ``TransferOptions/authentication``.
    public var url: HTTPURL
    /// The header fields, sent in this order with repetitions; after Host, Authorization and Cookie, which libcurl
    /// sends first.
    public var headers: HTTPHeaders
    /// The body; `nil` for none. A body with the method HEAD fails with ``TransferFailure/Kind/invalidRequest``.
    public var body: BodySource?
    /// The bytes to send after the server has switched protocols (101, RFC 9110 §7.8); `nil` for an ordinary request.
    ///
    /// The header fields must ask for the upgrade; there is no other body. The transfer uses HTTP/1.1, a tunnel if there
    /// is a proxy, and a connection that counts toward no limit. It has no idle timeout after the 101. It ends when the
    /// server closes the connection, or with the response if its status is not 101.
    public var upgradeStream: (any BodyStream)?
    /// The options of the transfer.
    public var options: TransferOptions {
        get { sharedOptions.options }
        set { sharedOptions = SharedOptions(newValue) }
    }
    package var sharedOptions: SharedOptions
    /// The memory of digest authentication with the origin; `nil` for a round in each transfer.
    package var digestSession: DigestSession?
    /// The use of the session's cache; `nil` if it has none.
    package var cacheUse: CacheUse?
    /// The seconds that earlier hops of the same attempt took. They count toward ``Timeouts/total``.
    public var elapsedTime = 0.0

    /// Whether the request may be sent twice.
    var isIdempotent: Bool { method.isIdempotent || headers.hasIdempotencyKey }

    /// Creates a transfer; by default a GET without body and header fields.
    public init(
        method: HTTPMethod = .get,
        url: HTTPURL,
        headers: HTTPHeaders = HTTPHeaders(),
        body: BodySource? = nil,
        options: TransferOptions = TransferOptions()
    ) {
        self.init(method: method, url: url, headers: headers, body: body, sharedOptions: SharedOptions(options))
    }

    package init(
        method: HTTPMethod,
        url: HTTPURL,
        headers: HTTPHeaders,
        body: BodySource?,
        sharedOptions: SharedOptions
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.sharedOptions = sharedOptions
    }
}

/// Options that several transfers share: the same object means equal options, and the many values need not be compared
/// and copied for each transfer.
package final class SharedOptions: Sendable {
    package let options: TransferOptions
    let identity: TrustIdentity

    package init(_ options: TransferOptions) {
        self.options = options
        identity = TrustIdentity(options)
    }

    func isEqual(to other: SharedOptions) -> Bool { self === other || options == other.options }
}
