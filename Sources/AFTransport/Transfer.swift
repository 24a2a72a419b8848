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
    /// The options of the transfer.
    public var options: TransferOptions
    /// The seconds that earlier hops of the same attempt took. They count toward ``Timeouts/total``.
    public var elapsedTime = 0.0

    /// Creates a transfer; by default a GET without body and header fields.
    public init(
        method: HTTPMethod = .get,
        url: HTTPURL,
        headers: HTTPHeaders = HTTPHeaders(),
        body: BodySource? = nil,
        options: TransferOptions = TransferOptions()
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.options = options
    }
}
