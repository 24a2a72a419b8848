internal import AFFormatting
internal import AFJSON

/// Selects the elements of a JSON array, or else the complete text.
struct ElementFilter: BodySelecting {
    /// Returns a filter of these paths.
    private let start: ([[JSONStep]]) -> JSONFilter
    private var filter: JSONFilter
    /// The bytes before the value, until its first byte shows whether it is an array.
    private var held: [UInt8]? = []
    /// Whether the next byte belongs to a guard, such as `)]}',`, which a line feed ends.
    private var isInGuard = false

    /// The maximum number of held bytes; the value after more is no array.
    private static let holdingLimit = 1 << 16

    init(_ start: @escaping ([[JSONStep]]) -> JSONFilter) {
        self.start = start
        filter = start([[]])
    }

    var matchCount: Int { filter.matchCount }
    var problem: SelectionProblem? { filter.problem }
    var isEmpty: Bool { filter.isEmpty }
    var warning: String? { filter.warning }

    mutating func recordOtherInput() { filter.recordOtherInput() }

    mutating func failTooLarge(limit: Int) { filter.failTooLarge(limit: limit) }

    mutating func consume(_ bytes: UnsafeRawBufferPointer, into buffer: inout OutputBuffer) throws(OutputFailure) {
        guard let earlier = held else { return try filter.consume(bytes, into: &buffer) }
        held = earlier + bytes
        guard let isArray = isArray(bytes) ?? (earlier.count + bytes.count > Self.holdingLimit ? false : nil) else {
            return
        }
        if isArray { filter = start([[.elements(0..<Int.max)]]) }
        try release(into: &buffer)
    }

    mutating func finish(into buffer: inout OutputBuffer) throws(OutputFailure) {
        try release(into: &buffer)
        try filter.finish(into: &buffer)
    }

    /// Filters the held bytes.
    private mutating func release(into buffer: inout OutputBuffer) throws(OutputFailure) {
        guard let bytes = held.take() else { return }
        // Only this accessor rethrows typed errors.
        try bytes.withUnsafeBufferPointer { bytes throws(OutputFailure) in
            try filter.consume(UnsafeRawBufferPointer(bytes), into: &buffer)
        }
    }

    /// Whether the value is an array; `nil` if it has not begun.
    private mutating func isArray(_ bytes: UnsafeRawBufferPointer) -> Bool? {
        for byte in bytes {
            if isInGuard {
                isInGuard = byte != UInt8(ascii: "\n")
            } else if byte == UInt8(ascii: ")") {
                isInGuard = true
            } else if !byte.isJSONSpace, byte < 0x80 {
                return byte == UInt8(ascii: "[")
            }
        }
        return nil
    }
}
