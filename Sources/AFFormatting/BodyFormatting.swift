/// Formats the bytes of a body, in arbitrary chunks.
///
/// The output does not depend on the chunks, and memory does not grow with the body.
package protocol BodyFormatting {
    mutating func consume(_ bytes: UnsafeRawBufferPointer, into buffer: inout OutputBuffer) throws(OutputFailure)

    /// Writes the buffered rest; no more bytes may follow.
    mutating func finish(into buffer: inout OutputBuffer) throws(OutputFailure)

    /// The offset of the first invalid byte, after which the body is unformatted.
    var brokenOffset: Int? { get }

    /// A warning about the formatting, a sentence; complete after `finish`.
    var warning: String? { get }
}

extension BodyFormatting {
    package var brokenOffset: Int? { nil }
    package var warning: String? { nil }

    /// The number of bytes to process before the output is drained, which limits the memory.
    package static var chunkSize: Int { 16 * 1024 }
}

/// Writes bytes unchanged.
struct VerbatimFormatter: BodyFormatting {
    func consume(_ bytes: UnsafeRawBufferPointer, into buffer: inout OutputBuffer) throws(OutputFailure) {
        try buffer.pass(bytes)
    }

    func finish(into buffer: inout OutputBuffer) {}
}
