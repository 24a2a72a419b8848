/// A format of dates with specifiers after percent signs, as in strftime and Rust's chrono.
struct DateFormat: Equatable {
    /// A part of a format; specifiers for several fields are their parts.
    enum Item: Equatable {
        case literal(String)
        /// Any amount of white space in a date that is parsed.
        case space(String)
        case field(Field, Padding?)
        case name(Name)
        /// The fraction of a second: its digits, as many as needed if `nil`, and whether a point precedes them.
        case fraction(digits: Int?, hasPoint: Bool)
        /// The offset from UTC, with a colon between hours and minutes.
        case offset(hasColon: Bool, hasSeconds: Bool)
        /// The hours of the offset from UTC.
        case offsetHours
        /// `Z` or an offset.
        case offsetOrZ
    }

    /// A number.
    enum Field: Equatable {
        case year, century, yearOfCentury, isoYear, isoYearOfCentury
        case quarter, month, day, dayOfYear, weekOfYearFromSunday, weekOfYearFromMonday, isoWeek
        case weekdayFromSunday, weekdayFromMonday
        case hour, hour12, minute, second, timestamp
        /// The nanoseconds.
        case nanoseconds

        /// The number of digits and the character before shorter numbers.
        var layout: (width: Int, padding: Padding) {
            switch self {
            case .year, .isoYear: (4, .zero)
            case .dayOfYear: (3, .zero)
            case .quarter, .weekdayFromSunday, .weekdayFromMonday: (1, .zero)
            case .nanoseconds: (9, .zero)
            case .timestamp: (1, .zero)
            default: (2, .zero)
            }
        }
    }

    enum Name: Equatable {
        case shortMonth, longMonth, shortWeekday, longWeekday, uppercasePeriod, lowercasePeriod, zone
    }

    enum Padding: Equatable { case none, zero, space }

    let items: [Item]

    static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
    static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]

    static let rfc3339 = DateFormat(
        items: date + [.literal("T")] + time + [.fraction(digits: 6, hasPoint: true), .literal("Z")])
    static let message = DateFormat(
        items: date + [.literal(" ")] + time + [.fraction(digits: nil, hasPoint: true), .literal(" UTC")])

    private static let date: [Item] = [
        .field(.year, nil), .literal("-"), .field(.month, nil), .literal("-"), .field(.day, nil),
    ]
    private static let time: [Item] = [
        .field(.hour, nil), .literal(":"), .field(.minute, nil), .literal(":"), .field(.second, nil),
    ]

    private init(items: [Item]) { self.items = items }

    /// Parses a format; returns `nil` if it has an unknown specifier.
    init?(_ text: String) {
        var items: [Item] = []
        var rest = text.unicodeScalars[...]
        while let character = rest.popFirst() {
            if character == "%" {
                guard let specifier = Self.specifier(&rest) else { return nil }
                items += specifier
            } else if character.properties.isWhitespace {
                items.append(.space(String(character)))
            } else if case .literal(let text)? = items.last {
                items[items.count - 1] = .literal(text + String(character))
            } else {
                items.append(.literal(String(character)))
            }
        }
        self.items = items
    }

    /// Reads a specifier after its percent sign.
    private static func specifier(_ rest: inout Substring.UnicodeScalarView) -> [Item]? {
        for (prefix, item) in prefixes where rest.starts(with: prefix.unicodeScalars) {
            rest.removeFirst(prefix.unicodeScalars.count)
            return [item]
        }
        var padding: Padding?
        switch rest.first {
        case "-": padding = Padding.none
        case "_": padding = .space
        case "0": padding = .zero
        default: break
        }
        if padding != nil { rest.removeFirst() }
        guard let character = rest.popFirst() else { return nil }
        if let (field, ownPadding) = fields[character] { return [.field(field, padding ?? ownPadding)] }
        return padding == nil ? composites[character] : nil
    }

    private static let prefixes: [(String, Item)] = [
        (".3f", .fraction(digits: 3, hasPoint: true)), (".6f", .fraction(digits: 6, hasPoint: true)),
        (".9f", .fraction(digits: 9, hasPoint: true)), (".f", .fraction(digits: nil, hasPoint: true)),
        ("3f", .fraction(digits: 3, hasPoint: false)), ("6f", .fraction(digits: 6, hasPoint: false)),
        ("9f", .fraction(digits: 9, hasPoint: false)), (":::z", .offsetHours),
        ("::z", .offset(hasColon: true, hasSeconds: true)),
        (":z", .offset(hasColon: true, hasSeconds: false)), ("#z", .offset(hasColon: false, hasSeconds: false)),
    ]

    private static let fields: [Unicode.Scalar: (Field, Padding?)] = [
        "Y": (.year, nil), "C": (.century, nil), "y": (.yearOfCentury, nil), "G": (.isoYear, nil),
        "g": (.isoYearOfCentury, nil), "q": (.quarter, nil), "m": (.month, nil), "d": (.day, nil), "e": (.day, .space),
        "j": (.dayOfYear, nil), "U": (.weekOfYearFromSunday, nil), "W": (.weekOfYearFromMonday, nil),
        "V": (.isoWeek, nil), "w": (.weekdayFromSunday, nil), "u": (.weekdayFromMonday, nil), "H": (.hour, nil),
        "k": (.hour, .space), "I": (.hour12, nil), "l": (.hour12, .space), "M": (.minute, nil), "S": (.second, nil),
        "s": (.timestamp, nil), "f": (.nanoseconds, nil),
    ]

    private static let composites: [Unicode.Scalar: [Item]] = [
        "b": [.name(.shortMonth)], "h": [.name(.shortMonth)], "B": [.name(.longMonth)], "a": [.name(.shortWeekday)],
        "A": [.name(.longWeekday)], "p": [.name(.uppercasePeriod)], "P": [.name(.lowercasePeriod)],
        "Z": [.name(.zone)], "z": [.offset(hasColon: false, hasSeconds: false)], "t": [.space("\t")],
        "n": [.space("\n")], "%": [.literal("%")], "F": date, "T": time, "X": time,
        "D": monthDayYear, "x": monthDayYear, "R": Array(time.prefix(3)),
        "r": [
            .field(.hour12, nil), .literal(":"), .field(.minute, nil), .literal(":"), .field(.second, nil),
            .space(" "), .name(.uppercasePeriod),
        ],
        "v": [
            .field(.day, .space), .literal("-"), .name(.shortMonth), .literal("-"), .field(.year, nil),
        ],
        "c": [.name(.shortWeekday), .space(" "), .name(.shortMonth), .space(" "), .field(.day, .space), .space(" ")]
            + time + [.space(" "), .field(.year, nil)],
        "+": date + [.literal("T")] + time + [.fraction(digits: nil, hasPoint: true), .offsetOrZ],
    ]

    private static let monthDayYear: [Item] = [
        .field(.month, nil), .literal("/"), .field(.day, nil), .literal("/"), .field(.yearOfCentury, nil),
    ]
}

