public import FoundationEssentials

/// When a server wants to be asked again (RFC 9110 §10.2.3).
public enum RetryAfter: Hashable, Sendable {
    /// Seconds after the response came.
    case seconds(Int)
    case date(HTTPDate)

    /// `nil` for text that is neither a number of seconds nor a date. A number too large to hold is the largest.
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

    /// The seconds left at a time; 0 when the server may be asked already.
    public func delay(from now: Date) -> Double {
        switch self {
        case .seconds(let seconds): Double(max(0, seconds))
        case .date(let date): max(0, date.date.timeIntervalSince(now))
        }
    }
}

extension HTTPURLResponse {
    /// When the server wants to be asked again; `nil` when it does not say so, or not legibly.
    public var retryAfter: RetryAfter? {
        headers.value(for: "Retry-After").flatMap { RetryAfter(parsing: $0) }
    }
}
