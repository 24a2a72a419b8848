/// The only range of a `Range` field, in bytes (RFC 9110 §14.1.2).
package enum RequestedRange: Hashable, Sendable {
    /// `0-99` or `100-`; the end is inclusive.
    case from(Int64, through: Int64?)
    /// The last bytes: `-500`.
    case last(Int64)

    /// Returns `nil` for several ranges, another unit and an invalid value.
    package init?(parsing text: some StringProtocol) {
        let halves = text.split(separator: "=" as Character, maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count == 2, halves[0].utf8.map(\.asciiLowercased).elementsEqual("bytes".utf8) else { return nil }
        let ends = Array(halves[1].utf8)[...].trimmed
            .split(separator: UInt8(ascii: "-"), maxSplits: 1, omittingEmptySubsequences: false)
        guard ends.count == 2, ends.allSatisfy({ $0.allSatisfy(\.isASCIIDigit) }) else { return nil }
        let (first, last) = (
            Int64(String(decoding: ends[0], as: UTF8.self)), Int64(String(decoding: ends[1], as: UTF8.self))
        )
        switch (first, last) {
        case (let first?, nil) where ends[1].isEmpty: self = .from(first, through: nil)
        case (let first?, let last?) where first <= last: self = .from(first, through: last)
        case (nil, let count?) where ends[0].isEmpty && count > 0: self = .last(count)
        default: return nil
        }
    }

    /// Whether a `Content-Range` is this range, as far as the representation has it.
    package func isMet(by content: ContentRange) -> Bool {
        guard let sent = content.range else { return false }
        switch self {
        case .from(let first, let last):
            // Without a total, the server may have ended the range at an end that it does not know.
            guard let total = content.total else {
                return sent.lowerBound == first && sent.upperBound <= last ?? .max
            }
            return sent.lowerBound == first && sent.upperBound == min(last ?? .max, total - 1)
        case .last(let count):
            guard let total = content.total else { return sent.upperBound - sent.lowerBound < count }
            return sent.lowerBound == max(0, total - count) && sent.upperBound == total - 1
        }
    }
}
