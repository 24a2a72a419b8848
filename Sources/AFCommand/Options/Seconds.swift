/// A span of time as typed: seconds unless a unit follows.
struct Seconds: Hashable, Sendable, ArgumentValue {
    let value: Double

    init(_ value: Double) { self.value = value }

    /// A decimal number, then nothing, `ms`, `s`, `m` or `h`.
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
            throw UsageError("expected a number of seconds such as 1.5 or 500ms, got '\(argument)'")
        }
        self.value = value * factor
    }
}

extension Seconds {
    /// The seconds as a limit: zero lifts it.
    var limit: Double? { value > 0 ? value : nil }
}
