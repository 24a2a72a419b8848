internal import AFHTTP
internal import FoundationEssentials

/// How long a response is good for, and how old it is (RFC 9111 §4.2).
///
/// A value without a clock: times go in.
struct Freshness: Sendable {
    let statusCode: Int
    let headers: HTTPHeaders
    /// When the request was made that the response answers.
    let requestTime: Date
    /// When the response's head came.
    let responseTime: Date

    /// Seconds that the response may be used without asking; `s-maxage` is for shared caches only.
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

    /// A tenth of the time that passed since the last change, a day at most (RFC 9111 §4.2.2).
    private func heuristicLifetime(_ control: CacheControl) -> Double {
        guard Self.cacheableStatusCodes.contains(statusCode) || control.contains("public"),
            let lastModified = headers.value(for: "Last-Modified").flatMap(time)
        else { return 0 }
        return min(max(0, date.timeIntervalSince(lastModified) / 10), 24 * 60 * 60)
    }

    /// Seconds since the origin server sent the response; infinite where the clock was set back since it came.
    func age(at now: Date) -> Double {
        guard now >= responseTime else { return .infinity }
        let apparentAge = max(0, responseTime.timeIntervalSince(date))
        let delay = max(0, responseTime.timeIntervalSince(requestTime))
        let toldAge = headers.value(for: "Age").flatMap { DeltaSeconds($0)?.value } ?? 0
        return max(apparentAge, toldAge + delay) + now.timeIntervalSince(responseTime)
    }

    /// When the server made the response; when it came, where the server does not tell.
    private var date: Date { headers.value(for: "Date").flatMap(time) ?? responseTime }

    private func time(_ text: String) -> Date? { HTTPDate(parsing: text, now: responseTime)?.date }

    /// Whose responses may be kept without any word of the server (RFC 9110 §15.1); 206 is not kept at all.
    static let cacheableStatusCodes: Set = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]
}
