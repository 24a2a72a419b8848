public import FoundationEssentials

/// The earliest time for another request, as the server asks (RFC 9110 §10.2.3).
public enum RetryAfter: Hashable, Sendable {
    /// Seconds after the response was received.
    case seconds(Int)
    case date(HTTPDate)

    /// Returns `nil` unless the text is a number of seconds or a date.
    ///
    /// A number above 10⁹ is a Unix time, a fraction is rounded up, and one too large to represent is clamped. A duration
    /// with units, such as `4s`, is read as its author meant it. The zone of a date may be an offset, as in mail.
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
    ///
    /// Some servers write a duration, such as `4s`, `30 seconds` or `1m6.5s`, quotes, or a Unix time in milliseconds.
    init?(number text: some StringProtocol) {
        var rest = Array(text.utf8)[...].trimmed
        if rest.count > 1, rest.first == UInt8(ascii: "\""), rest.last == UInt8(ascii: "\"") {
            rest = rest.dropFirst().dropLast()
        }
        guard let number = Self.number(&rest) else { return nil }
        guard rest.isEmpty else {
            guard let seconds = Self.duration(number, rest) else { return nil }
            self = .seconds(Int(min(seconds, 1e15).rounded(.up)))
            return
        }
        let seconds = number < 1e15 ? Int(number.rounded(.up)) : .max
        switch seconds {
        case 1_000_000_001..<100_000_000_000: self = .date(HTTPDate(secondsSince1970: Int64(seconds)))
        case 1_000_000_000_001..<100_000_000_000_000:
            self = .date(HTTPDate(secondsSince1970: Int64((number / 1000).rounded(.up))))
        default: self = .seconds(seconds)
        }
    }

    /// Reads digits with an optional fraction.
    private static func number(_ rest: inout ArraySlice<UInt8>) -> Double? {
        let integer = rest.prefix { $0.isASCIIDigit }
        rest = rest.dropFirst(integer.count)
        guard !integer.isEmpty else { return nil }
        var fraction: ArraySlice<UInt8> = []
        if rest.first == UInt8(ascii: ".") {
            fraction = rest.dropFirst().prefix { $0.isASCIIDigit }
            if fraction.isEmpty { return nil }
            rest = rest.dropFirst(fraction.count + 1)
        }
        return Double(String(decoding: integer + [UInt8(ascii: ".")] + fraction + [UInt8(ascii: "0")], as: UTF8.self))
    }

    /// Returns the seconds of a number and its unit, and of those after them; `nil` for an unknown unit.
    private static func duration(_ number: Double, _ text: ArraySlice<UInt8>) -> Double? {
        var (seconds, number, rest) = (0.0, number, text)
        while true {
            rest = rest.drop { $0 == UInt8(ascii: " ") }
            let unit = rest.prefix(while: \.isASCIILetter)
            guard let factor = factors[String(decoding: unit.map(\.asciiLowercased), as: UTF8.self)] else { return nil }
            seconds += number * factor
            rest = rest.dropFirst(unit.count).drop { $0 == UInt8(ascii: " ") }
            if rest.isEmpty { return seconds }
            guard let next = self.number(&rest) else { return nil }
            number = next
        }
    }

    private static let factors: [String: Double] = [
        "ms": 0.001, "s": 1, "sec": 1, "secs": 1, "second": 1, "seconds": 1, "m": 60, "min": 60, "mins": 60,
        "minute": 60, "minutes": 60, "h": 3600, "hr": 3600, "hour": 3600, "hours": 3600, "d": 86400, "day": 86400,
        "days": 86400,
    ]

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
