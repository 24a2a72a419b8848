internal import AFHTTP
internal import FoundationEssentials

/// The decision about a request that the cache may serve.
enum CacheDecision: Sendable {
    /// Send the request; the cache is not used.
    case load
    case serve(StoredResponse)
    /// Serve a stale response and revalidate it in the background.
    case serveAndRevalidate(StoredResponse)
    /// Revalidate the stored response.
    case validate(StoredResponse)
    /// Fail with 504: the request accepts only a stored response (`only-if-cached`).
    case gatewayTimeout
    /// Fail with an error: the request accepts only a stored response (Foundation's policy).
    case fail
}

/// The rules for storing and using responses (RFC 9111), without side effects.
enum CacheRules {
    /// Decides how to serve a request.
    ///
    /// - Parameter stored: The stored response for the request.
    /// - Parameter servesStale: Whether `stale-while-revalidate` is used (RFC 5861 §3).
    static func decide(
        _ lookup: CacheLookup,
        _ stored: StoredResponse?,
        at now: Date,
        servesStale: Bool = false
    ) -> CacheDecision {
        guard mayServe(lookup) else { return missing(lookup) }
        switch lookup.policy {
        case .reloadIgnoringLocalCacheData: return .load
        case .returnCacheDataElseLoad, .returnCacheDataDontLoad:
            return stored.map { .serve($0) } ?? missing(lookup)
        case .reloadRevalidatingCacheData:
            guard let stored else { return .load }
            // The server has promised that the response will not change (RFC 8246).
            let isSettled = stored.control.contains("immutable") && stored.remainingLifetime(at: now) > 0
            return isSettled ? .serve(stored) : validation(of: stored, for: lookup)
        case .useProtocolCachePolicy:
            guard let stored else { return missing(lookup) }
            return decideByProtocol(lookup, stored, at: now, servesStale: servesStale)
        }
    }

    /// Whether the cache may serve the request.
    static func mayServe(_ lookup: CacheLookup) -> Bool {
        [.get, .head].contains(lookup.method) && !lookup.isConditional
            && !lookup.control.contains("no-store")
    }

    private static func decideByProtocol(
        _ lookup: CacheLookup,
        _ stored: StoredResponse,
        at now: Date,
        servesStale: Bool
    ) -> CacheDecision {
        let (requested, control) = (lookup.control, stored.control)
        let wantsValidation =
            requested.contains("no-cache")
            || (requested.isEmpty && lookup.headers.listed("Pragma").contains("no-cache"))
        guard !wantsValidation, !control.contains("no-cache") else { return validation(of: stored, for: lookup) }
        let remaining = stored.remainingLifetime(at: now)
        if let limit = requested.seconds("max-age"), stored.freshness.age(at: now) > limit {
            return validation(of: stored, for: lookup)
        }
        if remaining > 0 {
            let isFreshEnough = remaining >= requested.seconds("min-fresh") ?? 0
            return isFreshEnough ? .serve(stored) : validation(of: stored, for: lookup)
        }
        guard !control.contains("must-revalidate"), requested.seconds("min-fresh") == nil else {
            return validation(of: stored, for: lookup)
        }
        if let staleness = requested.acceptedStaleness, -remaining <= staleness { return .serve(stored) }
        if servesStale, !stored.conditions.isEmpty, -remaining < control.seconds("stale-while-revalidate") ?? 0 {
            return .serveAndRevalidate(stored)
        }
        return validation(of: stored, for: lookup)
    }

    private static func validation(of stored: StoredResponse, for lookup: CacheLookup) -> CacheDecision {
        if lookup.policy == .useProtocolCachePolicy, lookup.control.contains("only-if-cached") {
            return .gatewayTimeout
        }
        // A response to a conditional HEAD has no body that could be compared; an unconditional one updates the stored
        // response.
        return lookup.method == .get && !stored.conditions.isEmpty ? .validate(stored) : .load
    }

    /// Returns the decision if there is no stored response.
    private static func missing(_ lookup: CacheLookup) -> CacheDecision {
        switch lookup.policy {
        case .returnCacheDataDontLoad: .fail
        case .useProtocolCachePolicy where lookup.control.contains("only-if-cached"): .gatewayTimeout
        default: .load
        }
    }

    /// Whether a complete response to GET may be stored (RFC 9111 §3).
    static func isStorable(_ response: HTTPURLResponse, for lookup: CacheLookup) -> Bool {
        guard !lookup.isForRange, !lookup.control.contains("no-store"),
            response.statusCode >= 200, ![206, 304].contains(response.statusCode)
        else { return false }
        let control = CacheControl(response.headers)
        let isUnderstood =
            control.contains("must-understand") && Self.understoodStatusCodes.contains(response.statusCode)
        guard !control.contains("no-store") || isUnderstood else { return false }
        let selectors = response.headers.listed("Vary")
        // The transport's cookies are unknown here, and so is the user.
        guard !selectors.contains("*"), !lookup.addsCookies || !selectors.contains("cookie") else { return false }
        return Freshness.cacheableStatusCodes.contains(response.statusCode) || response.headers["Expires"] != nil
            || ["public", "private", "max-age"].contains { control.contains($0) }
    }

    private static let understoodStatusCodes = Freshness.cacheableStatusCodes.union([302, 303, 307])

    /// Returns the keys that a response invalidates (RFC 9111 §4.4): other URLs only if they have the same origin.
    static func invalidated(by response: HTTPURLResponse, to lookup: CacheLookup) -> [CacheKey] {
        guard lookup.isUnsafe, (200..<400).contains(response.statusCode) else { return [] }
        let others = ["Location", "Content-Location"].compactMap { name -> HTTPURL? in
            guard let reference = response.headers[name], let url = try? lookup.url.resolving(reference),
                url.origin == lookup.url.origin
            else { return nil }
            return url
        }
        let urls = Set([lookup.key.url] + others.map(\.text))
        return urls.flatMap { [CacheKey(url: $0, isDecoded: true), CacheKey(url: $0, isDecoded: false)] }
    }
}

extension StoredResponse {
    /// Returns the remaining seconds of freshness; negative if the response is stale.
    func remainingLifetime(at now: Date) -> Double { freshness.lifetime - freshness.age(at: now) }
}

extension HTTPURLResponse {
    /// Whether a truncated body would be detected: not in HTTP/1, if only the end of the connection marks its end.
    var hasDefinedEnd: Bool {
        statusCode == 204 || !httpVersion.hasPrefix("HTTP/1") || headers["Content-Length"] != nil
            || headers.listed("Transfer-Encoding").contains("chunked")
    }
}
