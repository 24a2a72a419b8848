internal import AFFormatting
internal import AFHTTP
internal import Glibc

/// The controlling terminal, independent of the standard streams.
struct Terminal: ~Copyable {
    private let descriptor: Int32
    private let path: String

    /// Returns `nil` if the process has no controlling terminal, for example in a cron job.
    init?(path: String = "/dev/tty") {
        // O_NOCTTY: opening a terminal must not make it the controlling one.
        self.path = path
        descriptor = uninterrupted { open(path, O_RDWR | O_CLOEXEC | O_NOCTTY) }
        if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    /// Writes a prompt and reads a line, without echo for a secret.
    ///
    /// If a signal ends the process during the prompt, the echo is restored first.
    ///
    /// - Throws: `CancellationError` if the user interrupts or closes the terminal, ``FileProblem`` after a timeout.
    func ask(_ question: String, isSecret: Bool, _ wait: LocalWait) throws -> String {
        var before = termios()
        guard isSecret, tcgetattr(descriptor, &before) == 0 else {
            write(question)
            return try line(wait)
        }
        var silent = before
        // Without ISIG an interrupt arrives as a character, so that the terminal is restored before the process ends.
        silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        let restore = restoration(of: before)
        let interruption = SignalHandler(of: [SIGHUP, SIGINT, SIGQUIT, SIGTERM]) { number in
            restore()
            signal(number, SIG_DFL)
            kill(getpid(), number)
        }
        tcsetattr(descriptor, TCSAFLUSH, &silent)
        defer { restore() }
        // Last: text typed after the prompt is neither echoed nor flushed.
        write(question)
        return try withExtendedLifetime(interruption) { try line(wait) }
    }

    /// Returns a closure that restores the terminal's state on a new line.
    private func restoration(of state: termios) -> @Sendable () -> Void {
        { [descriptor] in
            var state = state
            tcsetattr(descriptor, TCSAFLUSH, &state)
            _ = Glibc.write(descriptor, "\n", 1)
        }
    }

    private func line(_ wait: LocalWait) throws -> String {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        var sequence = EscapeSequence.none
        while true {
            var count = 0
            do throws(WaitFailure) {
                count = try withUnsafeMutableBytes(of: &byte) { (buffer) throws(WaitFailure) in
                    try wait.read(descriptor, into: buffer)
                }
            } catch {
                guard case .system = error else { throw FileProblem(path: path, error) }
            }
            // A control character ends an incomplete sequence.
            if byte < 0x20 { sequence = .none }
            switch byte {
            case _ where count == 0, 0x03, 0x04, 0x1C: throw CancellationError()
            // A key without a character, such as an arrow: ESC [ up to a letter or ~, ESC O and a letter, or ESC and one.
            case 0x1B: sequence = .escape
            case _ where sequence != .none: sequence.pass(byte)
            case 0x0A, 0x0D: return String(decoding: bytes, as: UTF8.self)
            case 0x08, 0x7F: bytes.dropLastCharacter()
            case 0x15: bytes = []
            case 0x17: bytes.dropLastWord()
            case ..<0x20 where byte != 0x09: break
            default: bytes.append(byte)
            }
        }
    }

    private func write(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }
}

/// The position in an escape sequence (ECMA-48 §5.4) of a key.
private enum EscapeSequence {
    case none, escape, control, shift

    mutating func pass(_ byte: UInt8) {
        switch self {
        case .escape where byte == UInt8(ascii: "["): self = .control
        case .escape where byte == UInt8(ascii: "O"): self = .shift
        case .control where !(0x40...0x7E).contains(byte): break
        default: self = .none
        }
    }
}

extension [UInt8] {
    /// Removes the last word and the spaces after it.
    fileprivate mutating func dropLastWord() {
        while last == 0x20 { removeLast() }
        while let byte = last, byte != 0x20 { removeLast() }
    }

    /// Removes the last byte with its UTF-8 continuation bytes.
    fileprivate mutating func dropLastCharacter() {
        while let byte = popLast(), byte & 0xC0 == 0x80 {}
    }
}
