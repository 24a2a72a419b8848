internal import AFHTTP
internal import AFTransport

/// One request on the way from the first URL to the final response.
struct Hop: Sendable {
    var request: URLRequest
    var url: HTTPURL
    var body: BodySource?
    /// Sent besides the request's own; see ``addHeaders(_:)``.
    private(set) var sessionHeaders = HTTPHeaders()
    /// Who to log in as.
    var credential: URLCredential?
    /// In bytes.
    var receiveBufferSize = 0
    /// Whether what identifies the caller may go along. Once lost it stays lost, even on the way back.
    var carriesCredentials = true
    /// `nil` where the cache has no say.
    var cacheAccess: CacheAccess?
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

    /// What a response leads to.
    func next(after response: HTTPURLResponse, by policy: RedirectPolicy) -> Next {
        guard policy.isFollowing, [301, 302, 303, 307, 308].contains(response.statusCode),
            let location = response.value(forHTTPHeaderField: "Location")
        else { return .stay }
        guard number < policy.limit else { return .refuse(RedirectFailure(reason: .tooMany(limit: policy.limit))) }
        do throws(InvalidURL) {
            let target = try url.resolving(location)
            if url.scheme == .https, target.scheme == .http, !policy.allowsDowngrade {
                return .refuse(RedirectFailure(reason: .downgrade))
            }
            return .follow(hop(to: target, after: response.statusCode, by: policy))
        } catch {
            guard case .unsupportedScheme(let scheme) = error.reason else {
                return .refuse(RedirectFailure(reason: .invalidLocation(location)))
            }
            return .refuse(RedirectFailure(reason: .unsupportedScheme(scheme)))
        }
    }

    private func hop(to target: HTTPURL, after status: Int, by policy: RedirectPolicy) -> Hop {
        var next = self
        next.number += 1
        next.url = target
        next.request.redirect(to: target)
        if becomesGet(status, policy) {
            next.request.method = .get
            next.request.httpBody = nil
            next.body = nil
            next.removeHeaders { $0.isAboutBody }
        }
        guard target.origin != url.origin else { return next }
        // A name typed for the first server means nothing to another one.
        next.removeHeaders { $0.name.isSameFieldName(as: "Host") }
        if !policy.trustsOtherOrigins {
            next.carriesCredentials = false
            next.removeHeaders { $0.holdsSecret }
        }
        return next
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
