internal import AFHTTP
internal import AFJSON
internal import FoundationEssentials

/// JSON from values of this program, for reports.
extension JSONText {
    static func text(_ text: String?) -> JSONText { text.map(string) ?? .null }

    static func count(_ number: some BinaryInteger) -> JSONText { .raw("\(number)") }

    /// Returns a rounded number; negative times become zero.
    static func decimal(_ value: Double, places: Int) -> JSONText {
        .raw(HumanUnits.decimal(value, places: places))
    }

    /// Returns a UTC time with milliseconds (ISO 8601).
    static func moment(_ date: Date) -> JSONText {
        .string(Date.ISO8601FormatStyle(includingFractionalSeconds: true).format(date))
    }

    /// Returns a list of names and values, which preserves order and repetitions.
    static func fields(_ headers: some Sequence<HTTPHeader>, _ redaction: Redaction) -> JSONText {
        .array(headers.map { .object(["name": .string($0.name), "value": .string(redaction.value(of: $0))]) })
    }
}
