internal import AFCore
internal import AFFormatting
internal import CProgram
internal import FoundationEssentials
internal import Glibc
internal import Synchronization

/// The program's access to its environment. Tests create their own.
public struct Environment: Sendable {
    var variables: Variables
    var standardInput: StandardInput
    var files: FileAccess
    var credentials: CredentialAccess
    var output: any ByteOutput
    var errors: any ByteOutput
    var outputTerminal: TerminalSize?
    /// The number of lines of that terminal; `nil` if long output is not paged.
    var outputRows: Int?
    /// The pager of the run; `nil` if the output is not paged.
    var pager: Pager?
    var errorTerminal: TerminalSize?
    /// Whether both outputs are the same file, pipe or terminal.
    var outputsAreOneFile = false
    /// Returns the current width of that terminal, which may change at any time.
    var errorColumns: @Sendable () -> Int?
    /// Returns how many of `count` descriptors the process can open.
    var availableDescriptors: @Sendable (_ count: Int) -> Int = { $0 }
    /// Returns how many more threads the process can start, at most `count`.
    var availableThreads: @Sendable (_ count: Int) -> Int = { $0 }
    /// The maximum number of idle connections; `nil` for the default.
    var idleConnectionLimit: Int?
    /// The maximum number of downloads that wait for the disk while others take their places.
    var receivedLimit = 16
    /// Hides parts of the arguments of the process, as shown by ps(1).
    var hideArguments: @Sendable (_ parts: [WordRange]) -> Void = { _ in }
    /// Returns a hint with the names of options as the user types them: those of curl in a curl command.
    var hintNotation: @Sendable (_ hint: String) -> String = { $0 }
    /// The form of messages.
    var messageStyle = MessageStyle.afcli
    /// The colors of messages; `nil` if they are not colored.
    var messagePalette: Palette?
    /// The subject of messages, if it is one of several requests.
    var messageSubject: String?
    /// The observer of the events of each transfer, called on the queue of the output; `nil` if the events are not observed.
    var eventHandler: TransferEventHandler?
    /// Called with curl's exit number of each failure; `nil` if the exit status determines it.
    var onFailure: @Sendable (_ curlCode: Int32?) -> Void = { _ in }
    /// Called when the bytes of a file are received, so that the request only waits for the disk; `nil` if it is not
    /// needed.
    var onReceived: (@Sendable () -> Void)?
    /// Called with the path of a body that was saved.
    var onSaved: @Sendable (_ path: String) -> Void = { _ in }
    /// Returns the exit number for the status of a run.
    var exitNumber: @Sendable (_ status: ExitStatus) -> Int32 = { $0.code }
    /// Whether the metrics describe the certificates of servers.
    var describesCertificates = false
    /// The place of the transfer in the command.
    var place = TransferPlace()
    /// Called with each line of a response header, as received; `nil` if none is needed.
    var onHeadLine: (@Sendable (_ line: [UInt8]) -> Void)?
    /// The transport that the runs of a command share; `nil` for one of their own.
    var transport: (any Transport)?
    /// Whether an interruption ends a run in order in any case, as others are running.
    var endsInOrder = false
    /// The notes of the command that are printed once.
    let givenNotes = GivenNotes()
    private let turn = Turn()
    /// Returns the seconds of a monotonic clock.
    var now: @Sendable () -> Double
    /// Calls the handler if the user or the system ends the program; returns a token that stops this when it is
    /// released.
    var onInterrupt: @Sendable (_ handler: @escaping @Sendable (ExitStatus) -> Void) -> any Sendable

    /// Runs an operation that may prompt or read a pipe: one at a time in a command with parallel transfers.
    func inTurn<Result: Sendable, Failure: Error>(
        _ operation: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try turn.lock.withLock { (_) throws(Failure) in try operation() }
    }

    private final class Turn: Sendable {
        let lock = Mutex(())
    }

    /// Whether the locale is UTF-8.
    var isUTF8: Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { variables[$0] }.first { !$0.isEmpty } ?? ""
        let name = locale.prefix { $0 != "@" }.lowercased()
        return name.hasSuffix("utf-8") || name.hasSuffix("utf8")
    }

    /// Whether standard error is a terminal on which a line can be redrawn.
    var canRedraw: Bool { errorTerminal != nil && variables["TERM"] != "dumb" }
}

/// The size of a terminal in characters.
struct TerminalSize: Hashable, Sendable {
    var columns: Int

    init(columns: Int) { self.columns = columns }

    /// Returns `nil` if the descriptor is not a terminal. `COLUMNS` takes precedence over the terminal.
    init?(descriptor: Int32, variables: Variables) {
        guard isatty(descriptor) == 1 else { return nil }
        var size = winsize()
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        columns = Self.columns(variables) ?? (isKnown ? Int(size.ws_col) : 80)
    }

    /// Returns the number of lines of a terminal; `nil` if it is unknown.
    static func rows(descriptor: Int32) -> Int? {
        var size = winsize()
        guard isatty(descriptor) == 1, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 1 else {
            return nil
        }
        return Int(size.ws_row)
    }

