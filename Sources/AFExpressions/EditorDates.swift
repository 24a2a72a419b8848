package import AFHurl

extension HurlDate {
    /// Returns the moment after an interval; days and longer units are those of the calendar in UTC.
    package func adding(_ interval: EditorInterval?) -> HurlDate {
        guard let interval else { return self }
        let count = interval.count
        switch interval.unit {
        case .years: return addingMonths(count.multipliedReportingOverflow(by: 12).partialValue)
        case .months: return addingMonths(count)
        case .weeks: return addingSeconds(count * 604_800)
        case .days: return addingSeconds(count * 86_400)
        case .hours: return addingSeconds(count * 3600)
        case .minutes: return addingSeconds(count * 60)
        case .seconds: return addingSeconds(count)
        case .milliseconds:
            let total = Int64(nanoseconds) + count % 1000 * 1_000_000
            let carry = total < 0 ? -1 : total / 1_000_000_000
            return HurlDate(
                secondsSince1970: secondsSince1970 + count / 1000 + carry,
                nanoseconds: Int(total - carry * 1_000_000_000))
        }
    }

    private func addingSeconds(_ seconds: Int64) -> HurlDate {
        HurlDate(secondsSince1970: secondsSince1970 + seconds, nanoseconds: nanoseconds)
    }

    /// Returns the same day of another month, or its last day.
    private func addingMonths(_ months: Int64) -> HurlDate {
        var time = CivilTime(self)
        let bounded = Int(min(max(months, -1_000_000), 1_000_000))
        let month = time.year * 12 + time.month - 1 + bounded
        time.year = Int((Double(month) / 12).rounded(.down))
        time.month = month - time.year * 12 + 1
        time.day = min(time.day, CivilTime.daysInMonth(time.month, year: time.year))
        return time.date(offset: 0)
    }
}

extension EditorVariable.DateStyle {
    /// Returns the text of a moment.
    ///
    /// - Parameter offset: The offset of the local time from UTC in seconds.
    func text(of date: HurlDate, offset: Int, isLocal: Bool) -> String {
        let (hours, minutes) = (abs(offset) / 3600, abs(offset) / 60 % 60)
        let sign = offset < 0 ? "-" : "+"
        let zone = "\(sign)\(Self.twoDigits(hours)):\(Self.twoDigits(minutes))"
        let format =
            switch self {
            case .iso8601: DateFormat("%Y-%m-%dT%H:%M:%S%.3f" + (isLocal ? zone : "Z"))
            case .rfc1123:
                DateFormat("%a, %d %b %Y %H:%M:%S " + (isLocal ? zone.filter { $0 != ":" } : "GMT"))
            case .pattern(let pattern): DateFormat(Self.specifiers(of: pattern, zone: zone))
            }
        let local = HurlDate(secondsSince1970: date.secondsSince1970 + Int64(offset), nanoseconds: date.nanoseconds)
        return format?.text(of: local) ?? ""
    }

    private static func twoDigits(_ number: Int) -> String { String(String(100 + number).dropFirst()) }

    /// The specifiers of strftime for those of a pattern, the longest first.
    private static let specifiers = [
        ("YYYY", "%Y"), ("YY", "%y"), ("MMMM", "%B"), ("MMM", "%b"), ("MM", "%m"), ("M", "%-m"), ("DD", "%d"),
        ("D", "%-d"), ("dddd", "%A"), ("ddd", "%a"), ("d", "%w"), ("HH", "%H"), ("H", "%-H"), ("hh", "%I"),
        ("h", "%-I"), ("mm", "%M"), ("m", "%-M"), ("ss", "%S"), ("s", "%-S"), ("SSS", "%3f"), ("A", "%p"), ("a", "%P"),
        ("X", "%s"),
    ]

    /// Returns a pattern in the notation of strftime.
    private static func specifiers(of pattern: String, zone: String) -> String {
        var result = ""
        var rest = pattern[...]
        while let first = rest.first {
            if first == "[", let end = rest.firstIndex(of: "]") {
                result += rest[rest.index(after: rest.startIndex)..<end].replacing("%", with: "%%")
                rest = rest[rest.index(after: end)...]
            } else if let (name, specifier) = specifiers.first(where: { rest.hasPrefix($0.0) }) {
                result += specifier
                rest = rest.dropFirst(name.count)
            } else if first == "Z" {
                let isPlain = rest.hasPrefix("ZZ")
                result += isPlain ? zone.filter { $0 != ":" } : zone
                rest = rest.dropFirst(isPlain ? 2 : 1)
            } else {
                result += first == "%" ? "%%" : String(first)
                rest = rest.dropFirst()
            }
        }
        return result
    }
}
