/// A program to be run by a test, with everything that it can see of the world spelled out.
///
/// ```swift
/// let result = try await Program("/usr/bin/curl", ["--silent", server.url("/x")]).run()
/// #expect(result.status == 0)
/// #expect(result.text == "hello")
/// ```
public struct Program: Sendable {
    /// Where descriptor 0 comes from.
    public enum Input: Sendable {
        /// Ends at once, as `</dev/null`.
        case empty
        /// Descriptor 0 is not open at all, as `<&-`.
        case closed
        /// A pipe that delivers the bytes and then ends.
        case bytes([UInt8])
        /// A pipe that delivers nothing until the test writes to it or closes it.
        case pipe
        /// A regular file, as `<path`.
        case file(String)
        /// The terminal of the program, on which the test types.
        case terminal

        /// A pipe that delivers the text and then ends.
        public static func text(_ text: String) -> Input { bytes(Array(text.utf8)) }
    }

    /// Where descriptor 1 or 2 goes to.
    public enum Output: Sendable {
        /// A pipe; the result has the bytes.
        case captured
        /// A file, which is created or emptied, as `>path`; devices such as `/dev/full` work.
        case file(String)
        /// The descriptor is not open at all, as `>&-`.
        case closed
        /// A pipe whose reader has gone.
        case brokenPipe
        /// The terminal of the program; ``ProgramResult/screen`` has the bytes.
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
    /// Without the name of the program.
    public var arguments: [String]
    public var input: Input
    public var output: Output
    public var errors: Output
    public var environment: [String: String]
    public var workingDirectory: String?
    /// The size of a controlling terminal, which the program finds as `/dev/tty`, independent of its streams.
    ///
    /// Without a size it has one only if a stream is ``Input/terminal``.
    public var terminal: TerminalSize?
    /// The maximum size of files in bytes, rounded down to 512: writing more fails with `EFBIG`.
    ///
    /// It replaces a full disk where none can be created; see ``FullDisk``. `SIGXFSZ` is ignored.
    public var fileSizeLimit: Int?
    /// Descriptors of the test process that the program finds open, from 3 upwards.
    public var inherited: [Int32] = []
    /// Whether the program and its children are killed if the test process ends without having done so.
    public var endsWithTests = false

    /// - Parameter environment: All of it; the program inherits nothing.
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

    /// Returns the program with input, output and errors on one terminal.
    public func onTerminal(_ size: TerminalSize = TerminalSize()) -> Program {
        var copy = self
        (copy.input, copy.output, copy.errors) = (.terminal, .terminal, .terminal)
        copy.terminal = size
        return copy
    }

    /// Runs it to its end.
    ///
    /// - Throws: ``SystemFailure`` when it cannot be started; ``DeadlinePassed`` when it does not end, after killing it.
    public nonisolated(nonsending) func run(within limit: Duration = Deadline.timeout) async throws -> ProgramResult {
        try await start().waitForEnd(within: limit)
    }

    /// Starts it and returns at once, to signal it or to talk to it.
    public func start() throws -> RunningProgram {
        try RunningProgram(self)
    }

    /// The command to spawn, so that the limit on files applies.
    var spawnPlan: SpawnPlan {
        guard let fileSizeLimit else {
            return SpawnPlan(
                path: path,
                arguments: arguments,
                environment: environment,
                workingDirectory: workingDirectory
            )
        }
        // `posix_spawn` sets no limits, but a shell does and then becomes the program. It counts in blocks of 512 bytes.
        let script = #"trap "" XFSZ; ulimit -f \#(fileSizeLimit / 512) && exec "$@""#
        return SpawnPlan(
            path: "/bin/sh",
            arguments: ["-c", script, "sh", path] + arguments,
            environment: environment,
            workingDirectory: workingDirectory
        )
    }
}
