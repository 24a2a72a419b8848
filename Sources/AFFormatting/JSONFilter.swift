package import AFJSON

/// Writes the values that paths select from JSON texts (RFC 8259), as they arrive.
///
/// Values are written in the order of the document, each once; numbers keep their notation. If a member is repeated,
/// each of its values is selected. Memory is flat: only values inside a selected value are held until that is written.
///
/// Every byte is validated. After the first invalid one nothing is written; see ``problem``.
package struct JSONFilter: BodySelecting {
    package typealias Step = JSONStep

    /// The settings for the output of matches.
    package struct Layout: Hashable, Sendable {
        /// Whether strings are written without quotes and escapes.
        package var isRaw = false
        /// Whether control sequences are escaped for a terminal.
        package var isForTerminal = false
        /// Whether a line feed follows each match; otherwise it separates them.
        package var endsLines = true
        /// The maximum number of held bytes.
        package var holdingLimit = 256 * 1024 * 1024

        package init() {}
    }

    package typealias Problem = SelectionProblem

    /// The maximum number of steps of all paths.
    package static let maximumStepCount = 64
    /// The maximum nesting of selected values: each byte is written at most this number of times.
    package static let maximumNesting = 256

    let program: JSONFilterProgram
    let layout: Layout
    var writer: JSONMatchWriter

    /// The first problem; complete after `finish`.
    package internal(set) var problem: Problem?

    var tokenizer = JSONTokenizer(acceptsGuard: true)
    /// The states and next indices of the open containers from which values may be selected: the outermost ones.
    var frames: [Frame] = []
    /// The transition of the current value, and of the value after the current name.
    var transition = JSONFilterProgram.Transition()
    var memberTransition = JSONFilterProgram.Transition()

    var name: CapturedName
    var matches = OpenMatches()

    /// The number of input bytes before the current chunk.
    var offset = 0

    /// An open container from which values may be selected.
    struct Frame {
        var states: UInt64
        var index = 0
    }

    /// Creates a filter.
    ///
    /// - Parameters:
    ///   - paths: The paths, with at most ``maximumStepCount`` steps; an empty one selects the document. A path with a
    ///     condition must be the only one.
    ///   - row: The row of each value of the only path; `nil` if the values are written.
    ///   - template: The formatter of each match, which has read nothing.
    ///   - isPlain: Whether the formatter does not change scalars.
    init(
        _ paths: [[Step]],
        row: JSONRow? = nil,
        _ layout: Layout,
        template: any BodyFormatting,
        isPlain: Bool
    ) {
        let divided = paths.map { JSONRefinement.divide($0, row) }
        program = JSONFilterProgram(divided.map(\.path))
        name = CapturedName(longestName: program.longestName)
        self.layout = layout
        writer = JSONMatchWriter(
            layout, template: template, isPlain: isPlain, refinement: divided.first?.rest)
    }

    /// The number of values written so far.
    package var matchCount: Int { writer.count }

    /// Whether the body had no bytes besides white space so far.
    package internal(set) var isEmpty = true

    package var warning: String? { writer.warning }

    /// Records that the body has bytes, none of which are JSON.
    package mutating func recordOtherInput() { isEmpty = false }

    /// Ends filtering.
    ///
    /// - Parameter limit: The maximum size of a text, which the input exceeds.
    package mutating func failTooLarge(limit: Int) { problem = problem ?? .tooLarge(limit: limit) }

    package mutating func consume(_ bytes: UnsafeRawBufferPointer, into buffer: inout OutputBuffer)
        throws(OutputFailure)
    {
        guard let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        var start = 0
        while start < bytes.count, problem == nil {
            let count = min(Self.chunkSize, bytes.count - start)
            try filter(base + start, to: base + start + count, into: &buffer)
            offset += count
            start += count
            try buffer.drain()
        }
    }

    package mutating func finish(into buffer: inout OutputBuffer) throws(OutputFailure) {
        if problem == nil {
            try withUnsafeMutablePointer(to: &buffer) { buffer throws(OutputFailure) in
                var output = buffer
                try endTokens(into: &output)
            }
            if tokenizer.failure != nil { fail(at: offset, isAtEnd: true) }
        }
        if matches.isOpen { try writer.abandon(into: &buffer) }
        try buffer.drain()
    }

    private mutating func filter(
        _ start: Position,
        to end: Position,
        into buffer: inout OutputBuffer
    ) throws(OutputFailure) {
        matches.resume(at: start)
        name.resume(at: start)
        let position = try withUnsafeMutablePointer(to: &buffer) { buffer throws(OutputFailure) in
            var output = buffer
            return try readTokens(start, to: end, into: &output)
        }
        if tokenizer.failure != nil {
            fail(at: offset + (position - start), isAtEnd: false)
            return try showStart(upTo: position, into: &buffer)
        }
        name.pause(at: end)
        if matches.isOpen { try pauseMatches(at: end, into: &buffer) }
    }

    /// Sets the problem, unless there is another one.
    private mutating func fail(at offset: Int, isAtEnd: Bool) {
        problem = problem ?? .invalid(tokenizer.error(at: offset, isAtEnd: isAtEnd))
    }
}
