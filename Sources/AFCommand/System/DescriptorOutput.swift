internal import AFFormatting
internal import AFHTTP
import Glibc
internal import Synchronization

/// Writes to a file descriptor, blocking or not, until every byte is written.
///
/// A descriptor that was opened here is closed with the object; others are their owner's. Unless `SIGPIPE` is ignored or blocked, a closed pipe ends the process before
/// ``OutputFailure/closed`` can be thrown.
final class DescriptorOutput: ByteOutput {
    let descriptor: Int32
    private let isOwn: Bool
    private let waits: WaitLimits
    /// Whether a write returns `EAGAIN` instead of blocking.
    private let isNonBlocking: Bool
    /// Escapes what a server sent; `nil` unless the descriptor was opened here, and is a terminal.
    private let escaper: TerminalEscaper?

    private init(_ descriptor: Int32, isOwn: Bool = true, waits: WaitLimits, isNonBlocking: Bool, escapes: Bool) {
        self.descriptor = descriptor
        self.isOwn = isOwn
        self.waits = waits
        self.isNonBlocking = isNonBlocking
        escaper = escapes && Safety.refuses("05-devices", isatty(descriptor) == 1) ? TerminalEscaper() : nil
    }

    convenience init(_ descriptor: Int32, waits: WaitLimits = WaitLimits()) {
        self.init(descriptor, isOwn: false, waits: waits, isNonBlocking: false, escapes: false)
    }

    deinit { if isOwn { close(descriptor) } }

    /// Opens a device, a descriptor of this process, or a FIFO once another process reads it.
    ///
    /// - Parameter escapes: Whether control characters are escaped if the device is a terminal.
    convenience init(
        writingTo path: String, waits: WaitLimits, option: String, escapes: Bool = true
    ) throws(FileProblem) {
        // Opening its path would start at the beginning of a file, and fails for a socket.
        if let number = path.descriptor {
            let descriptor = fcntl(number, F_DUPFD_CLOEXEC, 3)
            guard descriptor >= 0 else {
                throw FileProblem(path: path, reason: .system(errno), argument: option, purpose: .writing)
            }
            self.init(descriptor, waits: waits, isNonBlocking: false, escapes: escapes)
            return
        }
        let descriptor: Int32
        do throws(WaitFailure) {
            descriptor = try LocalWait(waits).openForWriting(path)
        } catch {
            throw FileProblem(path: path, error, argument: option, purpose: .writing)
        }
        self.init(descriptor, waits: waits, isNonBlocking: true, escapes: escapes)
    }

    /// Opens a file that is written in place, without its contents unless the output is appended.
    convenience init(overwriting path: String, appends: Bool, option: String) throws(FileProblem) {
        let flags = O_WRONLY | O_CLOEXEC | O_NOFOLLOW | (appends ? O_APPEND : O_TRUNC)
        let descriptor = uninterrupted { open(path, flags) }
        guard descriptor >= 0 else {
            throw FileProblem(path: path, reason: .system(errno), argument: option, purpose: .writing)
        }
        self.init(descriptor, waits: WaitLimits(), isNonBlocking: false, escapes: false)
    }

    /// Opens or creates a file, a device or a FIFO that is written as the lines arise: a log, or a file that grows.
    ///
    /// The links of this user and of root are followed.
    ///
    /// - Parameter escapes: Whether control characters are escaped if it is a terminal.
    convenience init(
        creating typed: String, appends: Bool, waits: WaitLimits, option: String, escapes: Bool = true
    ) throws(FileProblem) {
        let path = typed.followingLinks
        if path.isWrittenDirectly {
            try self.init(writingTo: path, waits: waits, option: option, escapes: escapes)
            return
        }
        // The links of /proc have no other name.
        let following = path.hasPrefix("/proc/") ? 0 : O_NOFOLLOW
        let flags = O_WRONLY | O_CREAT | O_CLOEXEC | following | (appends ? O_APPEND : O_TRUNC)
        let descriptor = uninterrupted { open(path, flags, 0o666) }
        guard descriptor >= 0 else {
            let number = errno
            let isLink = number == ELOOP && FileStatus(path, followsLinks: false)?.kind == S_IFLNK
            throw FileProblem(
                path: typed, reason: isLink ? .other("it is a symbolic link") : .system(number), argument: option,
                purpose: .writing, hint: isLink ? "name the file that it leads to" : nil)
        }
        self.init(descriptor, waits: waits, isNonBlocking: false, escapes: escapes)
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(OutputFailure) {
        guard let escaper else { return try writeUnchanged(bytes) }
        try write(escaped: escaper.escape(bytes))
    }

    /// Writes the end of a text for a terminal, which depended on more bytes.
    func finish() throws(OutputFailure) {
        guard let escaper else { return }
        try write(escaped: escaper.escape(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true))
    }

    private func write(escaped bytes: [UInt8]) throws(OutputFailure) {
        // Only this accessor rethrows typed errors.
        try bytes.withUnsafeBufferPointer { bytes throws(OutputFailure) in
            try writeUnchanged(UnsafeRawBufferPointer(bytes))
        }
    }

    private func writeUnchanged(_ bytes: UnsafeRawBufferPointer) throws(OutputFailure) {
        // A blocking write cannot be interrupted. After poll(2), writing up to PIPE_BUF bytes does not block.
        let isPolled = Safety.refuses(
            "27-output", !isNonBlocking && waits.mayInterruptWaits && FileStatus(descriptor)?.isRegular != true)
        var rest = bytes[...]
        while !rest.isEmpty {
            if isPolled { try untilWritable() }
            let chunk = isPolled ? rest.prefix(Int(PIPE_BUF)) : rest
            let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: chunk).baseAddress, chunk.count)
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else {
                try recover(from: errno)
            }
        }
    }

    /// Returns when the write can be repeated.
    private func recover(from error: Int32) throws(OutputFailure) {
        switch error {
        case EINTR: return
        // A terminal or pipe that another program has made non-blocking.
        case EAGAIN: try untilWritable()
        case EPIPE: throw .closed
        default: throw .failed(errno: error)
        }
    }

    private func untilWritable() throws(OutputFailure) {
        do throws(WaitFailure) {
            try LocalWait(waits).untilWritable(descriptor)
        } catch {
            throw .wait(error)
        }
    }
}

/// Escapes the control characters of a text that is written in chunks.
private final class TerminalEscaper: Sendable {
    private let sanitizer = Mutex(Sanitizer(notation: .text))

    /// Returns the escaped bytes. An incomplete character at the end is held until the next call, unless it is the last.
    func escape(_ bytes: UnsafeRawBufferPointer, isLast: Bool = false) -> [UInt8] {
        sanitizer.withLock { sanitizer in
            let output = MemoryOutput()
            var buffer = OutputBuffer(output)
            // Writing to memory does not fail.
            try? sanitizer.consume(bytes, into: &buffer)
            if isLast { sanitizer.finish(into: &buffer) }
            try? buffer.flush()
            return output.bytes
        }
    }
}
