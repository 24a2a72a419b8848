/// Takes everything and keeps nothing.
final class DiscardedOutput: ByteOutput {
    func write(_ bytes: UnsafeRawBufferPointer) {}
}