/// The text of dates.
extension DateFormat {
    func text(of date: HurlDate) -> String {
        let time = CivilTime(date)
        return items.map { item in
            switch item {
            case .literal(let text), .space(let text): text
            case .field(let field, let padding): text(of: field, padding, date, time)
            case .name(let name): text(of: name, time)
            case .fraction(let digits, let hasPoint): fraction(time.nanoseconds, digits, hasPoint: hasPoint)
            case .offset(let hasColon, let hasSeconds):
                "+00" + (hasColon ? ":00" : "00") + (hasSeconds ? ":00" : "")
            case .offsetHours: "+00"
            case .offsetOrZ: "+00:00"
            }
        }.joined()
    }

    private func text(of field: Field, _ padding: Padding?, _ date: HurlDate, _ time: CivilTime) -> String {
        let (width, ownPadding) = field.layout
        let number = number(of: field, date, time)
        let digits = String(number.magnitude)
        let missing = max(width - digits.count, 0)
        let sign = number < 0 ? "-" : field == .year && number > 9999 ? "+" : ""
        switch padding ?? ownPadding {
        case .none: return sign + digits
        case .zero: return sign + String(repeating: "0", count: missing) + digits
        case .space: return String(repeating: " ", count: missing) + sign + digits
        }
    }

    private func number(of field: Field, _ date: HurlDate, _ time: CivilTime) -> Int {
        let iso = time.isoWeek
        return switch field {
        case .year: time.year
        case .century: Int((Double(time.year) / 100).rounded(.down))
        case .yearOfCentury: (time.year % 100 + 100) % 100
        case .isoYear: iso.year
        case .isoYearOfCentury: (iso.year % 100 + 100) % 100
        case .quarter: (time.month + 2) / 3
        case .month: time.month
        case .day: time.day
        case .dayOfYear: time.dayOfYear
        case .weekOfYearFromSunday: (time.dayOfYear + 6 - time.weekday) / 7
        case .weekOfYearFromMonday: (time.dayOfYear + 6 - (time.weekday + 6) % 7) / 7
        case .isoWeek: iso.week
        case .weekdayFromSunday: time.weekday
        case .weekdayFromMonday: (time.weekday + 6) % 7 + 1
        case .hour: time.hour
        case .hour12: (time.hour + 11) % 12 + 1
        case .minute: time.minute
        case .second: time.second
        case .timestamp: Int(date.secondsSince1970)
        case .nanoseconds: time.nanoseconds
        }
    }

    private func text(of name: Name, _ time: CivilTime) -> String {
        switch name {
        case .shortMonth: String(Self.months[time.month - 1].prefix(3))
        case .longMonth: Self.months[time.month - 1]
        case .shortWeekday: String(Self.weekdays[time.weekday].prefix(3))
        case .longWeekday: Self.weekdays[time.weekday]
        case .uppercasePeriod: time.hour < 12 ? "AM" : "PM"
        case .lowercasePeriod: time.hour < 12 ? "am" : "pm"
        case .zone: "UTC"
        }
    }

    private func fraction(_ nanoseconds: Int, _ count: Int?, hasPoint: Bool) -> String {
        let text = String(nanoseconds)
        let digits = String(repeating: "0", count: 9 - text.count) + text
        // Without a number of digits, they are none, 3, 6 or 9.
        let needed =
            nanoseconds == 0 ? 0 : nanoseconds.isMultiple(of: 1_000_000) ? 3 : nanoseconds.isMultiple(of: 1000) ? 6 : 9
        let shown = count ?? needed
        return shown == 0 ? "" : (hasPoint ? "." : "") + digits.prefix(shown)
    }
}
