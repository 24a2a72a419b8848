/// A place that takes bytes in order: a descriptor, memory, a file.
protocol ByteOutput: AnyObject, Sendable {
    /// Takes all of the bytes or throws; how many were taken before a failure is not known.
    func write(_ bytes: UnsafeRawBufferPointer) throws(OutputFailure)
}

/// Why an output takes no more bytes.
enum OutputFailure: Error, Hashable, Sendable {
    /// Nobody reads any more (`EPIPE`): on standard output the quiet end of the run.
    case closed
    /// The wait for the reader ended.
    case wait(WaitFailure)
    /// The system's reason, such as `ENOSPC` for a full disk.
    case failed(errno: Int32)
}
