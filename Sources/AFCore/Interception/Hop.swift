internal import AFHTTP
internal import AFTransport

/// One request on the way from the first URL to the final response.
struct Hop: Sendable {
    var request: URLRequest
    var url: HTTPURL
    var body: BodySource?
    /// Whether what identifies the caller may go along. Once lost it stays lost, even on the way back.
    var carriesCredentials = true
    /// Zero for the request itself.
    var number = 0
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
        next.request.url = target.foundationURL
        if becomesGet(status, policy) {
            next.request.method = .get
            next.request.httpBody = nil
            next.body = nil
            next.request.headers.removeAll { $0.isAboutBody }
        }
        if target.origin != url.origin, !policy.trustsOtherOrigins { next.carriesCredentials = false }
        if !next.carriesCredentials { next.request.headers.removeAll { $0.holdsSecret } }
        // A name typed for the first server means nothing to another one.
        if target.origin != url.origin { next.request.headers.remove(name: "Host") }
        return next
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

extension HTTPHeaders {
    mutating func removeAll(where matches: (HTTPHeader) -> Bool) {
        self = HTTPHeaders(repeating: filter { !matches($0) })
    }
}
