internal import Glibc

extension StandardInput {
    /// The real one.
    ///
    /// - Parameter patience: How long a stream may be silent.
    static func system(
        descriptor: Int32 = STDIN_FILENO,
        patience: Duration = .seconds(5),
        waits: WaitLimits = WaitLimits()
    ) -> StandardInput {
        StandardInput(
            kind: kind(of: descriptor),
            firstDelivery: {
                delivery(of: descriptor, waits.remaining.map { min(patience, .seconds($0)) } ?? patience)
            },
            isUntouched: { isUntouched(descriptor) },
            readAll: { () throws(FileProblem) in
                try FileAccess.readToEnd(descriptor, path: "-", limit: .text, waits: waits)
            }
        )
    }

    private static func kind(of descriptor: Int32) -> Kind {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return .closed }
        switch status.st_mode & S_IFMT {
        case S_IFREG:
            if hidesSize(status, of: descriptor) { return .stream }
            let position = max(lseek(descriptor, 0, SEEK_CUR), 0)
            return .regularFile(remaining: max(Int64(status.st_size) - Int64(position), 0))
        case S_IFCHR:
            if isatty(descriptor) == 1 { return .terminal }
            var null = stat()
            return stat("/dev/null", &null) == 0 && null.st_rdev == status.st_rdev ? .nullDevice : .stream
        case S_IFDIR: return .directory
        default: return .stream
        }
    }

    /// Whether the file is made up while it is read, as those of `/proc` and `/sys`, whose sizes mean nothing.
    private static func hidesSize(_ status: stat, of descriptor: Int32) -> Bool {
        guard status.st_mode & S_IFMT == S_IFREG, status.st_blocks == 0 else { return false }
        var byte: UInt8 = 0
        let isEmpty = status.st_size == 0
        let count = pread(descriptor, &byte, 1, isEmpty ? 0 : status.st_size - 1)
        return isEmpty ? count > 0 : count == 0
    }

    private static func isUntouched(_ descriptor: Int32) -> Bool {
        switch kind(of: descriptor) {
        case .regularFile(let remaining): remaining > 0 && lseek(descriptor, 0, SEEK_CUR) == 0
        case .stream: delivery(of: descriptor, .zero) == .bytes
        case .terminal, .closed, .nullDevice, .directory: false
        }
    }

    private static func delivery(of descriptor: Int32, _ patience: Duration) -> Delivery {
        let deadline = ContinuousClock.now + patience
        while true {
            let rest = max(deadline - .now, .zero)
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let count = poll(&request, 1, Int32(rest / .milliseconds(1)))
            if count == 0 { return .silence }
            if count < 0 {
                guard errno == EINTR else { return .end }
                continue
            }
            // A closed pipe is readable too; only the number of bytes in it tells the end from data.
            var status = stat()
            if fstat(descriptor, &status) == 0, hidesSize(status, of: descriptor) { return .bytes }
            var available: Int32 = 0
            return ioctl(descriptor, UInt(FIONREAD), &available) == 0 && available == 0 ? .end : .bytes
        }
    }
}
