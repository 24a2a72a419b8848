package import FoundationEssentials

/// A moment in UTC, with a resolution of a nanosecond.
package struct HurlDate: Hashable, Sendable {
    /// The seconds, which may be negative.
    package let secondsSince1970: Int64
    /// The nanoseconds after the second, below 1,000,000,000.
    package let nanoseconds: Int

    /// Creates a moment.
    package init(secondsSince1970: Int64, nanoseconds: Int = 0) {
        (self.secondsSince1970, self.nanoseconds) = (secondsSince1970, nanoseconds)
    }

    /// Creates the moment of a date, with a resolution of a microsecond.
    package init(_ date: Date) {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        let bounded = min(max(seconds, -1e12), 1e12)
        let fraction = (date.timeIntervalSince1970 - seconds) * 1e6
        self.init(secondsSince1970: Int64(bounded), nanoseconds: min(max(Int(fraction), 0), 999_999) * 1000)
    }

    /// The number of complete days until another moment, rounded towards zero.
    package func days(until other: HurlDate) -> Int64 {
        let (seconds, overflows) = other.secondsSince1970.subtractingReportingOverflow(secondsSince1970)
        guard !overflows else { return 0 }
        // A fraction reduces the distance of a later moment and extends that of an earlier one.
        let isFraction = other.nanoseconds < nanoseconds
        return
            (isFraction && seconds > 0
            ? seconds - 1 : !isFraction && seconds < 0 && other.nanoseconds > nanoseconds ? seconds + 1 : seconds)
            / 86_400
    }
}

extension HurlDate: Comparable {
    /// Whether the first moment is earlier.
    package static func < (first: HurlDate, second: HurlDate) -> Bool {
        (first.secondsSince1970, first.nanoseconds) < (second.secondsSince1970, second.nanoseconds)
    }
}

extension HurlDate {
    /// The date with microseconds, as templates show it: `2026-01-31T08:05:09.123456Z`.
    package var rfc3339: String { DateFormat.rfc3339.text(of: self) }

    /// The date for messages: `2026-01-31 08:05:09.123 UTC`.
    package var description: String { DateFormat.message.text(of: self) }
}

/// A day, a time and an offset: the fields of a date as written.
struct CivilTime: Equatable {
    var year = 1970
    var month = 1
    var day = 1
    var hour = 0
    var minute = 0
    var second = 0
    var nanoseconds = 0

    /// The days since 1970-01-01 of the proleptic Gregorian calendar.
    var daysSince1970: Int {
        // Years from March on, in eras of 400 years.
        let shifted = month > 2 ? year : year - 1
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The weekday: 0 for Sunday.
    var weekday: Int { ((daysSince1970 + 4) % 7 + 7) % 7 }

    /// The day of the year, from 1.
    var dayOfYear: Int { daysSince1970 - CivilTime(year: year).daysSince1970 + 1 }

    /// Whether the month has the day.
    var isValid: Bool {
        1...12 ~= month && 1...Self.daysInMonth(month, year: year) ~= day && 0...23 ~= hour && 0...59 ~= minute
            && 0...60 ~= second
    }

    static func isLeap(_ year: Int) -> Bool {
        year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    }

    static func daysInMonth(_ month: Int, year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The week of the year and its year, as in ISO 8601.
    var isoWeek: (year: Int, week: Int) {
        let thursday = daysSince1970 - (weekday + 6) % 7 + 3
        let year = CivilTime(days: thursday).year
        return (year, (thursday - CivilTime(year: year).daysSince1970) / 7 + 1)
    }
}

extension CivilTime {
    /// Creates the start of a day.
    init(days: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * month + 2) / 5 + 1
        self.month = month < 10 ? month + 3 : month - 9
        year = yearOfEra + era * 400 + (month < 10 ? 0 : 1)
    }

    init(_ date: HurlDate) {
        let bounded = min(max(date.secondsSince1970, -8_334_601_228_800), 8_210_266_876_799)
        let days = Int((Double(bounded) / 86_400).rounded(.down))
        self.init(days: days)
        let seconds = Int(bounded) - days * 86_400
        (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60)
        nanoseconds = date.nanoseconds
    }

    /// The moment, for an offset from UTC in seconds.
    func date(offset: Int) -> HurlDate {
        HurlDate(
            secondsSince1970: Int64(daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second - offset),
            nanoseconds: nanoseconds)
    }
}
