/// A range of a file, as typed: `FILE[START:END]`, with units as in sizes. The end is excluded.
struct TypedRange: Equatable, Sendable {
    let path: String
    private let start: Substring
    private let end: Substring

    /// Splits the text; `nil` if it does not end like a range.
    init?(_ text: String) {
        guard text.hasSuffix("]"), let bracket = text.lastIndex(of: "["), bracket != text.startIndex,
            let bounds = text[bracket...].dropFirst().dropLast().halves(around: ":")
        else { return nil }
        path = String(text[..<bracket])
        (start, end) = (bounds.before, bounds.after)
    }

    /// Returns the bytes of a file; an end after that of the file selects the rest, as in HTTP ranges.
    ///
    /// - Parameter size: The size of the file; `nil` if it has none.
    /// - Throws: ``UsageError`` if a bound is no size, or no byte is selected.
    func bytes(ofSize size: Int64?) throws(UsageError) -> Range<Int64> {
        guard let size else { throw UsageError("a range requires a regular file, and '\(path)' is none") }
        let first = try start.isEmpty ? 0 : ByteCount(argument: String(start)).bytes
        let last = try end.isEmpty ? size : min(size, ByteCount(argument: String(end)).bytes)
        guard first < size else {
            throw UsageError("the range starts at byte \(known: first), but '\(path)' has \(known: size) bytes")
        }
        guard first < last else { throw UsageError("the range '\(start):\(end)' is empty: its end is excluded") }
        return first..<last
    }
}
