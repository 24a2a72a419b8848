extension DateFormat {
    /// Parses a date; returns `nil` if the text has another format or is no date.
    ///
    /// Without an offset the time is UTC, and without a time it is midnight.
    func date(parsing text: String) -> HurlDate? {
        var reader = DateReader(text)
        for item in items where !reader.read(item) { return nil }
        return reader.isAtEnd ? reader.date : nil
    }
}

/// A date that is read field by field.
private struct DateReader {
    private var rest: Substring.UnicodeScalarView
    private var time = CivilTime()
    private var hasDate = (year: false, month: false, day: false)
    private var century: Int?
    private var yearOfCentury: Int?
    private var quarter: Int?
    private var dayOfYear: Int?
    private var weekday: Int?
    private var hour12: Int?
    private var isAfternoon: Bool?
    private var timestamp: Int?
    private var isoYear: Int?
    private var isoWeek: Int?
    private var offset = 0

    init(_ text: String) { rest = text.unicodeScalars[...] }

    var isAtEnd: Bool { rest.isEmpty }

    /// Returns `false` if the text does not match.
    mutating func read(_ item: DateFormat.Item) -> Bool {
        switch item {
        case .literal(let text):
            guard rest.starts(with: text.unicodeScalars) else { return false }
            rest.removeFirst(text.unicodeScalars.count)
            return true
        case .space:
            while rest.first?.properties.isWhitespace == true { rest.removeFirst() }
            return true
        case .field(let field, _): return read(field)
        case .name(let name): return read(name)
        case .fraction(let digits, let hasPoint): return readFraction(digits, hasPoint: hasPoint)
        case .offset, .offsetHours: return readOffset()
        case .offsetOrZ:
            if rest.first == "Z" || rest.first == "z" {
                rest.removeFirst()
                return true
            }
            return readOffset()
        }
    }

    /// Reads at most as many digits; returns `nil` if the text does not start with a digit.
    private mutating func number(_ limit: Int) -> Int? {
        let digits = String(rest.prefix(limit).prefix { "0"..."9" ~= $0 })
        rest.removeFirst(digits.utf8.count)
        return Int(digits)
    }

    private mutating func read(_ field: DateFormat.Field) -> Bool {
        while rest.first?.properties.isWhitespace == true { rest.removeFirst() }
        let isSigned = field == .year || field == .isoYear || field == .timestamp
        let isNegative = isSigned && rest.first == "-"
        let hasSign = isNegative || isSigned && rest.first == "+"
        if hasSign { rest.removeFirst() }
        // A year without sign has at most four digits.
        let limit =
            switch field {
            case .year, .isoYear: hasSign ? 6 : 4
            case .timestamp: 12
            default: field.layout.width
            }
        guard let number = number(limit).map({ isNegative ? -$0 : $0 }) else { return false }
        return set(field, number)
    }

    private mutating func set(_ field: DateFormat.Field, _ number: Int) -> Bool {
        switch field {
        case .year: (time.year, hasDate.year) = (number, true)
        case .century: century = number
        case .yearOfCentury: yearOfCentury = number
        case .quarter:
            guard 1...4 ~= number else { return false }
            quarter = number
        case .month: (time.month, hasDate.month) = (number, true)
        case .day: (time.day, hasDate.day) = (number, true)
        case .dayOfYear: dayOfYear = number
        case .weekdayFromSunday: weekday = number % 7
        case .weekdayFromMonday: weekday = number % 7
        case .hour: time.hour = number
        case .hour12:
            guard 1...12 ~= number else { return false }
            hour12 = number
        case .minute: time.minute = number
        case .second: time.second = number
        case .timestamp: timestamp = number
        case .isoYear: isoYear = number
        case .isoWeek: isoWeek = number
        case .nanoseconds: time.nanoseconds = number
        case .isoYearOfCentury, .weekOfYearFromSunday, .weekOfYearFromMonday: break
        }
        return true
    }

