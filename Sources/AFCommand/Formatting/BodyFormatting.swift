/// Turns the bytes of a body, in pieces cut anywhere, into what is shown of it.
///
/// The output does not depend on where the pieces were cut, and memory does not grow with the body.
protocol BodyFormatting {
    mutating func consume(_ bytes: UnsafeRawBufferPointer, into buffer: inout OutputBuffer) throws(OutputFailure)

    /// Shows what was held back; no byte may follow.
    mutating func finish(into buffer: inout OutputBuffer) throws(OutputFailure)

    /// Where the body stopped being what it was announced as; what follows there is shown unformatted.
    var brokenOffset: Int? { get }

    /// What the reader has to know about how the body is shown, in a sentence; complete once the body is finished.
    var warning: String? { get }
}

extension BodyFormatting {
    var brokenOffset: Int? { nil }
    var warning: String? { nil }

    /// How many bytes are worked on before the output is drained: the output of one piece bounds the memory.
    static var pieceSize: Int { 16 * 1024 }
}

/// Shows bytes as they came.
struct VerbatimFormatter: BodyFormatting {
    func consume(_ bytes: UnsafeRawBufferPointer, into buffer: inout OutputBuffer) throws(OutputFailure) {
        try buffer.pass(bytes)
    }

    func finish(into buffer: inout OutputBuffer) {}
}
