internal import AFFormatting
internal import AFHTTP
internal import Dispatch
internal import Glibc
internal import Synchronization

/// Holds the output for a terminal until it exceeds the screen, and then passes it to a pager.
///
/// Output that arrives slowly is not held: it is shown as it arrives, and never paged.
final class Pager: ByteOutput {
    private enum State {
        case holding([UInt8])
        case passing
        /// - Parameters:
        ///   - descriptor: The pipe to the pager.
        ///   - sent: All output, in case the pager fails; `nil` if it is too long.
        case paging(descriptor: Int32, heldErrors: [UInt8], sent: [UInt8]?)
        /// The pager has ended.
        case ended
    }

    /// The seconds after which output is not held any longer.
    private static let delay = 0.5
    /// The capacity of a pipe: after more, a pager has read some of it.
    private static let keptSize = 64 << 10

    private let output: any ByteOutput
    private let errors: any ByteOutput
    private let command: PagerCommand
    private let state = Mutex(State.holding([]))
    private let count: Mutex<ScreenLines>
    private let isTimed = Atomic(false)
    private let hasEnded = DispatchSemaphore(value: 0)
    private let wasStarted = Atomic(false)

    /// Creates a pager.
    ///
    /// - Parameters:
    ///   - output: The terminal.
    ///   - errors: The output of messages, which is held while the pager is on the screen.
    init(_ command: PagerCommand, size: TerminalSize, rows: Int, output: any ByteOutput, errors: any ByteOutput) {
        (self.command, self.output, self.errors) = (command, output, errors)
        count = Mutex(ScreenLines(columns: size.columns, rows: rows))
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(OutputFailure) {
        startTimer()
        do throws(OutputFailure) {
            try state.withLock { (state) throws(OutputFailure) in try write(bytes, &state) }
        } catch .closed where wasStarted.load(ordering: .acquiring) {
            hasEnded.wait()
            hasEnded.signal()
            // The output of a pager that failed was shown without it.
            guard case .passing = state.withLock({ $0 }) else { throw .closed }
        }
    }

    private func write(_ bytes: UnsafeRawBufferPointer, _ state: inout State) throws(OutputFailure) {
        switch state {
        case .passing: try output.write(bytes)
        case .paging(let descriptor, let heldErrors, let sent):
            let all = sent.flatMap { $0.count + bytes.count <= Self.keptSize ? $0 + bytes : nil }
            state = .paging(descriptor: descriptor, heldErrors: heldErrors, sent: all)
            try DescriptorOutput(descriptor).write(bytes)
        case .ended: throw .closed
        case .holding(var held):
            state = .passing
            held += bytes
            guard count.withLock({ $0.exceeds(adding: bytes) }) else {
                state = .holding(held)
                return
            }
            guard let descriptor = start() else { return try output.writeAll(held) }
            state = .paging(
                descriptor: descriptor, heldErrors: [], sent: held.count <= Self.keptSize ? held : nil)
            try DescriptorOutput(descriptor).writeAll(held)
        }
    }

    /// Shows what is held; nothing is paged from now on.
    func release() {
        state.withLock { state in
            guard case .holding(let held) = state else { return }
            state = .passing
            // The next write reports that the output is closed.
            try? output.writeAll(held)
        }
    }

    /// Ends the output, and waits for the end of the pager.
    ///
    /// - Returns: Whether the user has ended the pager, so that the output was closed.
    func finish() -> Bool {
        release()
        guard wasStarted.load(ordering: .acquiring) else { return false }
        state.withLock { state in
            guard case .paging(let descriptor, let held, let sent) = state else { return }
            close(descriptor)
            state = .paging(descriptor: -1, heldErrors: held, sent: sent)
        }
        hasEnded.wait()
        hasEnded.signal()
        return true
    }

    /// The output of messages, which appear after the end of the pager.
    var messages: any ByteOutput { Messages(pager: self) }

    private final class Messages: ByteOutput {
        let pager: Pager

        init(pager: Pager) { self.pager = pager }

        func write(_ bytes: UnsafeRawBufferPointer) throws(OutputFailure) {
            try pager.state.withLock { state throws(OutputFailure) in
                switch state {
                case .holding(let held):
                    // Messages keep their place among the output.
                    state = .passing
                    try? pager.output.writeAll(held)
                case .paging(let descriptor, let held, let sent):
                    state = .paging(descriptor: descriptor, heldErrors: held + bytes, sent: sent)
                    return
                case .passing, .ended: break
                }
                try pager.errors.write(bytes)
            }
        }
    }

    private func startTimer() {
        guard !isTimed.exchange(true, ordering: .relaxed) else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.delay) { [weak self] in self?.release() }
    }

