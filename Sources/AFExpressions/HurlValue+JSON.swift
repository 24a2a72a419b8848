internal import AFHurl
package import AFJSON

extension HurlValue {
    /// Creates the value at the position of a cursor, which it skips.
    package init(reading cursor: inout JSONCursor) {
        switch cursor.kind {
        case .object:
            let members = cursor.readMembers { HurlValue(reading: &$0) }
            self = .object(members.map { (JSONText.unquoted(cursor.text($0.name)), $0.value) })
        case .array:
            var elements: [HurlValue] = []
            cursor.forEach { elements.append(HurlValue(reading: &$0)) }
            self = .list(elements)
        case .string: self = .string(JSONText.unquoted(cursor.text(cursor.skipValue())))
        case .boolean: self = .boolean(cursor.text(cursor.skipValue()) == "true")
        case .null:
            cursor.skipValue()
            self = .null
        case .number:
            let text = cursor.text(cursor.skipValue())
            let isInteger = text.utf8.allSatisfy { $0 == UInt8(ascii: "-") || 48...57 ~= $0 }
            self = .number(HurlNumber(text, isInteger: isInteger))
        }
    }

    /// The value as JSON; `nil` if it has no JSON.
    package var jsonText: JSONText? {
        switch self {
        case .null: .null
        case .boolean(let value): .flag(value)
        case .number(let value): .raw(value.text)
        case .string(let value): .string(value)
        case .date(let value): .string(value.rfc3339)
        case .list(let values):
            { (elements: [JSONText]) in elements.count == values.count ? .array(elements) : nil }(
                values.compactMap(\.jsonText))
        case .object(let members):
            { (known: [JSONText.Member]) in known.count == members.count ? .object(known) : nil }(
                members.compactMap { member in member.value.jsonText.map { JSONText.Member(member.name, $0) } })
        case .bytes(let bytes): .array(bytes.map { .raw("\($0)") })
        case .nodeSet, .regex, .redirect, .present: nil
        }
    }
}
