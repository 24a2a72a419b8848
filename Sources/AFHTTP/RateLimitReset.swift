public import FoundationEssentials

extension HTTPURLResponse {
    /// The earliest time for another request: `Retry-After`, otherwise ``rateLimitReset(now:)``.
    public func earliestRetry(now: Date = .now) -> RetryAfter? { retryAfter ?? rateLimitReset(now: now) }

    /// Returns the time at which an exhausted rate limit is reset; `nil` if the fields are missing or malformed, or if
    /// they report remaining requests.
    ///
    /// Understands `RateLimit` in the formats of the IETF drafts (`"default";r=0;t=30` and `remaining=0, reset=30`), and
    /// `RateLimit-Reset`, `X-RateLimit-Reset` and `X-Rate-Limit-Reset` with their `-Remaining` fields. Of several limits
    /// the latest reset counts. A number above 10⁹ is a Unix time, as GitHub sends it.
    public func rateLimitReset(now: Date = .now) -> RetryAfter? {
        var resets = headers.values(for: "RateLimit").flatMap { RateLimitField($0).resets }
        for prefix in ["RateLimit", "X-RateLimit", "X-Rate-Limit"] {
            guard let reset = headers.value(for: "\(prefix)-Reset").flatMap({ RetryAfter(number: $0) }) else {
                continue
            }
            if isExhausted(headers.value(for: "\(prefix)-Remaining")) { resets.append(reset) }
        }
        return resets.max { $0.delay(from: now) < $1.delay(from: now) }
    }
}

/// Whether no request remains: without a number it is presumed, as the request failed.
private func isExhausted(_ remaining: (some StringProtocol)?) -> Bool {
    guard let remaining else { return true }
    let digits = Array(remaining.utf8)[...].trimmed
    return digits.isEmpty || !digits.allSatisfy(\.isASCIIDigit) || digits.allSatisfy { $0 == UInt8(ascii: "0") }
}

/// The resets of the exhausted limits in a `RateLimit` field.
private struct RateLimitField {
    private(set) var resets: [RetryAfter] = []

    init(_ text: String) {
        var combined: [String: String] = [:]
        for member in text.listElements {
            var parameters: [String: String] = [:]
            for parameter in member.splitOutsideQuotes(at: UInt8(ascii: ";")) {
                guard let (name, value) = parameter.pair else { continue }
                parameters[String(decoding: name, as: UTF8.self).lowercased()] = String(decoding: value, as: UTF8.self)
            }
            if let reset = parameters["t"].flatMap({ RetryAfter(number: $0) }), isExhausted(parameters["r"]) {
                resets.append(reset)
            }
            combined.merge(parameters) { $1 }
        }
        if let reset = combined["reset"].flatMap({ RetryAfter(number: $0) }), isExhausted(combined["remaining"]) {
            resets.append(reset)
        }
    }
}
