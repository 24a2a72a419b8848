import Glibc

/// Writes to a file descriptor, blocking or not, until every byte is taken.
///
/// The descriptor stays its owner's to close. Without `SIGPIPE` ignored or blocked, a closed pipe ends the process
/// before ``OutputFailure/closed`` can be thrown.
final class DescriptorOutput: ByteOutput {
    let descriptor: Int32

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Opens a device or a pipe, which stays open until the process ends.
    ///
    /// - Parameter patience: How many seconds a pipe may be without a reader; `nil` for ever.
    init(writingTo path: String, patience: Double?) throws(FileProblem) {
        let end = patience.map { ContinuousClock.now + .seconds($0) }
        var opened: Int32 = -1
        while true {
            // Without O_NONBLOCK, a pipe that nobody reads would hold the process for ever.
            opened = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK)
            if opened >= 0 { break }
            guard errno == ENXIO, isPipe(path) else { throw Self.problem(path, systemMessage(errno)) }
            if let end, ContinuousClock.now >= end { throw Self.problem(path, "nobody reads from this pipe") }
            usleep(10_000)
        }
        descriptor = opened
    }

    private static func problem(_ path: String, _ reason: String) -> FileProblem {
        FileProblem(path: path, reason: reason, argument: "--output", purpose: .writing)
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(OutputFailure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else {
                try recover(from: errno)
            }
        }
    }

    /// Returns when the write may be tried again.
    private func recover(from error: Int32) throws(OutputFailure) {
        switch error {
        case EINTR: return
        // A terminal or pipe shared with a program that made it non-blocking.
        case EAGAIN: try waitUntilWritable()
        case EPIPE: throw .closed
        default: throw .failed(errno: error)
        }
    }

    private func waitUntilWritable() throws(OutputFailure) {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&entry, 1, -1) < 0, errno != EINTR else { return }
        throw .failed(errno: errno)
    }
}

private func isPipe(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
}
