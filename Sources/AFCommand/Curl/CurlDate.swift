internal import AFHTTP

/// A date as curl reads it: names and numbers in any order, such as `dec 12 1999`, `20240101` or a date of HTTP.
struct CurlDate {
    /// The seconds since 1970 in UTC.
    let seconds: Int

    /// The parts that were found.
    fileprivate struct Parts {
        var (year, month, day): (Int?, Int?, Int?)
        var hasWeekday = false
        var time: Int?
        /// The seconds that are added for UTC.
        var zone: Int?
        /// Whether the next number is a year if it can be both.
        var expectsYear = false
    }

    /// Returns `nil` for a text that curl does not read either.
    init?(_ text: String) {
        var parts = Parts()
        var rest = Array(text.utf8)[...]
        var last: UInt8?
        while let byte = rest.first {
            if byte.isLetter {
                let word = rest.prefix(while: \.isLetter)
                guard parts.take(name: String(decoding: word, as: UTF8.self).lowercased()) else { return nil }
                rest = rest[word.endIndex...]
            } else if byte.isDigit {
                guard parts.takeTime(&rest) || parts.takeNumber(&rest, after: last) else { return nil }
            } else {
                rest = rest.dropFirst()
            }
            last = byte
        }
        guard let year = parts.year, let month = parts.month, let day = parts.day, year >= 1583 else { return nil }
        let days = Self.days(year: year, month: month, day: day)
        seconds = days * 86400 + (parts.time ?? 0) + (parts.zone ?? 0)
    }

    /// Returns the days since 1970 of a date in the Gregorian calendar.
    private static func days(year: Int, month: Int, day: Int) -> Int {
        // A year starts in March, so that the leap day is its last one.
        let shifted = month > 2 ? year : year - 1
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }
}

extension CurlDate.Parts {
    /// Returns whether the word is a weekday, a month or a time zone, of which each may be named once.
    fileprivate mutating func take(name: String) -> Bool {
        let start = String(name.prefix(3))
        if !hasWeekday, Self.weekdays.contains(where: { $0 == name || $0.hasPrefix(start) && name.utf8.count == 3 }) {
            hasWeekday = true
        } else if month == nil, name.utf8.count == 3, let index = Self.months.firstIndex(of: name) {
            month = index + 1
        } else if zone == nil, let minutes = Self.zones.first(where: { $0.name == name })?.minutes {
            zone = minutes * 60
        } else {
            return false
        }
        return true
    }

    /// Returns whether a time such as `08:49:37` or `8:49` is next.
    fileprivate mutating func takeTime(_ rest: inout ArraySlice<UInt8>) -> Bool {
        guard time == nil else { return false }
        var fields: [Int] = []
        var text = rest
        while fields.count < 3 {
            let digits = text.prefix(while: \.isDigit)
            guard (1...2).contains(digits.count) else { break }
            fields.append(digits.decimalValue)
            text = text[digits.endIndex...]
            guard fields.count < 3, text.first == UInt8(ascii: ":"), text.dropFirst().first?.isDigit == true else {
                break
            }
            text = text.dropFirst()
        }
        guard fields.count >= 2, fields[0] < 24, fields[1] < 60, fields.count == 2 || fields[2] <= 60 else {
            return false
        }
        time = fields[0] * 3600 + fields[1] * 60 + (fields.count > 2 ? fields[2] : 0)
        rest = text
        return true
    }

    /// Returns whether the next number is an offset from UTC, a complete date, a day or a year.
    ///
    /// - Parameter last: The byte before it.
    fileprivate mutating func takeNumber(_ rest: inout ArraySlice<UInt8>, after last: UInt8?) -> Bool {
        let digits = rest.prefix(while: \.isDigit)
        guard digits.count <= 9 else { return false }
        rest = rest[digits.endIndex...]
        let number = digits.decimalValue
        let isSigned = last == UInt8(ascii: "+") || last == UInt8(ascii: "-")
        if zone == nil, isSigned, digits.count == 4, number <= 1400 {
            let offset = (number / 100 * 60 + number % 100) * 60
            zone = last == UInt8(ascii: "+") ? -offset : offset
            return true
        }
        if digits.count == 8, year == nil, month == nil, day == nil {
            (year, month, day) = (number / 10_000, number / 100 % 100, number % 100)
            return (1...12).contains(number / 100 % 100) && (1...31).contains(number % 100)
        }
        if !expectsYear, day == nil {
            if (1...31).contains(number) {
                day = number
                expectsYear = true
                return true
            }
            expectsYear = true
        }
        guard expectsYear, year == nil else { return false }
        year = number < 100 ? number + (number > 70 ? 1900 : 2000) : number
        if day == nil { expectsYear = false }
        return true
    }

    private static let weekdays = [
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    ]
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
    /// The names of time zones with the minutes that are added for UTC.
    private static let zones: [(name: String, minutes: Int)] = [
        ("gmt", 0), ("utc", 0), ("z", 0), ("wet", 0), ("bst", -60), ("ast", 240), ("adt", 180), ("est", 300),
        ("edt", 240), ("cst", 360), ("cdt", 300), ("mst", 420), ("mdt", 360), ("pst", 480), ("pdt", 420),
        ("yst", 540), ("ydt", 480), ("hst", 600), ("hdt", 540), ("cet", -60), ("met", -60), ("mest", -120),
        ("cest", -120), ("mesz", -120), ("eet", -120), ("jst", -540), ("nzt", -720), ("nzst", -720), ("nzdt", -780),
    ]
}

extension UInt8 {
    fileprivate var isLetter: Bool { (0x61...0x7A).contains(self | 0x20) }
    fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
}

extension ArraySlice<UInt8> {
    fileprivate var decimalValue: Int { reduce(0) { $0 * 10 + Int($1) - 0x30 } }
}
