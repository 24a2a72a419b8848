internal import AFHTTP
internal import AFTransport
internal import FoundationEssentials

/// The key of stored responses, which RFC 9111 §4 calls the primary key. Only responses to GET are stored.
struct CacheKey: Hashable, Sendable {
    /// The URL without user info and fragment.
    let url: String
    /// Whether the `Content-Encoding` of bodies is decoded.
    var isDecoded = true

    /// The key as a file name that does not reveal the URL.
    var digest: String { SHA256Digest(of: [isDecoded ? 1 : 0] + Array(url.utf8)).hexadecimal }
}

/// The properties of a request that select its stored response.
struct CacheLookup: Sendable {
    let url: HTTPURL
    let key: CacheKey
    let method: HTTPMethod
    let headers: HTTPHeaders
    let policy: URLRequest.CachePolicy
    /// The secrets of the request and its unusual settings of trust and address. Responses to one identity are not
    /// served to another. Empty for a request without secrets and special settings.
    let identity: [UInt8]
    /// Whether the transport adds cookies, which are unknown here.
    let addsCookies: Bool
    /// The generation of these cookies; `nil` if the transport adds no cookies.
    let cookieGeneration: UInt64?
    /// Whether the header fields are complete.
    let isComplete: Bool
    /// The limit on the body in bytes.
    let bodyLimit: Int64?

    /// Creates the lookup of a transfer.
    ///
    /// - Parameter cookieGeneration: The session's cookie generation, whether or not this transfer sends cookies.
    init(_ transfer: Transfer, policy: URLRequest.CachePolicy, cookieGeneration: UInt64? = nil) {
        url = transfer.url
        key = CacheKey(url: transfer.url.text, isDecoded: transfer.options.decodesContent)
        method = transfer.method
        headers = transfer.headers
        self.policy = policy
        addsCookies = transfer.options.handlesCookies
        self.cookieGeneration = addsCookies ? cookieGeneration : nil
        let cookies = self.cookieGeneration.map { ["cookies", String($0, radix: 16)] } ?? []
        identity = Self.identity(transfer.headers, transfer.options.authentication?.credential, transfer, cookies)
        isComplete = true
        bodyLimit = transfer.options.limits.bodyBytes
    }

    /// Creates the lookup of a program; the header fields that sessions add are unknown here.
    init?(_ request: URLRequest) {
        guard let url = try? request.httpURL else { return nil }
        self.url = url.withoutUserInfo
        key = CacheKey(url: url.withoutUserInfo.text)
        method = request.method ?? .get
        headers = request.headers
        policy = request.cachePolicy
        identity = Self.identity(request.headers, url.credential)
        addsCookies = false
        cookieGeneration = nil
        isComplete = false
        bodyLimit = nil
    }

    var control: CacheControl { CacheControl(headers) }

    /// Whether the request is not for the complete current response (RFC 9110 §13.1, §14.2).
    var isConditional: Bool {
        ["If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range", "Range"]
            .contains { headers.value(for: $0) != nil }
    }

    var isForRange: Bool { headers.value(for: "Range") != nil }

    /// Whether the request may change the server's state (RFC 9110 §9.2.1).
    var isUnsafe: Bool { ![.get, .head, .options, .trace, .query].contains(method) }

    /// Returns the values of a field in the form for comparison (RFC 9111 §4.1); `nil` if it is missing.
    func value(of name: String) -> String? {
        let values = headers.values(for: name)
        guard !values.isEmpty else { return nil }
        // Empty elements count: only the syntax of a field says whether they have a meaning.
        let parts = values.flatMap { Array($0.utf8)[...].splitOutsideQuotes(at: UInt8(ascii: ",")) }
        return parts.map { String(decoding: $0.trimmed, as: UTF8.self) }.joined(separator: ", ")
    }

    /// Prefixes each value with its length, so that different lists never have the same bytes.
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
            facts += network.unixSocketPath.map { [network.isSocketAbstract ? "name" : "socket", $0] } ?? []
            facts += (network.connectTo + network.resolve).flatMap { ["place", $0] }
        }
        return facts.flatMap { Array("\($0.utf8.count) \($0)".utf8) }
    }

    /// Returns the unusual trust settings, and the client certificate.
    private static func trust(_ options: TLSOptions) -> [String] {
        var (facts, rest) = ([String](), options)
        rest.readsCertificates = false
        guard rest != TLSOptions() else { return [] }
        if case .bundle(let certificates) = options.authorities {
            facts += ["bundle", SHA256Digest(of: certificates).hexadecimal]
            rest.authorities = .system
        }
        // The name of an evaluation is meaningless to other processes.
        if let evaluation = options.evaluation {
            facts += ["evaluation", evaluation.name, processMark]
            rest.evaluation = nil
        }
        return facts + ["trust", "\(rest)"]
    }

    private static let processMark = String(UInt64.random(in: 0 ... .max), radix: 16)
}
