internal import AFHTTP
internal import Glibc

extension StandardInput {
    /// Returns the standard input of the process.
    static func system(descriptor: Int32 = STDIN_FILENO, waits: WaitLimits = WaitLimits()) -> StandardInput {
        StandardInput(
            kind: kind(of: descriptor),
            firstDelivery: { timeout in delivery(of: descriptor, waits.limited(timeout)) },
            isUntouched: { isUntouched(descriptor) },
            readAll: { () throws(FileProblem) in
                try FileAccess.readToEnd(descriptor, path: "-", limit: .text, waits: waits)
            },
            readBody: { length throws(FileProblem) in try readBody(descriptor, length, waits) }
        )
    }

    private static func kind(of descriptor: Int32) -> Kind {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return .closed }
        switch status.st_mode & S_IFMT {
        case S_IFREG:
            if hidesSize(status, of: descriptor) { return .stream }
            let position = max(lseek(descriptor, 0, SEEK_CUR), 0)
            let remaining = max(Int64(status.st_size) - Int64(position), 0)
            return .regularFile(remaining: remaining, isAtStart: position == 0)
        case S_IFCHR:
            if isatty(descriptor) == 1 { return .terminal }
            var null = stat()
            return stat("/dev/null", &null) == 0 && null.st_rdev == status.st_rdev ? .nullDevice : .stream
        case S_IFDIR: return .directory
        default: return .stream
        }
    }

    /// Whether the kernel generates the file, as under `/proc` and `/sys`, and reports no correct size.
    private static func hidesSize(_ status: stat, of descriptor: Int32) -> Bool {
        guard status.st_mode & S_IFMT == S_IFREG, status.st_blocks == 0 else { return false }
        var byte: UInt8 = 0
        let isEmpty = status.st_size == 0
        let count = pread(descriptor, &byte, 1, isEmpty ? 0 : status.st_size - 1)
        return isEmpty ? count > 0 : count == 0
    }

    private static func isUntouched(_ descriptor: Int32) -> Bool {
        switch kind(of: descriptor) {
        case .regularFile(let remaining, let isAtStart): remaining > 0 && isAtStart
        case .stream: delivery(of: descriptor, .zero) == .bytes
        case .terminal, .closed, .nullDevice, .directory: false
        }
    }

    private static func delivery(of descriptor: Int32, _ timeout: Duration) -> Delivery {
        guard waitForInput(descriptor, until: .now + timeout) else { return .timeout }
        // A closed pipe is readable, too; only the number of available bytes distinguishes the end from data.
        var status = stat()
        if fstat(descriptor, &status) == 0, hidesSize(status, of: descriptor) { return .bytes }
        var available: Int32 = 0
        return ioctl(descriptor, UInt(FIONREAD), &available) == 0 && available == 0 ? .end : .bytes
    }

    /// The maximum length of input that is a part of the plan, in bytes.
    private static let longestBody = 1 << 20

    /// Reads the input to its end, unless it is too long or too slow and its length is not required.
    ///
    /// Many servers reject a body without Content-Length, or treat it as empty.
    private static func readBody(
        _ descriptor: Int32, _ length: Length, _ waits: WaitLimits
    ) throws(FileProblem) -> InputBody {
        if case .regularFile(let remaining, _) = kind(of: descriptor), length == .irrelevant || remaining > longestBody
        {
            return redirectedFile(descriptor, remaining)
        }
        waits.recordInputWait()
        let end = ContinuousClock.now + waits.limited(.seconds(2))
        var deadline = end
        var prefix: [UInt8] = []
        while prefix.count <= longestBody,
            length == .required || .now < end && waitForInput(descriptor, until: deadline)
        {
            let chunk = try FileAccess.readChunk(descriptor, path: "-", size: 64 * 1024, waits: waits)
            if chunk.isEmpty { return .complete(prefix) }
            prefix += chunk
            if length == .irrelevant { break }
            deadline = min(end, .now + .milliseconds(500))
        }
        guard length == .required else { return InputBody(prefix: prefix) }
        let copy = try FileAccess.copyToMemory(descriptor, path: "-", after: prefix, waits)
        defer { close(copy.descriptor) }
        // From now on, standard input is a redirected file.
        guard dup2(copy.descriptor, descriptor) >= 0 else { throw FileProblem(path: "-", reason: .system(errno)) }
        return redirectedFile(descriptor, copy.size)
    }

    private static func redirectedFile(_ descriptor: Int32, _ remaining: Int64) -> InputBody {
        let position = lseek(descriptor, 0, SEEK_CUR)
        let sample = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
            count = max(0, pread(descriptor, buffer.baseAddress, buffer.count, position))
        }
        return InputBody(size: remaining, sample: sample, isRewindable: true)
    }

    /// Waits until a read does not block, because of data, the end or an error.
    ///
    /// - Returns: `false` if the deadline expired first.
    private static func waitForInput(_ descriptor: Int32, until deadline: ContinuousClock.Instant) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return uninterrupted {
            let rest = max(deadline - .now, .zero)
            return poll(&request, 1, Int32((rest / .milliseconds(1)).rounded(.up)))
        } != 0
    }
}