    /// Starts the pager.
    ///
    /// - Returns: The pipe to it; `nil` if it cannot be started.
    private func start() -> Int32? {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        guard
            let process = try? ChildProcess.start(
                command.words, input: .descriptor(ends[0]), output: .inherited, name: "PAGER")
        else {
            close(ends[1])
            return nil
        }
        wasStarted.store(true, ordering: .releasing)
        // ^C is for the pager.
        let handlers = [SIGINT, SIGQUIT].map { ($0, signal($0, SIG_IGN)) }
        DispatchQueue(label: "afcli.pager").async { [self] in
            var status: Int32 = 0
            _ = uninterrupted { waitpid(process, &status, 0) }
            for (number, handler) in handlers { _ = signal(number, handler) }
            end(hasFailed: status & 0x7F == 0 && status >> 8 != 0)
        }
        return ends[1]
    }

    /// Ends the paging; what a pager that failed has not shown is shown without it.
    private func end(hasFailed: Bool) {
        state.withLock { state in
            guard case .paging(let descriptor, let held, let sent) = state else { return }
            if descriptor >= 0 { close(descriptor) }
            state = .ended
            if hasFailed, let sent {
                state = .passing
                try? output.writeAll(sent)
            }
            try? errors.writeAll(held)
        }
        hasEnded.signal()
    }
}

/// The command of a pager.
struct PagerCommand: Equatable, Sendable {
    let words: [String]

    /// Chooses the pager of `PAGER`, by default less; `nil` if no pager can be used.
    ///
    /// - Parameter isExecutable: Whether `PATH` has a program of this name.
    init?(_ variables: Variables, isExecutable: (String) -> Bool) {
        let typed = variables["PAGER"] ?? "less"
        let program = typed.split(separator: " ").first.map(String.init) ?? ""
        guard !program.isEmpty, program != "cat", variables["TERM"] != "dumb", isExecutable(program) else { return nil }
        // F: quit if the text fits, R: colors, X: the text stays on the screen. `PAGER` may have arguments.
        words = ["/bin/sh", "-c", ": \"${LESS=FRX}\"; export LESS; \(typed)"]
    }
}

/// Counts the lines that output takes on a terminal.
struct ScreenLines {
    let columns: Int
    let rows: Int
    private var count = 0
    private var column = 0
    private var isEscape = false

    init(columns: Int, rows: Int) { (self.columns, self.rows) = (columns, rows) }

    /// Adds output.
    ///
    /// - Returns: Whether all of it exceeds the screen, of which one line is for the shell's prompt.
    mutating func exceeds(adding bytes: UnsafeRawBufferPointer) -> Bool {
        for byte in bytes where count < rows {
            switch byte {
            case UInt8(ascii: "\n"): (count, column) = (count + 1, 0)
            case 0x1B: isEscape = true
            case _ where isEscape: isEscape = !(0x40...0x7E).contains(byte) || byte == UInt8(ascii: "[")
            // Further bytes of a character, and control characters.
            case 0x80...0xBF, 0..<0x20: break
            default:
                column += 1
                if column > columns { (count, column) = (count + 1, 1) }
            }
        }
        return count >= rows
    }
}

extension ByteOutput {
    fileprivate func writeAll(_ bytes: [UInt8]) throws(OutputFailure) {
        // Only this accessor rethrows typed errors.
        try bytes.withUnsafeBufferPointer { (bytes) throws(OutputFailure) in
            try write(UnsafeRawBufferPointer(bytes))
        }
    }
}

extension Variables {
    /// Whether `PATH` has a program of this name, or it is the path of one.
    func findsProgram(_ name: String) -> Bool {
        if name.contains("/") { return access(name, X_OK) == 0 }
        let directories = (self["PATH"] ?? "").split(separator: ":")
        return directories.contains { access("\($0)/\(name)", X_OK) == 0 }
    }
}
