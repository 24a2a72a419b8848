/// A size: bytes unless it has a unit.
struct ByteCount: Hashable, Sendable, ArgumentValue {
    let bytes: Int64

    init(_ bytes: Int64) { self.bytes = bytes }

    /// Parses a decimal number with an optional unit `k`, `M`, `G` or `T` in either case: powers of 1024, as in curl.
    init(argument: String) throws(UsageError) {
        let number = argument.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let shift: Int? =
            switch argument[number.endIndex...].lowercased() {
            case "", "b": 0
            case "k": 10
            case "m": 20
            case "g": 30
            case "t": 40
            default: nil
            }
        guard let shift, let value = Double(number) else {
            throw UsageError("expected a size such as 500k or 10M, got '\(argument)'")
        }
        guard let bytes = Int64(exactly: (value * Double(1 << shift)).rounded(.down)) else {
            throw UsageError("'\(argument)' is too large")
        }
        self.bytes = bytes
    }
}
