internal import AFHTTP
internal import FoundationEssentials

/// JSON out of values of this program, for records.
extension JSONText {
    /// Members in this order; those without a value are left out.
    static func members(_ members: KeyValuePairs<String, JSONText?>) -> JSONText {
        .object(
            members.compactMap { name, value in
                value.map { Member(name: name, spelling: quoted(name), value: $0) }
            }
        )
    }

    static func text(_ text: String?) -> JSONText { text.map(string) ?? .null }

    static func count(_ number: some BinaryInteger) -> JSONText { .raw("\(number)") }

    static func truth(_ value: Bool) -> JSONText { .raw(value ? "true" : "false") }

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
        .array(headers.map { .members(["name": .string($0.name), "value": .string(redaction.value(of: $0))]) })
    }
}
