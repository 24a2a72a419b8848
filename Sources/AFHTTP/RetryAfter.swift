public import FoundationEssentials

/// The earliest time for another request, as the server asks (RFC 9110 §10.2.3).
public enum RetryAfter: Hashable, Sendable {
    /// Seconds after the response was received.
    case seconds(Int)
    case date(HTTPDate)

    /// Returns `nil` unless the text is a number of seconds or a date. Numbers too large to represent are clamped.
    public init?(parsing text: some StringProtocol, now: Date = Date()) {
        let digits = Array(text.utf8)[...].trimmed
        if !digits.isEmpty, digits.allSatisfy(\.isASCIIDigit) {
            self = .seconds(Int(String(decoding: digits, as: UTF8.self)) ?? .max)
        } else if let date = HTTPDate(parsing: text, now: now) {
            self = .date(date)
        } else {
            return nil
        }
    }

    /// Returns the remaining seconds at a point in time; 0 if it has passed.
    public func delay(from now: Date) -> Double {
        switch self {
        case .seconds(let seconds): Double(max(0, seconds))
        case .date(let date): max(0, date.date.timeIntervalSince(now))
        }
    }
}

extension HTTPURLResponse {
    /// The value of `Retry-After`; `nil` if it is missing or malformed.
    public var retryAfter: RetryAfter? {
        headers.value(for: "Retry-After").flatMap { RetryAfter(parsing: $0) }
    }
}
