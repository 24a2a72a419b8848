public import FoundationEssentials
import Glibc

extension HTTPDate {
    /// Parses the three formats of RFC 9110: IMF-fixdate and the obsolete ones of RFC 850 and `asctime()`.
    ///
    /// The day name must be valid, but is not compared with the date. Second 60 is the first one of the next minute.
    ///
    /// - Parameter now: Decides the century of a two-digit year: the latest that is at most 50 years ahead.
    public init?(parsing text: some StringProtocol, now: Date = Date()) {
        let bytes = Array(text.utf8)[...].trimmed
        guard
            let seconds = DateText(bytes).imfFixdate() ?? DateText(bytes).rfc850(now: HTTPDate(now))
                ?? DateText(bytes).asctime()
        else { return nil }
        self.init(secondsSince1970: seconds)
    }

    /// Parses the date of a file as curl does: `UTC`, `UT`, `Z` or an offset such as `+0200` may replace `GMT`, and without
    /// another zone, the other forms of the dates of cookies are dates.
    ///
    /// Not for dates that are compared with another header field: RFC 9110 allows only `GMT`.
    package init?(ofFile text: some StringProtocol, now: Date = Date()) {
        if let date = HTTPDate(parsing: text, now: now) {
            self = date
            return
        }
        let bytes = Array(text.utf8)[...].trimmed
        let space = bytes.lastIndex(of: UInt8(ascii: " "))
        let zone = String(decoding: bytes[(space.map { $0 + 1 } ?? bytes.startIndex)...], as: UTF8.self)
        if let space, let offset = Self.offset(zone),
            let date = HTTPDate(parsing: String(decoding: bytes[...space], as: UTF8.self) + "GMT", now: now)
        {
            self.init(secondsSince1970: date.secondsSince1970 - offset)
        } else if zone == "GMT" || zone.utf8.first?.isASCIIDigit == true, let date = HTTPDate(ofCookie: bytes) {
            self = date
        } else {
            return nil
        }
    }

    /// Returns the seconds by which a zone is ahead of UTC (RFC 5322 §3.3).
    private static func offset(_ zone: String) -> Int64? {
        if ["UTC", "UT", "Z"].contains(zone) { return 0 }
        let digits = zone.utf8.dropFirst().map { Int64($0) - 0x30 }
        guard zone.hasPrefix("+") || zone.hasPrefix("-"), digits.count == 4,
            digits.allSatisfy({ (0...9).contains($0) }), digits[2] < 6
        else { return nil }
        let minutes = (digits[0] * 10 + digits[1]) * 60 + digits[2] * 10 + digits[3]
        return (zone.hasPrefix("-") ? -60 : 60) * minutes
    }
}

/// The text of a date, read from left to right; every step returns `nil` if the text does not match.
private struct DateText {
    private var rest: ArraySlice<UInt8>

    init(_ text: ArraySlice<UInt8>) {
        rest = text
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`
    consuming func imfFixdate() -> Int64? {
        guard take(anyOf: HTTPDate.weekdays.map { String($0.prefix(3)) }) != nil, take(", ") != nil,
            let day = number(digits: 2), take(" ") != nil,
            let month = take(anyOf: HTTPDate.months), take(" ") != nil,
            let year = number(digits: 4), take(" ") != nil,
            let time = timeOfDay(), take(" GMT") != nil, rest.isEmpty
        else { return nil }
        return HTTPDate.seconds(year: year, month: month, day: day, time: time)
    }

    /// `Sunday, 06-Nov-94 08:49:37 GMT`
    consuming func rfc850(now: HTTPDate) -> Int64? {
        guard take(anyOf: HTTPDate.weekdays) != nil, take(", ") != nil,
            let day = number(digits: 2), take("-") != nil,
            let month = take(anyOf: HTTPDate.months), take("-") != nil,
            let yearOfCentury = number(digits: 2), take(" ") != nil,
            let time = timeOfDay(), take(" GMT") != nil, rest.isEmpty
        else { return nil }
        let horizon = now.yearsLater(50)
        let centuries = stride(from: 9900, through: 0, by: -100)
        let candidates = centuries.lazy.compactMap { century in
            HTTPDate.seconds(year: century + yearOfCentury, month: month, day: day, time: time)
        }
        return candidates.first { $0 <= horizon.secondsSince1970 }
    }

    /// `Sun Nov  6 08:49:37 1994`
    consuming func asctime() -> Int64? {
        guard take(anyOf: HTTPDate.weekdays.map { String($0.prefix(3)) }) != nil, take(" ") != nil,
            let month = take(anyOf: HTTPDate.months), take(" ") != nil,
            let day = take(" ") != nil ? number(digits: 1) : number(digits: 2), take(" ") != nil,
            let time = timeOfDay(), take(" ") != nil,
            let year = number(digits: 4), rest.isEmpty
        else { return nil }
        return HTTPDate.seconds(year: year, month: month, day: day, time: time)
    }

    private mutating func take(_ text: String) -> Void? {
        guard rest.starts(with: text.utf8) else { return nil }
        rest = rest.dropFirst(text.utf8.count)
        return ()
    }

    /// Consumes one of the names and returns its index.
    private mutating func take(anyOf names: [String]) -> Int? {
        names.indices.first { take(names[$0]) != nil }
    }

    private mutating func number(digits: Int) -> Int? {
        let text = rest.prefix(digits)
        guard text.count == digits, text.allSatisfy(\.isASCIIDigit) else { return nil }
        rest = rest.dropFirst(digits)
        return text.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// Parses `08:49:37` into seconds since midnight.
    private mutating func timeOfDay() -> Int? {
        guard let hour = number(digits: 2), hour < 24, take(":") != nil,
            let minute = number(digits: 2), minute < 60, take(":") != nil,
            let second = number(digits: 2), second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }
}

extension HTTPDate {
    /// Returns the seconds since 1970; `nil` for a day that the month does not have.
    ///
    /// - Parameters:
    ///   - month: The number of the month, 0 for January.
    ///   - time: The seconds since midnight.
    package static func seconds(year: Int, month: Int, day: Int, time: Int) -> Int64? {
        var fields = tm()
        (fields.tm_year, fields.tm_mon, fields.tm_mday) = (Int32(year - 1900), Int32(month), Int32(day))
        let midnight = timegm(&fields)
        // timegm(3) turns April 31 into May 1.
        guard fields.tm_mon == month, fields.tm_mday == day else { return nil }
        return Int64(midnight) + Int64(time)
    }

    fileprivate func yearsLater(_ years: Int32) -> HTTPDate {
        var fields = self.fields
        fields.tm_year += years
        return HTTPDate(secondsSince1970: Int64(timegm(&fields)))
    }
}
