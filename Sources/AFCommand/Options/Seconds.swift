/// A duration: seconds unless it has a unit.
struct Seconds: Hashable, Sendable, ArgumentValue {
    let value: Double

    init(_ value: Double) { self.value = value }

    /// Parses a decimal number with an optional unit `ms`, `s`, `m` or `h`.
    init(argument: String) throws(UsageError) {
        let number = argument.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let factor: Double? =
            switch argument[number.endIndex...] {
            case "ms": 0.001
            case "", "s": 1
            case "m": 60
            case "h": 3600
            default: nil
            }
        guard let factor, let value = Double(number) else {
            throw UsageError("expected a duration such as 1.5, 200ms or 2m, got '\(argument)'")
        }
        self.value = value * factor
        guard self.value <= Self.longest else { throw UsageError("'\(argument)' is longer than 30 years") }
    }

    /// About 30 years: in nanoseconds, too, it is a 64-bit integer.
    static let longest = 1e9
}

extension Seconds {
    /// The duration as a limit; `nil` for zero, which means no limit.
    var limit: Double? { value > 0 ? value : nil }
}
