public import AFHTTP

/// One exchange with one server, described whole: nothing outside it has a say.
public struct Transfer: Sendable {
    /// Sent as it is spelled; anything but a token fails with ``TransferFailure/Kind/invalidRequest``.
    public var method: HTTPMethod
    /// Where the request goes. User info in it is not used: logins are a matter of ``TransferOptions/authentication``.
    public var url: HTTPURL
    /// Sent in this order, with repetition; after Host, Authorization and Cookie, which libcurl puts first.
    public var headers: HTTPHeaders
    /// `nil` sends none; a body fails with ``TransferFailure/Kind/invalidRequest`` where the method is HEAD.
    public var body: BodySource?
    /// How the transfer is carried out.
    public var options: TransferOptions
    /// Seconds that earlier hops of the same attempt took. They count toward ``Timeouts/total``.
    public var elapsedTime = 0.0

    /// A GET without body and fields of its own, unless told otherwise.
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
