public import FoundationEssentials

/// The earliest time for another request, as the server asks (RFC 9110 §10.2.3).
public enum RetryAfter: Hashable, Sendable {
    /// Seconds after the response was received.
    case seconds(Int)
    case date(HTTPDate)

    /// Returns `nil` unless the text is a number of seconds or a date.
    ///
    /// A number above 10⁹ is a Unix time, a fraction is rounded up, and one too large to represent is clamped. The zone of
    /// a date may be an offset, as in mail.
    public init?(parsing text: some StringProtocol, now: Date = Date()) {
        if let number = RetryAfter(number: text) {
            self = number
        } else if let date = HTTPDate(parsing: text, now: now) ?? HTTPDate(ofFile: text, now: now) {
            self = .date(date)
        } else {
            return nil
        }
    }

    /// Parses the number of seconds, rounded up, or a Unix time; `nil` unless the text is a decimal number.
    init?(number text: some StringProtocol) {
        let bytes = Array(text.utf8)[...].trimmed
        let integer = bytes.prefix { $0.isASCIIDigit }
        let fraction = bytes.dropFirst(integer.count)
        let digits = fraction.dropFirst()
        guard !integer.isEmpty, fraction.isEmpty || fraction.first == UInt8(ascii: ".") && !digits.isEmpty,
            digits.allSatisfy(\.isASCIIDigit)
        else { return nil }
        let number = Int(String(decoding: integer, as: UTF8.self)) ?? .max
        let seconds = digits.contains { $0 != UInt8(ascii: "0") } && number < .max ? number + 1 : number
        let isUnixTime = 1_000_000_001..<100_000_000_000 ~= seconds
        self = isUnixTime ? .date(HTTPDate(secondsSince1970: Int64(seconds))) : .seconds(seconds)
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
