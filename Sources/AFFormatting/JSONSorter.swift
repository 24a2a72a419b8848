internal import AFJSON

/// Formats JSON with the members of every object sorted by name.
///
/// It buffers the complete text, or each of several line by line, up to a limit. A text above the limit, or one that is
/// not valid JSON, is formatted in its original order.
package struct JSONSorter: BodyFormatting {
    /// The maximum buffer size: offsets have 31 bits, and the tree is larger than the body.
    package static let largestLimit = 1 << 30

    private let limit: Int
    /// Whether a text that ends with a line is written with it.
    private let isByLine: Bool
    private var formatter: JSONFormatter
    /// A formatter without output, which detects invalid JSON early.
    private var probe = JSONFormatter(layout: .asReceived)
    private var held: [UInt8] = []
    private var isSorting = true
    /// Whether a text was sorted. A byte order mark or a guard is possible only before the first one.
    private var hasSorted = false

    /// Whether the body was too large to be sorted.
    private(set) var isOverLimit = false

    /// Creates a sorter.
    ///
    /// - Parameter limit: The maximum buffer size in bytes; at most 1 GiB.
    package init(limit: Int, isByLine: Bool = false, formatter: JSONFormatter) {
        self.limit = min(limit, Self.largestLimit)
        self.isByLine = isByLine
        self.formatter = formatter
    }

    package var warning: String? {
        isOverLimit
            ? "the body is too long to sort and is shown in its original order; increase --max-formatted"
            : formatter.warning
    }

    package var brokenOffset: Int? { formatter.brokenOffset }

    package mutating func consume(_ bytes: UnsafeRawBufferPointer, into buffer: inout OutputBuffer)
        throws(OutputFailure)
    {
        guard isByLine else { return try take(bytes, into: &buffer) }
        var rest = bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            try take(UnsafeRawBufferPointer(rebasing: rest[...end]), into: &buffer)
            try endLine(into: &buffer)
            rest = rest[(end + 1)...]
        }
        try take(UnsafeRawBufferPointer(rebasing: rest), into: &buffer)
    }

    private mutating func take(
        _ bytes: UnsafeRawBufferPointer,
        into buffer: inout OutputBuffer
    ) throws(OutputFailure) {
        guard isSorting else { return try formatter.consume(bytes, into: &buffer) }
        isOverLimit = Safety.refuses("06-sorting-limit", held.count + bytes.count > limit)
        var nowhere = OutputBuffer(DiscardedOutput())
        if !isOverLimit { try probe.consume(bytes, into: &nowhere) }
        if !isOverLimit, probe.brokenOffset == nil { return held.append(contentsOf: bytes) }
        try stopSorting(into: &buffer)
        try formatter.consume(bytes, into: &buffer)
    }

    package mutating func finish(into buffer: inout OutputBuffer) throws(OutputFailure) {
        var nowhere = OutputBuffer(DiscardedOutput())
        try probe.finish(into: &nowhere)
        if isSorting, probe.brokenOffset == nil { try sort(into: &buffer) } else { try stopSorting(into: &buffer) }
        try formatter.finish(into: &buffer)
    }

    /// Writes the buffer if the line ended a text.
    private mutating func endLine(into buffer: inout OutputBuffer) throws(OutputFailure) {
        guard isSorting, probe.brokenOffset == nil, probe.tokenizer.documentCount > 0,
            probe.tokenizer.state == .document
        else { return }
        try sort(into: &buffer)
        // Separates a number from the next one.
        try format([UInt8(ascii: "\n")], into: &buffer)
        held = []
        probe = JSONFormatter(layout: .asReceived)
    }

    private mutating func sort(into buffer: inout OutputBuffer) throws(OutputFailure) {
        let start = startOfDocuments
        guard !hasSorted || start == 0, let tree = try? JSONTree(held, from: start) else {
            return try stopSorting(into: &buffer)
        }
        hasSorted = true
        try format(held[..<start], into: &buffer)
        var staged: [UInt8] = []
        try tree.writeSorted { chunk throws(OutputFailure) in
            staged += chunk
            guard staged.count >= OutputBuffer.drainSize else { return }
            try format(staged[...], into: &buffer)
            staged.removeAll(keepingCapacity: true)
        }
        try format(staged[...], into: &buffer)
    }

    /// The offset of the first document, after a byte order mark or a guard (text before the JSON, such as `)]}'`).
    private var startOfDocuments: Int {
        guard probe.guardLength > 0 else { return probe.tokenizer.markLength }
        return held.firstIndex { [UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\"")].contains($0) } ?? held.count
    }

    private mutating func stopSorting(into buffer: inout OutputBuffer) throws(OutputFailure) {
        isSorting = false
        let bytes = held
        held = []
        try format(bytes[...], into: &buffer)
    }

    private mutating func format(_ bytes: ArraySlice<UInt8>, into buffer: inout OutputBuffer) throws(OutputFailure) {
        try bytes.withUnsafeBufferPointer { bytes throws(OutputFailure) in
            try formatter.consume(UnsafeRawBufferPointer(bytes), into: &buffer)
        }
    }
}
