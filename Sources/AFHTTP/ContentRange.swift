/// A `Content-Range` value: the range of a 206, or the length that a 416 reports (RFC 9110 §14.4). Positions are in
/// bytes.
public struct ContentRange: Hashable, Sendable {
    /// First and last position, inclusive; `nil` in a 416.
    public let range: ClosedRange<Int64>?
    /// The length of the complete representation; `nil` if the server does not know it.
    public let total: Int64?

    /// The number of bytes; `nil` in a 416.
    package var length: Int64? { range.map { $0.upperBound - $0.lowerBound + 1 } }

    /// Returns `nil` unless the text is one range of bytes.
    public init?(parsing text: some StringProtocol) {
        let words = text.split(separator: " " as Character, omittingEmptySubsequences: true)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let halves = words[1].split(separator: "/" as Character, omittingEmptySubsequences: false)
        guard halves.count == 2, let total = Self.count(halves[1]) else { return nil }
        self.total = total
        if halves[0] == "*" {
            range = nil
            return
        }
        let ends = halves[0].split(separator: "-" as Character, omittingEmptySubsequences: false)
        guard ends.count == 2, case .some(.some(let first)) = Self.count(ends[0]),
            case .some(.some(let last)) = Self.count(ends[1]), first <= last, total.map({ last < $0 }) ?? true
        else { return nil }
        range = first...last
    }

    /// Returns the number, `.some(nil)` for `*`, or `nil` for anything else.
    private static func count(_ text: some StringProtocol) -> Int64?? {
        if text == "*" { return .some(nil) }
        return text.utf8.decimalValue.map { .some($0) }
    }
}
