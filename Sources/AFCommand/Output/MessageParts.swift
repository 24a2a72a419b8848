/// The parts of requests and responses to show.
struct MessageParts: OptionSet, Hashable, Sendable, ArgumentValue {
    let rawValue: UInt8

    static let requestHead = MessageParts(rawValue: 1)
    static let requestBody = MessageParts(rawValue: 2)
    static let responseHead = MessageParts(rawValue: 4)
    static let responseBody = MessageParts(rawValue: 8)
    /// Timings, sizes and addresses.
    static let metadata = MessageParts(rawValue: 16)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Parses the letters `HBhbm` in any combination.
    init(argument: String) throws(UsageError) {
        self = []
        for letter in argument {
            switch letter {
            case "H": insert(.requestHead)
            case "B": insert(.requestBody)
            case "h": insert(.responseHead)
            case "b": insert(.responseBody)
            case "m": insert(.metadata)
            default: throw UsageError("unknown letter '\(letter)': use H, B, h, b or m")
            }
        }
    }
}
