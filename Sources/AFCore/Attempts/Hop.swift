internal import AFHTTP
internal import AFTransport
internal import FoundationEssentials

/// One request on the way from the first URL to the final response.
struct Hop: Sendable {
    var request: URLRequest
    var url: HTTPURL
    var body: BodySource?
    /// Sent besides the request's own; see ``addHeaders(_:)``.
    private(set) var sessionHeaders = HTTPHeaders()
    /// Who to log in as.
    var credential: URLCredential?
    /// What the credential was kept for; `nil` for one that the caller gave.
    var protectionSpace: URLProtectionSpace?
    /// In bytes.
    var receiveBufferSize = 0
    /// In place of a rate of the hop's own.
    var sharedRate: SharedRate?
    /// Whether what identifies the caller may go along. Once lost it stays lost, even on the way back.
    var carriesCredentials = true
    /// `nil` where the cache has no say.
    var cacheAccess: CacheAccess?
    /// Hosts that are reached over TLS only.
    private(set) var hstsStore: HSTSStore?
    /// Zero for the request itself.
    var number = 0

    init(request: URLRequest, url: HTTPURL, body: BodySource? = nil) {
        self.request = request
        self.url = url
        self.body = body
    }

    /// Fields of the session: they stand back behind the request's own, and do not show in it.
    mutating func addHeaders(_ headers: HTTPHeaders) {
        guard !request.headers.isEmpty else { return sessionHeaders = headers }
        sessionHeaders = HTTPHeaders(repeating: headers.filter { request.headers.value(for: $0.name) == nil })
    }

    /// From here on, http URLs of the hosts that a store knows are https ones.
    mutating func secure(by store: HSTSStore?) {
        guard let store else { return }
        hstsStore = store
        let target = store.secured(url)
        guard target != url else { return }
        url = target
        request.redirect(to: target)
    }

    /// Everything to be sent.
    var headers: HTTPHeaders {
        guard !request.headers.isEmpty else { return sessionHeaders }
        var headers = request.headers
        for header in sessionHeaders { headers.append(header) }
        return headers
    }
}

extension Hop {
    enum Next: Sendable {
        /// The response is the final one.
        case stay
        case follow(Hop)
        case refuse(RedirectFailure)
    }

    /// A redirect as the server means it.
    struct Redirection: Sendable {
        /// The next hop; its ``Hop/url`` is right only where there is no ``failure``.
        let hop: Hop
        /// What the server wrote.
        let location: String
        /// Why nobody can go there.
        let failure: RedirectFailure?

        /// What a handler is asked about.
        var request: URLRequest { hop.request }
    }

    /// What a response leads to, as far as that is not a handler's decision.
    enum Outlook: Sendable {
        case settled(Next)
        case redirect(Redirection)
    }

    /// What a response leads to where no handler is asked.
    func next(after response: HTTPURLResponse, by policy: RedirectPolicy) -> Next {
        switch outlook(after: response, by: policy) {
        case .settled(let next): next
        case .redirect(let redirection): next(redirection.request, by: redirection, policy)
        }
    }

    func outlook(after response: HTTPURLResponse, by policy: RedirectPolicy) -> Outlook {
        guard policy.isFollowing, [301, 302, 303, 307, 308].contains(response.statusCode),
            let location = response.value(forHTTPHeaderField: "Location")
        else { return .settled(.stay) }
        guard number < policy.limit else {
            return .settled(.refuse(RedirectFailure(reason: .tooMany(limit: policy.limit))))
        }
        var hop = self
        hop.number += 1
        hop.changeMethod(after: response.statusCode, by: policy)
        do throws(InvalidURL) {
            let target = secured(try url.resolving(location))
            hop.go(to: target, from: self, by: policy)
            return .redirect(Redirection(hop: hop, location: location, failure: nil))
        } catch {
            hop.go(to: URL(string: location), by: policy)
            return .redirect(Redirection(hop: hop, location: location, failure: error.failure(location)))
        }
    }

