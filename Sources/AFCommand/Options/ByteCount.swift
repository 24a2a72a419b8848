/// A size as typed: bytes unless a unit follows.
struct ByteCount: Hashable, Sendable, ArgumentValue {
    let bytes: Int64

    init(_ bytes: Int64) { self.bytes = bytes }

    /// A decimal number, then nothing, `k`, `M`, `G` or `T` in either case: powers of 1024, as curl's.
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
            throw UsageError("'\(argument)' is more than can be counted")
        }
        self.bytes = bytes
    }
}
