internal import AFHTTP
internal import FoundationEssentials

/// What becomes of a request that may be answered by the cache.
enum CacheDecision: Sendable {
    /// The cache has no say: ask the server.
    case load
    case serve(StoredResponse)
    /// Serve what is stale, and ask the server for next time.
    case serveAndRevalidate(StoredResponse)
    /// Ask the server whether the response is still good.
    case validate(StoredResponse)
    /// The request wants nothing but what is there, in HTTP's words.
    case gatewayTimeout
    /// The request wants nothing but what is there, in Foundation's words.
    case fail
}

/// Which response may be kept and which may be used (RFC 9111): facts go in, a decision comes out.
enum CacheRules {
    /// - Parameter stored: What the cache holds for the question.
    /// - Parameter servesStale: Whether `stale-while-revalidate` counts (RFC 5861 §3).
    static func decide(
        _ question: CacheQuestion,
        _ stored: StoredResponse?,
        at now: Date,
        servesStale: Bool = false
    ) -> CacheDecision {
        guard isAnswerable(question) else { return missing(question) }
        switch question.policy {
        case .reloadIgnoringLocalCacheData: return .load
        case .returnCacheDataElseLoad, .returnCacheDataDontLoad:
            return stored.map { .serve($0) } ?? missing(question)
        case .reloadRevalidatingCacheData:
            guard let stored else { return .load }
            // The server has promised that there will be no other answer (RFC 8246).
            let isSettled = stored.control.contains("immutable") && stored.remainingLifetime(at: now) > 0
            return isSettled ? .serve(stored) : validation(of: stored, for: question)
        case .useProtocolCachePolicy:
            guard let stored else { return missing(question) }
            return decideByProtocol(question, stored, at: now, servesStale: servesStale)
        }
    }

    /// Whether there can be an answer in the cache.
    static func isAnswerable(_ question: CacheQuestion) -> Bool {
        [.get, .head].contains(question.method) && !question.isConditional
            && !question.control.contains("no-store")
    }

    private static func decideByProtocol(
        _ question: CacheQuestion,
        _ stored: StoredResponse,
        at now: Date,
        servesStale: Bool
    ) -> CacheDecision {
        let (wishes, control) = (question.control, stored.control)
        let wantsValidation =
            wishes.contains("no-cache") || (wishes.isEmpty && question.headers.listed("Pragma").contains("no-cache"))
        guard !wantsValidation, !control.contains("no-cache") else { return validation(of: stored, for: question) }
        let remaining = stored.remainingLifetime(at: now)
        if let limit = wishes.seconds("max-age"), stored.freshness.age(at: now) > limit {
            return validation(of: stored, for: question)
        }
        if remaining > 0 {
            let isFreshEnough = remaining >= wishes.seconds("min-fresh") ?? 0
            return isFreshEnough ? .serve(stored) : validation(of: stored, for: question)
        }
        guard !control.contains("must-revalidate"), wishes.seconds("min-fresh") == nil else {
            return validation(of: stored, for: question)
        }
        if let staleness = wishes.acceptedStaleness, -remaining <= staleness { return .serve(stored) }
        if servesStale, !stored.conditions.isEmpty, -remaining < control.seconds("stale-while-revalidate") ?? 0 {
            return .serveAndRevalidate(stored)
        }
        return validation(of: stored, for: question)
    }

    private static func validation(of stored: StoredResponse, for question: CacheQuestion) -> CacheDecision {
        if question.policy == .useProtocolCachePolicy, question.control.contains("only-if-cached") {
            return .gatewayTimeout
        }
        // The answer to a conditional HEAD has no body to tell apart; it is the plain one that updates what is kept.
        return question.method == .get && !stored.conditions.isEmpty ? .validate(stored) : .load
    }

    /// Nothing in the cache answers.
    private static func missing(_ question: CacheQuestion) -> CacheDecision {
        switch question.policy {
        case .returnCacheDataDontLoad: .fail
        case .useProtocolCachePolicy where question.control.contains("only-if-cached"): .gatewayTimeout
        default: .load
        }
    }

    /// Whether a response to GET may be kept (RFC 9111 §3), given that it is whole.
    static func isStorable(_ response: HTTPURLResponse, for question: CacheQuestion) -> Bool {
        guard !question.isForRange, !question.control.contains("no-store"),
            response.statusCode >= 200, ![206, 304].contains(response.statusCode)
        else { return false }
        let control = CacheControl(response.headers)
        let isUnderstood =
            control.contains("must-understand") && Self.understoodStatusCodes.contains(response.statusCode)
        guard !control.contains("no-store") || isUnderstood else { return false }
        let selectors = response.headers.listed("Vary")
        // Which cookies the transport adds is not known here, so neither is who is meant.
        guard !selectors.contains("*"), !question.addsCookies || !selectors.contains("cookie") else { return false }
        return Freshness.cacheableStatusCodes.contains(response.statusCode) || response.headers["Expires"] != nil
            || ["public", "private", "max-age"].contains { control.contains($0) }
    }

    private static let understoodStatusCodes = Freshness.cacheableStatusCodes.union([302, 303, 307])

    /// What a response makes out of date (RFC 9111 §4.4): other places only where the same server speaks for them.
    static func invalidated(by response: HTTPURLResponse, to question: CacheQuestion) -> [CacheKey] {
        guard question.isUnsafe, (200..<400).contains(response.statusCode) else { return [] }
        let others = ["Location", "Content-Location"].compactMap { name -> HTTPURL? in
            guard let reference = response.headers[name], let url = try? question.url.resolving(reference),
                url.origin == question.url.origin
            else { return nil }
            return url
        }
        let urls = Set([question.key.url] + others.map(\.text))
        return urls.flatMap { [CacheKey(url: $0, isDecoded: true), CacheKey(url: $0, isDecoded: false)] }
    }
}

extension StoredResponse {
    /// Seconds that the response is still good for; below zero, how stale it is.
    func remainingLifetime(at now: Date) -> Double { freshness.lifetime - freshness.age(at: now) }
}

extension HTTPURLResponse {
    /// Whether a body that was cut off would be noticed: in HTTP/1, one that only the connection ends would not.
    var tellsItsEnd: Bool {
        statusCode == 204 || !httpVersion.hasPrefix("HTTP/1") || headers["Content-Length"] != nil
            || headers.listed("Transfer-Encoding").contains("chunked")
    }
}
