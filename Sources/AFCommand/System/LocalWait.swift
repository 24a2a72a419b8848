internal import AFFormatting
internal import Glibc

/// A wait for a local event, within the limits of the run if there are any.
///
/// Each step blocks only briefly, so that a deadline or a signal always ends the wait.
struct LocalWait {
    private let limits: WaitLimits?
    private let begin = ContinuousClock.now
    /// The maximum sleep: a signal may wake another thread.
    private static let step = Duration.milliseconds(50)
    /// The maximum sleep if the kernel reports no readiness.
    private static let retryInterval = Duration.milliseconds(5)

    init(_ limits: WaitLimits?) { self.limits = limits }

    /// Waits briefly, or until the descriptor is ready.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor; negative if there is nothing to poll, for example while waiting for a lock.
    ///   - events: `POLLIN` or `POLLOUT`.
    ///   - isIdle: Whether no process has the other end of the FIFO open.
    /// - Throws: ``WaitFailure`` if the wait must end.
    func pause(for descriptor: Int32 = -1, _ events: Int32 = 0, isIdle: Bool = false) throws(WaitFailure) {
        let left = try limits?.timeLeft(since: begin, isIdle: isIdle)
        let step = descriptor < 0 ? Self.retryInterval : Self.step
        var request = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        let timeout = limits == nil && descriptor >= 0 ? -1 : (min(left ?? step, step) / .milliseconds(1)).rounded(.up)
        poll(&request, 1, Int32(timeout))
    }

    /// Waits until a write of up to `PIPE_BUF` bytes does not block.
    func untilWritable(_ descriptor: Int32) throws(WaitFailure) {
        while Self.readiness(of: descriptor, POLLOUT) == 0 { try pause(for: descriptor, POLLOUT) }
    }

    /// Reads available bytes, and waits until there are some.
    ///
    /// - Parameter isOwnFIFO: Whether the descriptor is a FIFO that was opened with `O_NONBLOCK`, possibly before any
    ///   writer.
    /// - Returns: The number of bytes; 0 at the end.
    func read(
        _ descriptor: Int32,
        into buffer: UnsafeMutableRawBufferPointer,
        isOwnFIFO: Bool = false
    ) throws(WaitFailure) -> Int {
        while true {
            let isReady = Self.readiness(of: descriptor, POLLIN) != 0
            var isIdle = false
            // Without data, read(2) of a FIFO returns 0 before the first writer and EAGAIN with one; poll(2) reports
            // nothing.
            if isReady || isOwnFIFO {
                let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                if count > 0, descriptor == STDIN_FILENO { limits?.recordInput() }
                if count > 0 || (count == 0 && isReady) { return count }
                if count < 0, errno != EINTR, errno != EAGAIN { throw .system(errno: errno) }
                isIdle = count == 0
            }
            if isReady { continue }
            if Safety.refuses("21-silent-input", descriptor == STDIN_FILENO) { limits?.recordInputWait() }
            try pause(for: descriptor, POLLIN, isIdle: isIdle)
        }
    }

    /// Opens a device, or a FIFO once another process reads it.
    func openForWriting(_ path: String) throws(WaitFailure) -> Int32 {
        while true {
            // Without O_NONBLOCK, a FIFO without a reader would block the process indefinitely.
            let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK)
            if descriptor >= 0 { return descriptor }
            switch errno {
            case EINTR: continue
            case ENXIO where FileStatus(path)?.isFIFO == true: try pause(isIdle: true)
            case let number: throw .system(errno: number)
            }
        }
    }

    private static func readiness(of descriptor: Int32, _ events: Int32) -> Int16 {
        var request = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        return poll(&request, 1, 0) > 0 ? request.revents : 0
    }
}
