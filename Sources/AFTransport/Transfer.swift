public import AFHTTP

/// One exchange with one server, described whole: nothing outside it has a say.
public struct Transfer: Sendable {
    public var method: HTTPMethod
    public var url: HTTPURL
    /// Sent in this order, with repetition; after Host, Authorization and Cookie, which libcurl puts first.
    public var headers: HTTPHeaders
    public var body: BodySource?
    public var options: TransferOptions

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
