internal import AFHTTP
internal import AFTransport
internal import FoundationEssentials

/// One request of a redirect chain.
@_spi(Requests) public struct Hop: Sendable {
    var request: URLRequest
    var url: HTTPURL
    var body: BodySource?
    /// Header fields of the session; see ``addHeaders(_:)``.
    private(set) var sessionHeaders = HTTPHeaders()
    /// The credential for the server.
    var credential: URLCredential?
    /// The space that the credential was stored for; `nil` if the caller provided it.
    var protectionSpace: URLProtectionSpace?
    /// The memory of digest authentication with the origin; `nil` without a credential.
    private(set) var digestSession: DigestSession?
    /// The maximum number of bytes per read.
    package var receiveBufferSize = 0
    /// A rate limit that replaces the hop's own.
    package var sharedRate: SharedRate?
    /// The bytes to send after the server has switched protocols; see ``AFTransport/Transfer/upgradeStream``.
    package var upgradeStream: (any UpgradeStream)?
    /// Whether credentials may be sent. Once `false`, it stays so, even back at the first origin.
    var carriesCredentials = true
    /// The hosts that are reached over TLS only.
    private(set) var hstsStore: HSTSStore?
    /// The index in the redirect chain; zero for the first request.
    var number = 0
    /// Whether an earlier response of the chain was one of HTTP/1.0.
    private(set) var followsHTTP10 = false

    init(request: URLRequest, url: HTTPURL, body: BodySource? = nil) {
        self.request = request
        self.url = url
        self.body = body
    }

    /// Adds the session's header fields, which the request's own override and which are not part of the request.
    mutating func addHeaders(_ headers: HTTPHeaders) {
        guard !request.headers.isEmpty else { return sessionHeaders = headers }
        sessionHeaders = HTTPHeaders(repeating: headers.filter { request.headers.value(for: $0.name) == nil })
    }

    /// Answers further challenges of digest authentication like the first one.
    mutating func startDigestSession() { digestSession = DigestSession() }

    /// Uses https for hosts of the store, in this and in later hops.
    mutating func secure(by store: HSTSStore?) {
        guard let store else { return }
        hstsStore = store
        let target = store.secured(url)
        guard target != url else { return }
        url = target
        request.redirect(to: target)
    }

    /// All header fields to send.
    var headers: HTTPHeaders {
        guard !request.headers.isEmpty else { return sessionHeaders }
        var headers = request.headers
        for header in sessionHeaders { headers.append(header) }
        return headers
    }
}

extension Hop {
    /// The continuation after a response, before a redirect handler decides.
    enum Next: Sendable {
        /// The response is the final one.
        case stay
        case redirect(Redirection)
        case refuse(RedirectFailure)
    }

    /// A redirect as the server sent it.
    struct Redirection: Sendable {
        /// The next hop; its ``Hop/url`` is valid only if ``failure`` is `nil`.
        let hop: Hop
        /// The value of `Location`.
        let location: String
        /// The reason why the redirect cannot be followed.
        let failure: RedirectFailure?

        /// The request for the redirect handler.
        var request: URLRequest { hop.request }
    }

    /// Whether the response may be a redirect, or change the hosts that are reached over TLS only.
    func isConcerned(by response: HTTPURLResponse) -> Bool {
        hstsStore != nil || Self.mayRedirect(response.statusCode)
    }

    private static func mayRedirect(_ code: Int) -> Bool { 300..<400 ~= code }

    /// Whether the response may be a redirect.
    private static func isRedirect(_ response: HTTPURLResponse, by policy: RedirectPolicy) -> Bool {
        let code = response.statusCode
        return policy.followsAllCodes ? mayRedirect(code) : [301, 302, 303, 307, 308].contains(code)
    }

    func next(after response: HTTPURLResponse, by policy: RedirectPolicy) -> Next {
        guard policy.isFollowing, Self.isRedirect(response, by: policy),
            // curl, too, ignores an empty value, which would be the same URL again.
            let received = response.value(forHTTPHeaderField: "Location"), !received.isEmpty
        else { return .stay }
        let location = policy.encodesLikeCurl ? received.asCurlLocation : received
        guard Safety.requires("07-redirects", number < policy.limit) else {
            return .refuse(RedirectFailure(reason: .tooMany(limit: policy.limit)))
        }
        var hop = self
        hop.number += 1
        hop.followsHTTP10 = followsHTTP10 || response.isHTTP10
        hop.changeMethod(after: response.statusCode, by: policy)
        do throws(InvalidURL) {
            let reference = upgradeStream == nil ? location : location.withHTTPScheme
            let target = secured(
                policy.encodesLikeCurl ? try url.resolvingCurlLocation(reference) : try url.resolving(reference))
            hop.go(to: target, from: self, by: policy)
            return .redirect(Redirection(hop: hop, location: location, failure: nil))
        } catch {
            hop.go(to: URL(encoding: location), by: policy)
            return .redirect(Redirection(hop: hop, location: location, failure: error.failure(location)))
        }
    }

