/// What a program left behind.
public struct ProgramResult: Sendable {
    /// What a shell would show in `$?`: the exit status, or 128 and the signal's number.
    public let status: Int32
    /// The signal that ended it, if one did.
    public let signal: Int32?
    /// What it wrote to standard output, where that was captured.
    public let output: [UInt8]
    /// What it wrote to standard error, where that was captured.
    public let errors: [UInt8]
    /// What it drew on its terminal, where it had one: every byte, in order, line ends as `\r\n`.
    public let screen: [UInt8]
    /// The most memory that it had resident, in bytes.
    ///
    /// Exact when larger than this test process; else the largest of samples taken every few milliseconds,
    /// because Linux counts a child's memory from before it became another program.
    public let peakMemory: Int
    /// Processor time in user and kernel mode together.
    public let processorTime: Duration

    /// Standard output as text.
    public var text: String { String(decoding: output, as: UTF8.self) }

    /// Standard error as text.
    public var errorText: String { String(decoding: errors, as: UTF8.self) }

    /// The terminal's bytes as text, escape sequences and all.
    public var screenText: String { String(decoding: screen, as: UTF8.self) }
}