    /// Follows a redirect with a request that a handler may have changed. The policy holds whatever it did.
    func next(_ request: URLRequest, by redirection: Redirection, _ policy: RedirectPolicy) -> Next {
        if let failure = redirection.failure, request.url == redirection.request.url { return .refuse(failure) }
        do throws(InvalidURL) {
            guard let target = try request.httpURL.map(secured) else {
                return .refuse(RedirectFailure(reason: .invalidLocation(redirection.location)))
            }
            if url.scheme == .https, target.scheme == .http, !policy.allowsDowngrade {
                return .refuse(RedirectFailure(reason: .downgrade))
            }
            var next = redirection.hop
            next.change(to: request)
            next.go(to: target, from: self, by: policy)
            return .follow(next)
        } catch {
            return .refuse(error.failure(request.url?.absoluteString ?? redirection.location))
        }
    }

    private func secured(_ target: HTTPURL) -> HTTPURL { hstsStore?.secured(target) ?? target }

    /// What a handler made of the request; a body that it did not touch stays.
    private mutating func change(to request: URLRequest) {
        let old = self.request
        self.request = request
        if request.httpBody != old.httpBody { body = request.httpBody.map { .bytes(Array($0)) } }
        if request.method != old.method, (request.method ?? .get) == .get { dropBody() }
    }

    private mutating func changeMethod(after status: Int, by policy: RedirectPolicy) {
        guard becomesGet(status, policy) else { return }
        request.method = .get
        dropBody()
    }

    private mutating func dropBody() {
        request.httpBody = nil
        body = nil
        removeHeaders { $0.isAboutBody }
    }

    private mutating func go(to target: HTTPURL, from last: Hop, by policy: RedirectPolicy) {
        url = target
        request.redirect(to: target)
        carriesCredentials = last.carriesCredentials
        if target.origin != last.url.origin {
            leaveOrigin(by: policy)
        } else if !carriesCredentials {
            dropSecrets()
        }
    }

    /// Where nobody can go, unless a handler knows a way.
    private mutating func go(to place: URL?, by policy: RedirectPolicy) {
        request.url = place
        leaveOrigin(by: policy)
    }

    private mutating func leaveOrigin(by policy: RedirectPolicy) {
        // A name typed for the first server means nothing to another one.
        removeHeaders { $0.name.isSameFieldName(as: "Host") }
        if !policy.trustsOtherOrigins { dropSecrets() }
    }

    private mutating func dropSecrets() {
        carriesCredentials = false
        removeHeaders { $0.holdsSecret }
    }

    private mutating func removeHeaders(where matches: (HTTPHeader) -> Bool) {
        request.headers.removeAll(where: matches)
        sessionHeaders.removeAll(where: matches)
    }

    private func becomesGet(_ status: Int, _ policy: RedirectPolicy) -> Bool {
        let method = request.method ?? .get
        return switch status {
        case 301: method == .post && !policy.keptMethods.contains(.movedPermanently)
        case 302: method == .post && !policy.keptMethods.contains(.found)
        case 303: method != .head && method != .get && !policy.keptMethods.contains(.seeOther)
        default: false
        }
    }
}

extension HTTPHeader {
    /// Fields that describe a body, and are untrue without it.
    fileprivate var isAboutBody: Bool {
        let name = name.lowercased()
        return name.hasPrefix("content-") || ["transfer-encoding", "expect", "digest", "repr-digest"].contains(name)
    }
}

extension InvalidURL {
    /// Why a redirect to such a place is not followed.
    fileprivate func failure(_ location: String) -> RedirectFailure {
        guard case .unsupportedScheme(let scheme) = reason else {
            return RedirectFailure(reason: .invalidLocation(location))
        }
        return RedirectFailure(reason: .unsupportedScheme(scheme))
    }
}

extension HTTPURL {
    /// What user info in the URL stands for.
    var credential: URLCredential? {
        user.map { URLCredential(user: $0, password: password ?? "", persistence: .none) }
    }
}

extension HTTPHeaders {
    fileprivate mutating func removeAll(where matches: (HTTPHeader) -> Bool) {
        self = HTTPHeaders(repeating: filter { !matches($0) })
    }
}
