internal import Glibc

/// Where secrets come from that are not typed; tests bring their own.
struct CredentialAccess: Sendable {
    let variable: @Sendable (_ name: String) -> String?
    /// Everything up to the end of a descriptor.
    let descriptor: @Sendable (_ number: Int32) throws(FileProblem) -> [UInt8]
    /// Asks on the terminal; throws `CancellationError` when the user interrupts.
    let ask: @Sendable (_ question: String, _ isSecret: Bool) throws -> String
}

extension CredentialAccess {
    /// The process's descriptors and its terminal, with the given variables.
    static func system(variables: [String: String]) -> CredentialAccess {
        CredentialAccess(
            variable: { variables[$0] },
            descriptor: { (number) throws(FileProblem) in
                try FileAccess.readToEnd(number, path: "fd:\(number)")
            },
            ask: { question, isSecret in
                guard let terminal = Terminal() else {
                    throw UsageError(
                        "there is no terminal to ask for it",
                        hint: "give it as USER:PASSWORD, @FILE, env:NAME or fd:NUMBER"
                    )
                }
                return try terminal.ask(question, isSecret: isSecret)
            }
        )
    }
}

/// The controlling terminal, whatever the standard streams are.
private struct Terminal: ~Copyable {
    private let descriptor: Int32

    init?() {
        descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC)
        if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    func ask(_ question: String, isSecret: Bool) throws -> String {
        write(question)
        var before = termios()
        guard isSecret, tcgetattr(descriptor, &before) == 0 else { return try line() }
        var silent = before
        // Without ISIG an interrupt arrives as a character: the terminal is put right before anything dies of it.
        silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        tcsetattr(descriptor, TCSAFLUSH, &silent)
        defer {
            tcsetattr(descriptor, TCSAFLUSH, &before)
            write("\n")
        }
        return try line()
    }

    private func line() throws -> String {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = read(descriptor, &byte, 1)
            if count < 0, errno == EINTR { continue }
            switch byte {
            case _ where count <= 0, 0x03, 0x04: throw CancellationError()
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
