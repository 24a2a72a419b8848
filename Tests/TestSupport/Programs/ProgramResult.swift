/// The result of a program.
public struct ProgramResult: Sendable {
    /// The shell's value of `$?`: the exit status, or 128 plus the signal's number.
    public let status: Int32
    /// The signal that ended it, if one did.
    public let signal: Int32?
    /// The captured standard output.
    public let output: [UInt8]
    /// The captured standard error.
    public let errors: [UInt8]
    /// The bytes written to the terminal, with line ends as `\r\n`.
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