    /// Returns the next hop: the redirect's, with a request that a handler may have changed. The policy applies
    /// nevertheless.
    func following(
        _ redirection: Redirection,
        with request: URLRequest,
        by policy: RedirectPolicy
    ) throws(RedirectFailure) -> Hop {
        if let failure = redirection.failure, request.url == redirection.request.url { throw failure }
        let target = try target(of: request, redirection)
        let isDowngrade = url.scheme == .https && target.scheme == .http && !policy.allowsDowngrade
        if Safety.refuses("18-downgrade", isDowngrade) { throw RedirectFailure(reason: .downgrade) }
        guard Safety.requires("30-redirect-schemes", policy.schemes.contains(target.scheme)) else {
            throw RedirectFailure(reason: .excludedScheme(target.scheme))
        }
        switch policy.scope {
        case .host where target.host != url.host: throw RedirectFailure(reason: .otherHost(target.host))
        case .origin where target.origin != url.origin:
            throw RedirectFailure(reason: .otherHost("\(target.origin)"))
        default: break
        }
        var next = redirection.hop
        next.change(to: request)
        next.go(to: target, from: self, by: policy)
        return next
    }

    private func target(of request: URLRequest, _ redirection: Redirection) throws(RedirectFailure) -> HTTPURL {
        do throws(InvalidURL) {
            if let target = try request.httpURL { return secured(target) }
        } catch {
            throw error.failure(request.url?.absoluteString ?? redirection.location)
        }
        throw RedirectFailure(reason: .invalidLocation(redirection.location))
    }

    private func secured(_ target: HTTPURL) -> HTTPURL { hstsStore?.secured(target) ?? target }

    /// Applies the handler's changes; an unchanged body stays.
    private mutating func change(to request: URLRequest) {
        let old = self.request
        self.request = request
        if request.httpBody != old.httpBody { body = request.httpBody.map { .bytes(Array($0)) } }
        if request.method != old.method, (request.method ?? .get) == .get { dropBody() }
    }

    private mutating func changeMethod(after status: Int, by policy: RedirectPolicy) {
        guard becomesGet(status, policy) else { return }
        request.method = .get
        dropBody(keeping: policy.headersKeptWithoutBody)
    }

    /// - Parameter kept: The names of header fields about the body that stay.
    private mutating func dropBody(keeping kept: Set<String> = []) {
        request.httpBody = nil
        body = nil
        removeHeaders { header in
            Safety.refuses("20-headers", header.isAboutBody && !kept.contains { $0.isSameFieldName(as: header.name) })
        }
    }

    private mutating func go(to target: HTTPURL, from last: Hop, by policy: RedirectPolicy) {
        url = target
        request.redirect(to: target)
        upgradeStream?.renewFields(of: &request.headers)
        carriesCredentials = Safety.requires("01-return-to-origin", last.carriesCredentials)
        if policy.sendsReferer { request.headers.update(name: "Referer", value: last.url.text) }
        if target.host != last.url.host { leaveHost(by: policy) }
        if target.origin != last.url.origin {
            leaveOrigin(by: policy)
        } else if !carriesCredentials {
            dropSecrets()
        }
    }

    /// Sets the URL, which may be invalid unless a handler changes it.
    private mutating func go(to url: URL?, by policy: RedirectPolicy) {
        request.url = url
        leaveHost(by: policy)
        leaveOrigin(by: policy)
    }

    private mutating func leaveHost(by policy: RedirectPolicy) {
        // An explicit Host is for the first server only, which may have several ports.
        removeHeaders { header in
            header.name.isSameFieldName(as: "Host")
                || policy.headersOfFirstHost.contains { $0.isSameFieldName(as: header.name) }
        }
    }

    private mutating func leaveOrigin(by policy: RedirectPolicy) {
        if digestSession != nil { startDigestSession() }
        let names = policy.headersOfFirstHost
        removeHeaders { header in header.holdsSecret && names.contains { $0.isSameFieldName(as: header.name) } }
        if Safety.refuses("11-origin", !policy.trustsOtherOrigins) { dropSecrets() }
    }

    private mutating func dropSecrets() {
        carriesCredentials = false
        removeHeaders { Safety.refuses("01-headers-dropped", $0.holdsSecret) }
    }

    private mutating func removeHeaders(where matches: (HTTPHeader) -> Bool) {
        request.headers.removeAll(where: matches)
        sessionHeaders.removeAll(where: matches)
    }

    private func becomesGet(_ status: Int, _ policy: RedirectPolicy) -> Bool {
        let method = request.method ?? .get
        if policy.changesEveryMethod { return 301...303 ~= status && method != .get }
        return switch status {
        case 301: method == .post && !policy.preservedMethods.contains(.movedPermanently)
        case 302: method == .post && !policy.preservedMethods.contains(.found)
        case 303:
            Safety.refuses("20-methods", method != .head && method != .get)
                && !(method == .post && policy.preservedMethods.contains(.seeOther))
        default: false
        }
    }
}

extension HTTPHeader {
    /// Whether the field describes a body and is wrong without one.
    fileprivate var isAboutBody: Bool {
        let name = name.lowercased()
        return name.hasPrefix("content-") || ["transfer-encoding", "expect", "digest", "repr-digest"].contains(name)
    }
}

extension InvalidURL {
    /// Returns the reason why a redirect to such a location is not followed.
    fileprivate func failure(_ location: String) -> RedirectFailure {
        guard case .unsupportedScheme(let scheme) = reason else {
            return RedirectFailure(reason: .invalidLocation(location))
        }
        return RedirectFailure(reason: .unsupportedScheme(scheme))
    }
}

extension HTTPHeaders {
    fileprivate mutating func removeAll(where matches: (HTTPHeader) -> Bool) {
        self = HTTPHeaders(repeating: filter { !matches($0) })
    }
}
