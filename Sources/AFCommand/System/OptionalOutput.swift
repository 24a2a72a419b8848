/// Passes on what another output takes and drops the rest: for what is said beside the result.
final class OptionalOutput: ByteOutput {
    private let output: any ByteOutput

    init(_ output: any ByteOutput) {
        self.output = output
    }

    func write(_ bytes: UnsafeRawBufferPointer) { try? output.write(bytes) }
}
