internal import AFFormatting
import Glibc

/// Writes to a file descriptor, blocking or not, until every byte is written.
///
/// The owner closes the descriptor. Unless `SIGPIPE` is ignored or blocked, a closed pipe ends the process before
/// ``OutputFailure/closed`` can be thrown.
final class DescriptorOutput: ByteOutput {
    let descriptor: Int32
    private let waits: WaitLimits
    /// Whether a write returns `EAGAIN` instead of blocking.
    private let isNonBlocking: Bool

    init(_ descriptor: Int32, waits: WaitLimits = WaitLimits()) {
        self.descriptor = descriptor
        self.waits = waits
        isNonBlocking = false
    }

    /// Opens a device, a descriptor of this process, or a FIFO once another process reads it. It stays open until the
    /// process ends.
    init(writingTo path: String, waits: WaitLimits, option: String) throws(FileProblem) {
        self.waits = waits
        // Opening its path would start at the beginning of a file, and fails for a socket.
        if let number = path.descriptor {
            (descriptor, isNonBlocking) = (fcntl(number, F_DUPFD_CLOEXEC, 3), false)
            guard descriptor >= 0 else {
                throw FileProblem(path: path, reason: .system(errno), argument: option, purpose: .writing)
            }
            return
        }
        do throws(WaitFailure) {
            descriptor = try LocalWait(waits).openForWriting(path)
        } catch {
            throw FileProblem(path: path, error, argument: option, purpose: .writing)
        }
        isNonBlocking = true
    }

    /// Opens a file that is written in place, without its contents unless the output is appended. It stays open until the
    /// process ends.
    init(overwriting path: String, appends: Bool, option: String) throws(FileProblem) {
        (waits, isNonBlocking) = (WaitLimits(), false)
        descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | (appends ? O_APPEND : O_TRUNC))
        guard descriptor >= 0 else {
            throw FileProblem(path: path, reason: .system(errno), argument: option, purpose: .writing)
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(OutputFailure) {
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
