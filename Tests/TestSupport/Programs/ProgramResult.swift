/// The result of a program's run.
public struct ProgramResult: Sendable {
    /// The shell's value of `$?`: the exit status, or 128 plus the signal's number.
    public let status: Int32
    /// The signal that ended the program; `nil` for an exit.
    public let signal: Int32?
    /// The captured standard output.
    public let output: [UInt8]
    /// The captured standard error.
    public let errors: [UInt8]
    /// The bytes written to the terminal, with `\r\n` as newline.
    public let screen: [UInt8]
    /// The maximum resident memory in bytes.
    ///
    /// Exact if it exceeds that of this test process; otherwise the maximum of samples every few milliseconds, as Linux
    /// includes the child's memory before `exec`.
    public let peakMemory: Int
    /// The CPU time in user and kernel mode.
    public let processorTime: Duration

    /// Standard output as text.
    public var text: String { String(decoding: output, as: UTF8.self) }

    /// Standard error as text.
    public var errorText: String { String(decoding: errors, as: UTF8.self) }

    /// The terminal's bytes as text, including escape sequences.
    public var screenText: String { String(decoding: screen, as: UTF8.self) }
}
