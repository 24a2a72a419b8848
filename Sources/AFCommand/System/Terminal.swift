internal import Glibc

/// The controlling terminal, whatever the standard streams are.
struct Terminal: ~Copyable {
    private let descriptor: Int32
    private let path: String

    /// `nil` where there is none, as for a job of cron.
    init?(path: String = "/dev/tty") {
        // O_NOCTTY: opening a terminal must not make it the controlling one.
        self.path = path
        descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY)
        if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    /// Writes the question and reads a line, without echo for a secret.
    ///
    /// A signal that ends the process meanwhile finds the echo on again.
    ///
    /// - Throws: `CancellationError` where the user interrupts or closes the terminal, ``FileProblem`` if nobody answers.
    func ask(_ question: String, isSecret: Bool, _ wait: LocalWait) throws -> String {
        var before = termios()
        guard isSecret, tcgetattr(descriptor, &before) == 0 else {
            write(question)
            return try line(wait)
        }
        var silent = before
        // Without ISIG an interrupt arrives as a character: the terminal is put right before anything dies of it.
        silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        let restore = restoration(of: before)
        let interruption = Interruption(of: [SIGHUP, SIGINT, SIGQUIT, SIGTERM]) { number in
            restore()
            signal(number, SIG_DFL)
            kill(getpid(), number)
        }
        tcsetattr(descriptor, TCSAFLUSH, &silent)
        defer { restore() }
        // Last: whoever sees the question may type at once, and nothing of it shows or is flushed.
        write(question)
        return try withExtendedLifetime(interruption) { try line(wait) }
    }

    /// What puts the terminal back into a state, on a line of its own.
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
        while true {
            var count = 0
            do throws(WaitFailure) {
                count = try withUnsafeMutableBytes(of: &byte) { (place) throws(WaitFailure) in
                    try wait.read(descriptor, into: place)
                }
            } catch {
                guard case .system = error else { throw FileProblem(path: path, error) }
            }
            switch byte {
            case _ where count == 0, 0x03, 0x04: throw CancellationError()
            case 0x0A, 0x0D: return String(decoding: bytes, as: UTF8.self)
            case 0x08, 0x7F: bytes.dropLastCharacter()
            case 0x15: bytes = []
            default: bytes.append(byte)
            }
        }
    }

    private func write(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }
}

extension [UInt8] {
    /// Drops the last byte with the continuation bytes of UTF-8 before which it stands.
    fileprivate mutating func dropLastCharacter() {
        while let byte = popLast(), byte & 0xC0 == 0x80 {}
    }
}
