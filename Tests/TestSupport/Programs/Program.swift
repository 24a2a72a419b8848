/// A program to run in a test, with explicit environment, directory and descriptors.
///
/// ```swift
/// let result = try await Program("/usr/bin/curl", ["--silent", server.url("/x")]).run()
/// #expect(result.status == 0)
/// #expect(result.text == "hello")
/// ```
public struct Program: Sendable {
    /// The source of descriptor 0.
    public enum Input: Sendable {
        /// Ends immediately, like `</dev/null`.
        case empty
        /// Descriptor 0 is closed, like `<&-`.
        case closed
        /// A pipe with these bytes.
        case bytes([UInt8])
        /// A pipe to which the test writes, and which the test closes.
        case pipe
        /// A regular file, like `<path`.
        case file(String)
        /// The program's terminal, to which the test writes.
        case terminal

        /// Returns a pipe with this text.
        public static func text(_ text: String) -> Input { bytes(Array(text.utf8)) }
    }

    /// The destination of descriptor 1 or 2.
    public enum Output: Sendable {
        /// A pipe; ``ProgramResult`` contains the bytes.
        case captured
        /// A file, which is created or truncated, like `>path`; it may be a device such as `/dev/full`.
        case file(String)
        /// The descriptor is closed, like `>&-`.
        case closed
        /// A pipe whose reading end is closed.
        case brokenPipe
        /// The program's terminal; ``ProgramResult/screen`` contains the bytes.
        case terminal
    }

    /// The size of a terminal in characters.
    public struct TerminalSize: Sendable {
        public var columns: Int
        public var rows: Int

        public init(columns: Int = 80, rows: Int = 24) {
            self.columns = columns
            self.rows = rows
        }
    }

    public var path: String
    /// The arguments without the program's name.
    public var arguments: [String]
    public var input: Input
    public var output: Output
    public var errors: Output
    public var environment: [String: String]
    public var workingDirectory: String?
    /// The size of the controlling terminal, `/dev/tty`, independent of the streams.
    ///
    /// If it is `nil`, the program has a controlling terminal only if a stream is ``Input/terminal``.
    public var terminal: TerminalSize?
    /// The maximum size of files in bytes, rounded down to 512: writing more fails with `EFBIG`.
    ///
    /// Simulates a full disk if none can be mounted; see ``FullDisk``. `SIGXFSZ` is ignored.
    public var fileSizeLimit: Int?
    /// The inherited descriptors of the test process; in the program, they start with 3.
    public var inherited: [Int32] = []
    /// Whether the program and its children are killed if the test process ends first.
    public var endsWithTests = false

    /// Creates a description of a run.
    ///
    /// - Parameter environment: The complete environment; nothing is inherited.
    public init(
        _ path: String,
        _ arguments: [String] = [],
        input: Input = .empty,
        output: Output = .captured,
        errors: Output = .captured,
        environment: [String: String] = [:],
        workingDirectory: String? = nil,
        terminal: TerminalSize? = nil,
        fileSizeLimit: Int? = nil
    ) {
        self.path = path
        self.arguments = arguments
        self.input = input
        self.output = output
        self.errors = errors
        self.environment = environment
        self.workingDirectory = workingDirectory
        self.terminal = terminal
        self.fileSizeLimit = fileSizeLimit
    }

    /// Returns the program with all three standard streams on one terminal.
    public func onTerminal(_ size: TerminalSize = TerminalSize()) -> Program {
        var copy = self
        (copy.input, copy.output, copy.errors) = (.terminal, .terminal, .terminal)
        copy.terminal = size
        return copy
    }

    /// Runs the program and waits for its end.
    ///
    /// - Throws: ``SystemFailure`` if the program cannot be started; ``DeadlinePassed`` after killing it at the limit.
    public nonisolated(nonsending) func run(within limit: Duration = Deadline.timeout) async throws -> ProgramResult {
        try await start().waitForEnd(within: limit)
    }

    /// Starts the program and returns immediately, to send signals or input.
    public func start() throws -> RunningProgram {
        try RunningProgram(self)
    }

    /// The command to spawn, in a shell if the file size is limited.
    var spawnPlan: SpawnPlan {
        guard let fileSizeLimit else {
            return SpawnPlan(
                path: path,
                arguments: arguments,
                environment: environment,
                workingDirectory: workingDirectory
            )
        }
        // `posix_spawn` cannot set limits, so a shell does, in blocks of 512 bytes, and then executes the program.
        let script = #"trap "" XFSZ; ulimit -f \#(fileSizeLimit / 512) && exec "$@""#
        return SpawnPlan(
            path: "/bin/sh",
            arguments: ["-c", script, "sh", path] + arguments,
            environment: environment,
            workingDirectory: workingDirectory
        )
    }
}
