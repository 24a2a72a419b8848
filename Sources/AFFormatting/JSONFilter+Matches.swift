internal import AFJSON

/// The selected values whose end has not arrived.
struct OpenMatches {
    /// A value inside a selected value, as a range of the held bytes.
    struct Inner {
        let start: Int
        var end: Int
        /// The number of containers around it.
        let depth: Int
    }

    /// The number of containers around the outermost match; `nil` outside of matches.
    var outermostDepth: Int?
    /// The position of the first byte of the outermost match that was not written.
    var start: UnsafePointer<UInt8>?
    /// The values inside, in the order of their starts.
    var inner: [Inner] = []
    /// The indices of those that have not ended, outermost first.
    var open: [Int] = []
    /// The bytes from the start of the first value inside.
    var held: [UInt8] = []
    /// The position of the first byte that was not appended to ``held``.
    var heldStart: UnsafePointer<UInt8>?

    var isOpen: Bool { outermostDepth != nil }

    /// The number of containers around the innermost match that has not ended.
    var innermostDepth: Int? { open.last.map { inner[$0].depth } ?? outermostDepth }

    /// Continues at the start of a chunk.
    mutating func resume(at position: UnsafePointer<UInt8>) {
        if start != nil { start = position }
        if heldStart != nil { heldStart = position }
    }
}

extension JSONFilter {
    /// Starts a match.
    mutating func beginMatch(at position: Position, into buffer: inout OutputBuffer) {
        guard matches.isOpen else {
            matches.outermostDepth = tokenizer.containers.depth
            matches.start = position
            return writer.begin(with: position.pointee, into: &buffer)
        }
        guard matches.open.count + 1 < Self.maximumNesting else { return stop(.tooNested) }
        let heldStart = matches.heldStart ?? position
        matches.heldStart = heldStart
        let start = matches.held.count + (position - heldStart)
        matches.open.append(matches.inner.count)
        matches.inner.append(OpenMatches.Inner(start: start, end: start, depth: tokenizer.containers.depth))
    }

    /// Ends the innermost match.
    ///
    /// - Parameter end: The position after it; `nil` if it ended with the previous chunk.
    mutating func endMatch(at end: Position?, into buffer: inout OutputBuffer) throws(OutputFailure) {
        if let index = matches.open.popLast() {
            matches.inner[index].end = matches.held.count + distance(from: matches.heldStart, to: end)
            return
        }
        let rest = UnsafeRawBufferPointer(start: matches.start, count: distance(from: matches.start, to: end))
        matches.outermostDepth = nil
        matches.start = nil
        try writer.end(rest, into: &buffer)
        if !matches.inner.isEmpty { try writeInner(at: end, into: &buffer) }
    }

    /// Writes the values inside a match that was written.
    private mutating func writeInner(at end: Position?, into buffer: inout OutputBuffer) throws(OutputFailure) {
        hold(upTo: end)
        let (inner, held) = (matches.inner, matches.held)
        matches = OpenMatches()
        try held.withUnsafeBufferPointer { held throws(OutputFailure) in
            for match in inner {
                let bytes = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: held[match.start..<match.end]))
                try writer.write(bytes, into: &buffer)
            }
        }
    }

    /// Writes or holds the part of the open matches that the current chunk has.
    mutating func pauseMatches(at end: Position, into buffer: inout OutputBuffer) throws(OutputFailure) {
        let rest = UnsafeRawBufferPointer(start: matches.start, count: distance(from: matches.start, to: end))
        try writer.add(rest, into: &buffer)
        hold(upTo: end)
        if matches.held.count + writer.heldCount > layout.holdingLimit { stop(.tooLarge(limit: layout.holdingLimit)) }
    }

    /// Writes the received part of a match before an invalid byte. The output must not look complete.
    mutating func showStart(upTo end: Position, into buffer: inout OutputBuffer) throws(OutputFailure) {
        guard matches.isOpen else { return }
        let rest = UnsafeRawBufferPointer(start: matches.start, count: distance(from: matches.start, to: end))
        try writer.add(rest, into: &buffer)
    }

    private mutating func hold(upTo end: Position?) {
        guard let start = matches.heldStart else { return }
        matches.held += UnsafeBufferPointer(start: start, count: distance(from: start, to: end))
    }

    private func distance(from start: Position?, to end: Position?) -> Int {
        guard let start, let end else { return 0 }
        return end - start
    }

    private mutating func stop(_ problem: Problem) {
        self.problem = problem
        tokenizer.failure = .stopped
    }
}
