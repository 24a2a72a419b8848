import Dispatch
import Glibc
import TestSupport
import Testing

@testable import AFCommand

@Suite(.timeLimit(.minutes(5))) struct SystemInputTests {
    /// Runs a test on a thread with both ends of a pipe, the writer of which it may close.
    private func withPipe(_ test: @escaping @Sendable (_ reader: Int32, _ writer: Int32) throws -> Void) async throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let (reader, writer) = (ends[0], ends[1])
        defer { close(reader) }
        try await onThread { try test(reader, writer) }
    }

    @Test func `a pipe with bytes is delivering, and its bytes are preserved`() async throws {
        try await withPipe { reader, writer in
            #expect(write(writer, "hello", 5) == 5)
            let input = StandardInput.system(descriptor: reader)
            #expect(input.kind == .stream)
            #expect(input.firstDelivery(.seconds(5)) == .bytes)
            #expect(input.isUntouched())
            close(writer)
            #expect(input.firstDelivery(.seconds(5)) == .bytes)
            let content = try input.readAll()
            #expect(content == Array("hello".utf8))
            #expect(input.firstDelivery(.seconds(5)) == .end)
            #expect(!input.isUntouched())
        }
    }

    @Test func `whether a pipe has bytes is determined without waiting`() async throws {
        try await withPipe { reader, writer in
            let input = StandardInput.system(descriptor: reader)
            #expect(!input.isUntouched())
            close(writer)
            #expect(!input.isUntouched())
        }
    }

    @Test func `a pipe is read to its end, and the rest of an open one is preserved`() async throws {
        try await withPipe { reader, writer in
            #expect(write(writer, "hello", 5) == 5)
            let input = StandardInput.system(descriptor: reader)
            let start = ContinuousClock.now
            let open = try input.readBody(.preferred)
            #expect(open == InputBody(prefix: Array("hello".utf8)))
            #expect((0.45...1.9).contains((ContinuousClock.now - start) / .seconds(1)))
            #expect(write(writer, "again", 5) == 5)
            close(writer)
            let ended = try input.readBody(.preferred)
            #expect(ended == .complete(Array("again".utf8)))
        }
    }

    @Test func `of a chunked body, only the first bytes are awaited`() async throws {
        try await withPipe { reader, writer in
            #expect(write(writer, "hello", 5) == 5)
            let start = ContinuousClock.now
            let body = try StandardInput.system(descriptor: reader).readBody(.irrelevant)
            #expect(body == InputBody(prefix: Array("hello".utf8)))
            #expect((ContinuousClock.now - start) / .seconds(1) < 0.4)
        }
    }

    @Test func `the start of a file that is read later is known`() throws {
        let folder = try ScratchFolder()
        let path = try folder.write("01234", to: "f")
        let descriptor = open(path, O_RDONLY)
        defer { close(descriptor) }
        #expect(lseek(descriptor, 2, SEEK_SET) == 2)
        let body = try StandardInput.system(descriptor: descriptor).readBody(.irrelevant)
        #expect(body == InputBody(size: 3, sample: Array("234".utf8), isRewindable: true))
        #expect(lseek(descriptor, 0, SEEK_CUR) == 2)
    }

    @Test func `at most a mebibyte is awaited`() async throws {
        try await withPipe { reader, writer in
            let source = DispatchQueue(label: "writer")
            let limit = 1 << 20
            let bytes = [UInt8](repeating: 7, count: limit)
            source.async {
                _ = write(writer, bytes, limit)
                _ = write(writer, bytes, 1)
            }
            let body = try StandardInput.system(descriptor: reader).readBody(.preferred)
            #expect(body.size == nil)
            #expect(body.prefix.count == limit + 1)
            source.sync { _ = close(writer) }
        }
    }

    @Test func `a pipe whose length is required becomes a file in memory`() async throws {
        try await withPipe { reader, writer in
            let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0) }
            DispatchQueue(label: "writer").async {
                _ = write(writer, bytes, bytes.count)
                close(writer)
            }
            let body = try StandardInput.system(descriptor: reader).readBody(.required)
            #expect(body == InputBody(size: 3_000_000, sample: Array(bytes.prefix(4096)), isRewindable: true))
            var found = [UInt8](repeating: 0, count: bytes.count)
            #expect(read(reader, &found, found.count) == found.count && found == bytes)
        }
    }

    @Test func `a closed pipe has ended and an open one is silent`() async throws {
        try await withPipe { reader, writer in
            let input = StandardInput.system(descriptor: reader)
            let start = ContinuousClock.now
            #expect(input.firstDelivery(.milliseconds(50)) == .timeout)
            #expect(ContinuousClock.now - start >= .milliseconds(45))
            close(writer)
            #expect(input.firstDelivery(.seconds(5)) == .end)
        }
    }

    @Test func `a closed socket has ended`() throws {
        var ends: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let input = StandardInput.system(descriptor: ends[0])
        close(ends[1])
        #expect(input.firstDelivery(.seconds(5)) == .end)
        close(ends[0])
    }

    @Test func `files and devices are distinguished`() throws {
        let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
        #expect(StandardInput.system(descriptor: null).kind == .nullDevice)
        #expect(!StandardInput.system(descriptor: null).isUntouched())
        close(null)
        let zero = open("/dev/zero", O_RDONLY | O_CLOEXEC)
        #expect(StandardInput.system(descriptor: zero).kind == .stream)
        close(zero)
        var template = Array("/tmp/afcli-input-XXXXXX".utf8CString)
        let file = mkstemp(&template)
        unlink(template)
        #expect(write(file, "0123456789", 10) == 10)
        #expect(!StandardInput.system(descriptor: file).isUntouched())
        #expect(lseek(file, 4, SEEK_SET) == 4)
        #expect(StandardInput.system(descriptor: file).kind == .regularFile(remaining: 6, isAtStart: false))
        #expect(!StandardInput.system(descriptor: file).isUntouched())
        #expect(lseek(file, 0, SEEK_SET) == 0)
        #expect(StandardInput.system(descriptor: file).isUntouched())
        close(file)
        #expect(StandardInput.system(descriptor: file + 1000).kind == .closed)
    }

    /// The near end of a new terminal and the path of its far end.
    private func pseudoTerminal() throws -> (master: Int32, path: String) {
        // Glibc's module shows neither posix_openpt nor these numbers of <asm/ioctls.h>.
        let (unlock, number): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
        let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var isLocked: Int32 = 0
        var index: Int32 = -1
        try #require(master >= 0)
        try #require(ioctl(master, unlock, &isLocked) == 0)
        try #require(ioctl(master, number, &index) == 0)
        return (master, "/dev/pts/\(index)")
    }

    /// Returns the reply to a prompt if these keys are typed.
    private func answer(typing keys: String, isSecret: Bool) async throws -> (answer: String, screen: String) {
        let (master, path) = try pseudoTerminal()
        defer { close(master) }
        let answer = try await onThread {
            guard let terminal = Terminal(path: path) else { throw UsageError("no terminal at \(path)") }
            DispatchQueue(label: "user").async {
                var question = [UInt8](repeating: 0, count: 64)
                _ = read(master, &question, question.count)
                _ = write(master, keys, keys.utf8.count)
            }
            return try terminal.ask("? ", isSecret: isSecret, LocalWait(WaitLimits()))
        }
        var screen = [UInt8](repeating: 0, count: 256)
        let count = max(read(master, &screen, screen.count), 0)
        return (answer, String(decoding: screen[..<count], as: UTF8.self))
    }

    @Test func `a secret is read without echo and may be corrected`() async throws {
        let (answer, screen) = try await answer(typing: "wrong\u{15}pä\u{7F}ass\r", isSecret: true)
        #expect(answer == "pass")
        #expect(screen == "\r\n")
    }

    @Test(arguments: [
        ("se\u{1A}cret\r", "secret"), ("old word\u{17}new\r", "old new"), ("word  \u{17}new\r", "new"),
        ("sec\u{1B}[Dret\r", "secret"), ("sec\u{1B}[1;5Dret\r", "secret"), ("sec\u{1B}OAret\r", "secret"),
        ("\u{1B}[200~secret\u{1B}[201~\r", "secret"), ("sec\u{16}ret\r", "secret"), ("a\tb\r", "a\tb"),
    ])
    func `keys without characters are not part of a secret`(keys: String, secret: String) async throws {
        #expect(try await answer(typing: keys, isSecret: true).answer == secret)
    }

    @Test func `a closed descriptor is an error with a hint`() {
        let problem = #expect(throws: FileProblem.self) {
            // Above the limit on descriptors of every process.
            try CredentialAccess.system(variables: Variables([:]), waits: WaitLimits()).descriptor(999_999_999)
        }
        #expect(problem?.message == "cannot read 'fd:999999999': bad file descriptor")
        #expect(problem?.hint?.contains("999999999<FILE") == true)
    }

    @Test func `an interrupt ends a prompt`() async {
        await #expect(throws: CancellationError.self) { try await answer(typing: "abc\u{3}", isSecret: true) }
    }
}
