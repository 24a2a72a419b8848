internal import AFJSON

/// The selection of values by their tokens.
extension JSONFilter: JSONTokenReceiver {
    typealias Output = UnsafeMutablePointer<OutputBuffer>
    typealias Failure = OutputFailure

    @inline(__always)
    mutating func beginValue(at position: Position, into buffer: inout Output) {
        transition = tokenizer.containers.depth == frames.count ? nextTransition() : JSONFilterProgram.Transition()
        isEmpty = false
        if transition.isSelected { beginMatch(at: position, into: &buffer.pointee) }
    }

    /// Returns the transition of the next value in the innermost open container, which must have states.
    @inline(__always)
    private mutating func nextTransition() -> JSONFilterProgram.Transition {
        let last = frames.count - 1
        guard last >= 0 else { return program.start }
        guard !tokenizer.containers.isInObject else { return memberTransition }
        let frame = frames[last]
        frames[last].index &+= 1
        return program.element(frame.index, in: frame.states)
    }

    @inline(__always)
    mutating func open(at position: Position, into buffer: inout Output) {
        if transition.states != 0 { frames.append(Frame(states: transition.states)) }
    }

    @inline(__always)
    mutating func close(at position: Position, into buffer: inout Output) throws(OutputFailure) {
        let depth = tokenizer.containers.depth
        if depth == frames.count { frames.removeLast() }
        if matches.isOpen, matches.innermostDepth == depth - 1 { try endMatch(at: position + 1, into: &buffer.pointee) }
    }

    /// Starts the name of a member, which is captured if it matters.
    @inline(__always)
    mutating func beginString(at position: Position, into buffer: inout Output) {
        guard tokenizer.isKey, tokenizer.containers.depth == frames.count, let states = frames.last?.states else {
            return
        }
        if program.needsNames(in: states) {
            name.begin(at: position)
        } else {
            memberTransition = program.unnamedMember(in: states)
        }
    }

    @inline(__always)
    mutating func receiveString(
        _ start: Position, to end: Position, before chunkEnd: Position, into buffer: inout Output
    ) {
        guard tokenizer.isKey, tokenizer.containers.depth == frames.count, let states = frames.last?.states else {
            return
        }
        memberTransition =
            program.needsNames(in: states)
            ? program.member(UnsafeRawBufferPointer(start: start + 1, count: end - start - 2), in: states)
            : program.unnamedMember(in: states)
    }

    @inline(__always)
    mutating func receiveEscape(_ escape: JSONEscape, _ notation: UnsafeBufferPointer<UInt8>, into buffer: inout Output)
    {
        name.hasEscape = true
    }

    @inline(__always)
    mutating func endString(at position: Position, into buffer: inout Output) {
        guard tokenizer.isKey, name.isOpen, let states = frames.last?.states else { return }
        memberTransition = name.end(at: position + 1, program, in: states)
    }

    @inline(__always)
    mutating func endScalar(at end: Position?, into buffer: inout Output) throws(OutputFailure) {
        if transition.isSelected { try endMatch(at: end, into: &buffer.pointee) }
    }
}

/// The name of a member, which chunks may split.
struct CapturedName {
    /// The maximum length as written, with quotes: an escape is at most six times as long as its character.
    private let limit: Int
    /// The bytes of earlier chunks, with the opening quote.
    private var bytes: [UInt8] = []
    /// The position of the opening quote, or the start of the chunk.
    private var start: UnsafePointer<UInt8>?
    private(set) var isOpen = false
    /// Whether the name has a backslash.
    var hasEscape = false

    /// Creates a capture.
    ///
    /// - Parameter longestName: The length of the longest name that matters, in bytes.
    init(longestName: Int) { limit = 6 * longestName + 2 }

    @inline(__always)
    mutating func begin(at position: UnsafePointer<UInt8>) {
        start = position
        isOpen = true
        hasEscape = false
    }

    /// Continues at the start of a chunk.
    mutating func resume(at position: UnsafePointer<UInt8>) { start = position }

    /// Keeps the part that the current chunk has.
    mutating func pause(at end: UnsafePointer<UInt8>) {
        guard isOpen, let start else { return }
        // One byte above the limit is sufficient to exceed it.
        bytes += UnsafeBufferPointer(start: start, count: min(end - start, max(limit + 1 - bytes.count, 0)))
    }

    /// Ends the name, and returns the transition of its member.
    @inline(__always)
    mutating func end(
        at end: UnsafePointer<UInt8>,
        _ program: JSONFilterProgram,
        in states: UInt64
    ) -> JSONFilterProgram.Transition {
        isOpen = false
        let start = start ?? end
        let part = UnsafeBufferPointer(start: start, count: end - start)
        if bytes.isEmpty, !hasEscape {
            return program.member(UnsafeRawBufferPointer(start: start + 1, count: part.count - 2), in: states)
        }
        guard let name = decoded(with: part) else { return program.unnamedMember(in: states) }
        return name.withUnsafeBytes { program.member($0, in: states) }
    }

    /// Returns the name without quotes and escapes; `nil` if it is too long to matter.
    @inline(never)
    private mutating func decoded(with part: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        let joined = bytes + part.prefix(max(limit + 1 - bytes.count, 0))
        bytes.removeAll(keepingCapacity: true)
        return joined.count > limit ? nil : JSONEscape.unescaped(joined[...])
    }
}
