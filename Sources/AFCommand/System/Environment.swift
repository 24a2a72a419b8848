internal import CProgram
internal import FoundationEssentials
internal import Glibc

/// The outside world, as far as the program may know it. Tests build their own.
public struct Environment: Sendable {
    var variables: Variables
    var standardInput: StandardInput
    var files: FileAccess
    var credentials: CredentialAccess
    var output: any ByteOutput
    var errors: any ByteOutput
    var outputTerminal: TerminalSize?
    var errorTerminal: TerminalSize?
    /// The width of that terminal at the moment, which its user may change at any time.
    var errorColumns: @Sendable () -> Int?
    /// Returns how many of so many descriptors the process can open.
    var availableDescriptors: @Sendable (_ count: Int) -> Int = { $0 }
    /// Returns how many more threads the process can start, at most `count`.
    var availableThreads: @Sendable (_ count: Int) -> Int = { $0 }
    /// How many connections may stay open for later requests; `nil` for as many as usual.
    var idleConnectionLimit: Int?
    /// Seconds on a clock that never goes back.
    var now: @Sendable () -> Double
    /// Calls back when the user or the system wants the program to end; returns the means to stop listening.
    var onInterrupt: @Sendable (_ handler: @escaping @Sendable (ExitStatus) -> Void) -> any Sendable

    /// Whether text may hold more than ASCII.
    var isUTF8: Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { variables[$0] }.first { !$0.isEmpty } ?? ""
        let name = locale.lowercased()
        return name.hasSuffix("utf-8") || name.hasSuffix("utf8")
    }

    /// Whether standard error is a terminal on which a line can be drawn over.
    var canRedraw: Bool { errorTerminal != nil && variables["TERM"] != "dumb" }
}

/// The size of a terminal in characters.
struct TerminalSize: Hashable, Sendable {
    var columns: Int

    init(columns: Int) { self.columns = columns }

    /// `nil` where the descriptor is no terminal. `COLUMNS` wins over what the terminal says.
    init?(descriptor: Int32, variables: Variables) {
        guard isatty(descriptor) == 1 else { return nil }
        var size = winsize()
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        columns =
            variables["COLUMNS"].flatMap { Int($0) }.flatMap { (1...Self.limit).contains($0) ? $0 : nil }
            ?? (isKnown ? Int(size.ws_col) : 80)
    }

    /// Wider ones are no terminals.
    private static let limit = 10_000
}

extension Environment {
    /// The real one. Closed pipes and full files become errors of the write that meets them, not the end of the process.
    public static func system() -> Environment {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        let waits = WaitLimits()
        let variables = Variables.process
        let standardInput = StandardInput.system(waits: waits)
        occupyClosedStreams()
        return Environment(
            variables: variables,
            standardInput: standardInput,
            files: .system(homeDirectory: variables["HOME"], waits: waits),
            credentials: .system(variables: variables, waits: waits),
            output: DescriptorOutput(STDOUT_FILENO, waits: waits),
            errors: DescriptorOutput(STDERR_FILENO, waits: waits),
            outputTerminal: TerminalSize(descriptor: STDOUT_FILENO, variables: variables),
            errorTerminal: TerminalSize(descriptor: STDERR_FILENO, variables: variables),
            errorColumns: { TerminalSize(descriptor: STDERR_FILENO, variables: variables)?.columns },
            availableDescriptors: { OpenFileLimit.available($0) },
            availableThreads: { ThreadLimit.available($0) },
            now: { monotonicSeconds() },
            onInterrupt: { handler in Interruption { handler($0 == SIGINT ? .interrupted : .terminated) } }
        )
    }

    /// The arguments as the system hands them over, the program's name left out.
    public static var arguments: [[UInt8]] {
        var arguments: [[UInt8]] = []
        var place = af_arguments()!
        if place.pointee != nil { place += 1 }
        while let argument = place.pointee {
            arguments.append(Array(UnsafeRawBufferPointer(start: argument, count: strlen(argument))))
            place += 1
        }
        return arguments
    }

    /// A standard stream that is not open would be the number of the next file or socket, which then got its bytes.
    private static func occupyClosedStreams() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // The wrong way round, so that using the stream remains an error.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}

private func monotonicSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

/// The variables of the environment. Each is looked up when asked for: creating a dictionary of all takes longer than sending
/// a small request.
struct Variables: Sendable {
    private let value: @Sendable (_ name: String) -> String?

    init(_ values: [String: String]) { value = { values[$0] } }

    private init(value: @escaping @Sendable (String) -> String?) { self.value = value }

    subscript(name: String) -> String? { value(name) }

    /// The environment of this process. getenv would take `A=b` for a name if there is `A=b=c`.
    static let process = Variables { name in
        name.utf8.contains(UInt8(ascii: "=")) ? nil : getenv(name).map { String(cString: $0) }
    }
}