    /// Returns the value of `COLUMNS`; `nil` if it is missing or invalid.
    static func columns(_ variables: Variables) -> Int? {
        variables["COLUMNS"].flatMap { Int($0) }.flatMap { (1...Self.limit).contains($0) ? $0 : nil }
    }

    /// A limit on the size, as larger values are invalid.
    private static let limit = 10_000
}

extension Environment {
    /// Returns the environment of the process. Closed pipes and full disks become errors of writes, not signals that
    /// end the process.
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
            files: .system(homeDirectory: variables["HOME"].flatMap { $0.isEmpty ? nil : $0 }, waits: waits),
            credentials: .system(variables: variables, waits: waits),
            output: DescriptorOutput(STDOUT_FILENO, waits: waits),
            errors: DescriptorOutput(STDERR_FILENO, waits: waits),
            outputTerminal: TerminalSize(descriptor: STDOUT_FILENO, variables: variables),
            outputRows: TerminalSize.rows(descriptor: STDOUT_FILENO),
            errorTerminal: TerminalSize(descriptor: STDERR_FILENO, variables: variables),
            outputsAreOneFile: isSameFile(STDOUT_FILENO, STDERR_FILENO),
            errorColumns: { TerminalSize(descriptor: STDERR_FILENO, variables: variables)?.columns },
            availableDescriptors: { OpenFileLimit.available($0) },
            availableThreads: { ThreadLimit.available($0) },
            hideArguments: hideArguments,
            now: { monotonicSeconds() },
            onInterrupt: { handler in SignalHandler { handler($0 == SIGINT ? .interrupted : .terminated) } }
        )
    }

    /// The arguments from the system, without the program's name.
    public static var arguments: [[UInt8]] {
        var arguments: [[UInt8]] = []
        var next = af_arguments()!
        if next.pointee != nil { next += 1 }
        while let argument = next.pointee {
            arguments.append(Array(UnsafeRawBufferPointer(start: argument, count: strlen(argument))))
            next += 1
        }
        return arguments
    }

    private static func hideArguments(_ parts: [WordRange]) {
        for part in parts { af_hide_argument(part.word + 1, part.bytes.lowerBound, part.bytes.count) }
    }

    private static func isSameFile(_ first: Int32, _ second: Int32) -> Bool {
        guard let first = FileStatus(first), let second = FileStatus(second) else { return false }
        return first.isSameFile(as: second)
    }

    /// Opens closed standard streams: otherwise the next file or socket would get their number, and their output.
    private static func occupyClosedStreams() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // With the opposite direction, so that using the stream remains an error.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}

private func monotonicSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

/// The environment variables. Each is looked up on demand: creating a dictionary of all takes longer than sending a
/// small request.
struct Variables: Sendable {
    private let value: @Sendable (_ name: String) -> String?
    private let names: @Sendable () -> [String]

    init(_ values: [String: String]) { self.init(names: { Array(values.keys) }, value: { values[$0] }) }

    private init(names: @escaping @Sendable () -> [String], value: @escaping @Sendable (String) -> String?) {
        (self.names, self.value) = (names, value)
    }

    /// The variables as curl reads them: without `HTTP_PROXY`, and the hosts of `no_proxy` have no ports.
    var ofCurl: Variables {
        Variables(
            names: { [names] in names().filter { $0 != "HTTP_PROXY" } },
            value: { [value] name in
                switch name {
                case "HTTP_PROXY": nil
                case "no_proxy", "NO_PROXY":
                    value(name).map { ProxyOptions.bypassEntriesOfCurl(of: $0).joined(separator: ",") }
                default: value(name)
                }
            })
    }

    /// Returns the directory of a variable; `nil` for a relative path, which must be ignored, as it would depend on the
    /// current directory (XDG Base Directory Specification).
    func absolutePath(_ name: String) -> String? { self[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }

    /// Returns the variables with names after a prefix, by these names.
    func named(after prefix: String) -> [(name: String, value: String)] {
        names().filter { $0.hasPrefix(prefix) && $0.utf8.count > prefix.utf8.count }.sorted()
            .compactMap { name in value(name).map { (String(name.dropFirst(prefix.count)), $0) } }
    }

    subscript(name: String) -> String? { value(name) }

    /// The variables of this process. getenv interprets `A=b` as a name if there is `A=b=c`.
    static let process = Variables(names: { processNames }) { name in
        name.utf8.contains(UInt8(ascii: "=")) ? nil : getenv(name).map { String(cString: $0) }
    }

    /// The names of the variables of this process. `ProcessInfo` also decodes their values, which takes 0.15 ms each time.
    private static var processNames: [String] {
        var names: [String] = []
        var next = environ
        while let variable = next.pointee {
            let name = UnsafeRawBufferPointer(start: variable, count: strcspn(variable, "="))
            names.append(String(decoding: name, as: UTF8.self))
            next += 1
        }
        return names
    }
}
