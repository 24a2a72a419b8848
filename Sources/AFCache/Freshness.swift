internal import AFHTTP
internal import FoundationEssentials

/// The freshness lifetime and the age of a response (RFC 9111 §4.2).
///
/// A value without a clock: times are parameters.
struct Freshness: Sendable {
    let statusCode: Int
    let headers: HTTPHeaders
    let requestTime: Date
    /// The time at which the response's header was received.
    let responseTime: Date

    /// The freshness lifetime in seconds; `s-maxage` is for shared caches only.
    var lifetime: Double {
        let control = CacheControl(headers)
        if let seconds = control.seconds("max-age") { return seconds }
        let expirations = headers.values(for: "Expires")
        guard expirations.isEmpty else {
            let times = expirations.map { time($0) ?? .distantPast }
            return max(0, times.min()?.timeIntervalSince(date) ?? 0)
        }
        return heuristicLifetime(control)
    }

    /// Returns a tenth of the time since the last modification, at most a day (RFC 9111 §4.2.2).
    private func heuristicLifetime(_ control: CacheControl) -> Double {
        guard Self.cacheableStatusCodes.contains(statusCode) || control.contains("public"),
            let lastModified = headers.value(for: "Last-Modified").flatMap(time)
        else { return 0 }
        return min(max(0, date.timeIntervalSince(lastModified) / 10), 24 * 60 * 60)
    }

    /// Returns the age in seconds; infinite if the clock was set back since the response was received.
    func age(at now: Date) -> Double {
        guard now >= responseTime else { return .infinity }
        let apparentAge = max(0, responseTime.timeIntervalSince(date))
        let delay = max(0, responseTime.timeIntervalSince(requestTime))
        let ageField = headers.value(for: "Age").flatMap { DeltaSeconds($0)?.value } ?? 0
        return max(apparentAge, ageField + delay) + now.timeIntervalSince(responseTime)
    }

    /// The value of `Date`; the time of receipt if it is missing.
    private var date: Date { headers.value(for: "Date").flatMap(time) ?? responseTime }

    private func time(_ text: String) -> Date? { HTTPDate(parsing: text, now: responseTime)?.date }

    /// The status codes that are heuristically cacheable (RFC 9110 §15.1); 206 is not stored at all.
    static let cacheableStatusCodes: Set = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]
}
