internal import AFHTTP
internal import AFTransport
internal import FoundationEssentials

/// What responses are kept under: RFC 9111 §4 calls it the primary key. Only responses to GET are kept.
struct CacheKey: Hashable, Sendable {
    /// Without user info and fragment.
    let url: String
    /// Whether a `Content-Encoding` is taken off the bodies.
    var isDecoded = true

    /// The same in a form that can be a file's name and tells nothing of the URL.
    var digest: String { SHA256Digest(of: [isDecoded ? 1 : 0] + Array(url.utf8)).hexadecimal }
}

/// Everything about a request that decides which response answers it.
struct CacheQuestion: Sendable {
    let url: HTTPURL
    let key: CacheKey
    let method: HTTPMethod
    let headers: HTTPHeaders
    let policy: URLRequest.CachePolicy
    /// Who asks, and by whose word the server is the server: all secrets that go along, and what is out of the ordinary
    /// about trust and address. What one of them was answered is not for another. Empty where there is nothing of that.
    let identity: [UInt8]
    /// Whether the transport adds cookies that nobody sees here.
    let addsCookies: Bool
    /// Which those are; `nil` where there are none.
    let cookieMark: UInt64?
    /// Whether the headers are all there will be.
    let isComplete: Bool
    /// The largest body that is taken.
    let bodyLimit: Int64?

    /// What a transfer asks.
    ///
    /// - Parameter cookieMark: Of the session, be cookies added to this transfer or not.
    init(_ transfer: Transfer, policy: URLRequest.CachePolicy, cookieMark: UInt64? = nil) {
        url = transfer.url
        key = CacheKey(url: transfer.url.text, isDecoded: transfer.options.decodesContent)
        method = transfer.method
        headers = transfer.headers
        self.policy = policy
        addsCookies = transfer.options.handlesCookies
        self.cookieMark = addsCookies ? cookieMark : nil
        let cookies = self.cookieMark.map { ["cookies", String($0, radix: 16)] } ?? []
        identity = Self.identity(transfer.headers, transfer.options.authentication?.credential, transfer, cookies)
        isComplete = true
        bodyLimit = transfer.options.limits.bodyBytes
    }

    /// What a program asks the cache for itself; sessions add header fields of their own, which are not known here.
    init?(_ request: URLRequest) {
        guard let url = try? request.httpURL else { return nil }
        self.url = url.withoutUserInfo
        key = CacheKey(url: url.withoutUserInfo.text)
        method = request.method ?? .get
        headers = request.headers
        policy = request.cachePolicy
        identity = Self.identity(request.headers, url.credential)
        addsCookies = false
        cookieMark = nil
        isComplete = false
        bodyLimit = nil
    }

    var control: CacheControl { CacheControl(headers) }

    /// Whether the request asks for something else than the whole current response (RFC 9110 §13.1, §14.2).
    var isConditional: Bool {
        ["If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range", "Range"]
            .contains { headers.value(for: $0) != nil }
    }

    var isForRange: Bool { headers.value(for: "Range") != nil }

    /// Whether the request may change what the server has (RFC 9110 §9.2.1).
    var isUnsafe: Bool { ![.get, .head, .options, .trace, .query].contains(method) }

    /// The values of a field as they are compared (RFC 9111 §4.1); `nil` where it is not there.
    func value(of name: String) -> String? {
        let values = headers.values(for: name)
        guard !values.isEmpty else { return nil }
        let parts = values.flatMap { Array($0.utf8)[...].splitOutsideQuotes(at: UInt8(ascii: ",")) }
        return parts.map { String(decoding: $0.trimmed, as: UTF8.self) }.joined(separator: ", ")
    }

    /// Lengths go in front: no two lists of facts make the same bytes.
    private static func identity(
        _ headers: HTTPHeaders,
        _ login: URLCredential?,
        _ transfer: Transfer? = nil,
        _ cookies: [String] = []
    ) -> [UInt8] {
        var facts = headers.filter(\.holdsSecret).map { "\($0.name.lowercased()): \($0.value)" } + cookies
        if let login { facts += ["login", login.user, login.password] }
        if let transfer {
            let network = transfer.options.network
            if transfer.url.scheme == .https { facts += trust(transfer.options.tls) }
            facts += network.unixSocketPath.map { ["socket", $0] } ?? []
            facts += (network.connectTo + network.resolve).flatMap { ["place", $0] }
        }
        return facts.flatMap { Array("\($0.utf8.count) \($0)".utf8) }
    }

    /// What is out of the ordinary about whom the session trusts, and the certificate that it shows.
    private static func trust(_ options: TLSOptions) -> [String] {
        guard options != TLSOptions() else { return [] }
        var (facts, rest) = ([String](), options)
        if case .bundle(let certificates) = options.authorities {
            facts += ["bundle", SHA256Digest(of: certificates).hexadecimal]
            rest.authorities = .system
        }
        // The name of an evaluation means nothing to another process.
        if let evaluation = options.evaluation {
            facts += ["evaluation", evaluation.name, processMark]
            rest.evaluation = nil
        }
        return facts + ["trust", "\(rest)"]
    }

    private static let processMark = String(UInt64.random(in: 0 ... .max), radix: 16)
}
