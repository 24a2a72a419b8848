public import FoundationEssentials
import Glibc

/// A date of `Date`, `Last-Modified` or `Retry-After`, with a resolution of one second (RFC 9110 §5.6.7).
public struct HTTPDate: Hashable, Sendable, Comparable {
    /// The seconds since 1970, within the years 0000 to 9999, the only ones that the format has.
    public let secondsSince1970: Int64

    /// Creates a date; seconds outside the years 0000 to 9999 are clamped to them.
    public init(secondsSince1970: Int64) {
        self.secondsSince1970 = min(max(secondsSince1970, -62_167_219_200), 253_402_300_799)
    }

    /// Creates a date, rounded down to the second.
    public init(_ date: Date) {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        self.init(secondsSince1970: Int64(min(max(seconds, -1e12), 1e12)))
    }

    /// The start of the second.
    public var date: Date { Date(timeIntervalSince1970: Double(secondsSince1970)) }

    /// Whether the first date is earlier.
    public static func < (earlier: HTTPDate, later: HTTPDate) -> Bool {
        earlier.secondsSince1970 < later.secondsSince1970
    }
}

extension HTTPDate: CustomStringConvertible {
    /// The IMF-fixdate, the only format that may be sent: `Sun, 06 Nov 1994 08:49:37 GMT`.
    public var description: String {
        let (fields, parts) = (self.fields, self.parts)
        let weekday = Self.weekdays[Int(fields.tm_wday)].prefix(3)
        let month = Self.months[Int(fields.tm_mon)]
        return "\(weekday), \(parts.day) \(month) \(parts.year) \(parts.hour):\(parts.minute):\(parts.second) GMT"
    }

    static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}

extension HTTPDate {
    /// The date in UTC, with four digits for the year and two for each other part.
    package var parts: (year: String, month: String, day: String, hour: String, minute: String, second: String) {
        let fields = self.fields
        return (
            (fields.tm_year + 1900).padded(to: 4), (fields.tm_mon + 1).padded(to: 2), fields.tm_mday.padded(to: 2),
            fields.tm_hour.padded(to: 2), fields.tm_min.padded(to: 2), fields.tm_sec.padded(to: 2)
        )
    }

    /// The date as the C library represents it, in UTC.
    var fields: tm {
        var seconds = time_t(secondsSince1970)
        var fields = tm()
        gmtime_r(&seconds, &fields)
        return fields
    }
}