    private mutating func read(_ name: DateFormat.Name) -> Bool {
        switch name {
        case .shortMonth, .longMonth:
            guard let index = readName(DateFormat.months) else { return false }
            (time.month, hasDate.month) = (index + 1, true)
        case .shortWeekday, .longWeekday:
            guard let index = readName(DateFormat.weekdays) else { return false }
            weekday = index
        case .uppercasePeriod, .lowercasePeriod:
            let text = String(rest.prefix(2)).lowercased()
            guard text == "am" || text == "pm" else { return false }
            isAfternoon = text == "pm"
            rest.removeFirst(2)
        case .zone:
            let letters = rest.prefix { "A"..."Z" ~= $0 || "a"..."z" ~= $0 }
            guard !letters.isEmpty else { return false }
            rest.removeFirst(letters.count)
        }
        return true
    }

    /// Reads a name or its first three letters, in any case; returns its index.
    private mutating func readName(_ names: [String]) -> Int? {
        for length in [nil, 3] {
            let index = names.firstIndex { name in
                let expected = name.prefix(length ?? name.count).lowercased()
                return String(rest.prefix(expected.count)).lowercased() == expected
            }
            guard let index else { continue }
            rest.removeFirst(length ?? names[index].count)
            return index
        }
        return nil
    }

    private mutating func readFraction(_ count: Int?, hasPoint: Bool) -> Bool {
        if hasPoint {
            // The point and the digits may be missing.
            guard rest.first == "." else { return true }
            rest.removeFirst()
        }
        let all = rest.prefix { "0"..."9" ~= $0 }
        let digits = String(hasPoint ? all[...] : all.prefix(count ?? 9))
        guard !digits.isEmpty, hasPoint || digits.utf8.count == count else { return false }
        rest.removeFirst(digits.utf8.count)
        let significant = digits.prefix(9)
        time.nanoseconds = Int(significant + String(repeating: "0", count: 9 - significant.count)) ?? 0
        return true
    }

    private mutating func readOffset() -> Bool {
        guard let sign = rest.popFirst(), sign == "+" || sign == "-", let hours = number(2) else { return false }
        if rest.first == ":" { rest.removeFirst() }
        let minutes = number(2) ?? 0
        guard hours < 24, minutes < 60 else { return false }
        offset = (sign == "-" ? -60 : 60) * (hours * 60 + minutes)
        return true
    }

    /// The date; `nil` if fields are missing, out of their ranges or contradictory.
    var date: HurlDate? {
        if let timestamp { return HurlDate(secondsSince1970: Int64(timestamp), nanoseconds: time.nanoseconds) }
        guard var time = timeWithDate, time.isValid else { return nil }
        if let hour12 {
            guard let isAfternoon else { return nil }
            time.hour = hour12 % 12 + (isAfternoon ? 12 : 0)
        }
        if let weekday, weekday != time.weekday { return nil }
        if let quarter, quarter != (time.month + 2) / 3 { return nil }
        return time.date(offset: offset)
    }

    /// The time with the day that the fields determine.
    private var timeWithDate: CivilTime? {
        var time = time
        if let yearOfCentury, !hasDate.year {
            time.year = century.map { $0 * 100 + yearOfCentury } ?? yearOfCentury + (yearOfCentury < 70 ? 2000 : 1900)
        }
        let hasYear = hasDate.year || yearOfCentury != nil
        if hasYear, hasDate.month, hasDate.day { return time }
        if hasYear, let dayOfYear {
            guard 1...(CivilTime.isLeap(time.year) ? 366 : 365) ~= dayOfYear else { return nil }
            return time.replacingDay(CivilTime(year: time.year).daysSince1970 + dayOfYear - 1)
        }
        guard let isoYear, let isoWeek, let weekday, 1...53 ~= isoWeek else { return nil }
        let fourth = CivilTime(year: isoYear, day: 4)
        let monday = fourth.daysSince1970 - (fourth.weekday + 6) % 7
        return time.replacingDay(monday + (isoWeek - 1) * 7 + (weekday + 6) % 7)
    }
}

extension CivilTime {
    /// Returns the time on another day.
    fileprivate func replacingDay(_ days: Int) -> CivilTime {
        var result = CivilTime(days: days)
        (result.hour, result.minute, result.second, result.nanoseconds) = (hour, minute, second, nanoseconds)
        return result
    }
}
