internal import AFJSON

/// Receivers that write to a buffer. They get its address, as an associated type must be copyable.
extension JSONTokenReceiver where Output == UnsafeMutablePointer<OutputBuffer>, Failure == OutputFailure {
    /// Reads a chunk up to its end or the first invalid byte.
    ///
    /// - Returns: The position of the first byte that was not read.
    @inline(__always)
    mutating func readTokens(
        _ start: Position,
        to end: Position,
        into buffer: inout OutputBuffer
    ) throws(OutputFailure) -> Position {
        try withUnsafeMutablePointer(to: &buffer) { buffer throws(OutputFailure) in
            try readTokens(start, to: end, into: buffer)
        }
    }

    /// Reads the end of the input.
    mutating func endTokens(into buffer: inout OutputBuffer) throws(OutputFailure) {
        try withUnsafeMutablePointer(to: &buffer) { buffer throws(OutputFailure) in try endTokens(into: buffer) }
    }
}
