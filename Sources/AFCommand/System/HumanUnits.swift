internal import FoundationEssentials

/// Formats quantities for people.
enum HumanUnits {
    /// Returns a size with one decimal in units of 1,000: `512 B`, `8.1 kB`, `1.2 GB`.
    static func bytes(_ count: Int64) -> String {
        if count < 1000 { return "\(count) B" }
        var value = Double(count)
        var unit = "B"
        for next in ["kB", "MB", "GB", "TB", "PB"] {
            value /= 1000
            unit = next
            // 999.95 would be rounded to 1000.0.
            if value < 999.95 { break }
        }
        return "\(decimal(value, places: 1)) \(unit)"
    }

    /// Returns a limit in units of 1,024, as limits are typed: `256 MiB`, `1500 bytes`.
    static func limit(_ count: Int64) -> String {
        let units = [("GiB", 30), ("MiB", 20), ("KiB", 10)]
        guard count > 0, let (unit, shift) = units.first(where: { count % (1 << $0.1) == 0 }) else {
            return "\(count) byte\(count == 1 ? "" : "s")"
        }
        return "\(count >> Int64(shift)) \(unit)"
    }

    /// Returns a rate in bytes per second.
    static func rate(_ bytesPerSecond: Double) -> String {
        guard bytesPerSecond.isFinite, bytesPerSecond < 9e18 else { return "? B/s" }
        return bytes(Int64(max(0, bytesPerSecond).rounded())) + "/s"
    }

    /// Returns a duration with about three digits: `0.42 ms`, `93.1 ms`, `1.24 s`, `2 min 5 s`, `1 h 2 min`.
    static func duration(_ seconds: Double) -> String {
        switch max(0, seconds) {
        case let seconds where seconds < 0.009_995: "\(decimal(seconds * 1000, places: 2)) ms"
        case let seconds where seconds < 0.099_95: "\(decimal(seconds * 1000, places: 1)) ms"
        case let seconds where seconds < 0.999_5: "\(decimal(seconds * 1000, places: 0)) ms"
        case let seconds where seconds < 59.995: "\(decimal(seconds, places: 2)) s"
        case let seconds where seconds < 3599.5: pair(seconds.rounded(), "min", "s")
        case let seconds: pair((min(seconds, 8_639_940) / 60).rounded(), "h", "min")
        }
    }

    /// Returns a number of small units, of which 60 are a large one: `2 min 5 s`.
    private static func pair(_ count: Double, _ large: String, _ small: String) -> String {
        let (quotient, rest) = Int(count).quotientAndRemainder(dividingBy: 60)
        return rest == 0 ? "\(quotient) \(large)" : "\(quotient) \(large) \(rest) \(small)"
    }

    /// Returns whole seconds in clock format: `0:07`, `12:30`, `1:02:03`.
    static func clock(_ seconds: Double) -> String {
        let total = Int(min(max(0, seconds), 8_639_999).rounded())
        let (hours, minutes, rest) = (total / 3600, total / 60 % 60, total % 60)
        return hours > 0 ? "\(hours):\(twoDigits(minutes)):\(twoDigits(rest))" : "\(minutes):\(twoDigits(rest))"
    }

    /// Returns a time in UTC with seconds: `2026-12-25T02:30:09Z`.
    static func moment(_ date: Date) -> String { Date.ISO8601FormatStyle().format(date) }

    /// Returns a number of days: `1 day`, `30 days`.
    static func days(_ count: Int) -> String { "\(count) day\(count == 1 ? "" : "s")" }

    /// Returns a number rounded to a number of decimals, clamped to the range from 0 to the maximum of `Int64`.
    static func decimal(_ value: Double, places: Int) -> String {
        let scale = (0..<places).reduce(Int64(1)) { scale, _ in scale * 10 }
        let scaled = Int64(min(max(0, (value * Double(scale)).rounded()), 9e18))
        guard places > 0 else { return String(scaled) }
        let fraction = String(scaled % scale)
        return "\(scaled / scale)." + String(repeating: "0", count: places - fraction.count) + fraction
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
