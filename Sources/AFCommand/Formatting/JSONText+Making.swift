internal import AFHTTP
internal import FoundationEssentials

/// JSON out of values of this program, for records.
extension JSONText {
    static func text(_ text: String?) -> JSONText { text.map(string) ?? .null }

    static func count(_ number: some BinaryInteger) -> JSONText { .raw("\(number)") }

    /// Rounded; no time is below zero.
    static func decimal(_ value: Double, places: Int) -> JSONText {
        .raw(HumanUnits.decimal(value, places: places))
    }

    /// Milliseconds of universal time (ISO 8601).
    static func moment(_ date: Date) -> JSONText {
        .string(Date.ISO8601FormatStyle(includingFractionalSeconds: true).format(date))
    }

    /// A list of names and values, in which order and repetition survive.
    static func fields(_ headers: some Sequence<HTTPHeader>, _ redaction: Redaction) -> JSONText {
        .array(headers.map { .object(["name": .string($0.name), "value": .string(redaction.value(of: $0))]) })
    }
}
