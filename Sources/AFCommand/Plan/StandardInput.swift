internal import AFHTTP
internal import Glibc

/// Standard input as far as a plan must know it; tests bring their own.
struct StandardInput: Sendable {
    enum Kind: Equatable, Sendable {
        case terminal
        /// Descriptor 0 is not open.
        case closed
        case nullDevice
        /// A redirected file, with the bytes between the current position and its end.
        case regularFile(remaining: Int64)
        /// A pipe, a socket or a device, whose end nobody knows.
        case stream
    }

    /// What a stream does within the time that it is given.
    enum Delivery: Equatable, Sendable { case bytes, end, silence }

    let kind: Kind
    /// Waits for the first byte or the end of a stream, five seconds at most, and consumes nothing.
    let firstDelivery: @Sendable () -> Delivery
    /// Everything up to the end.
    let readAll: @Sendable () throws(FileProblem) -> [UInt8]
}

extension StandardInput {
    /// What is done with standard input for one request.
    enum Use: Equatable, Sendable {
        case ignored
        /// The body, to its end.
        case body
        /// The body if a first byte comes in time; no body if the end comes first.
        case bodyOnDelivery
    }

    /// Whether standard input is the body, for a request that asks for it nowhere.
    ///
    /// It is never a trap for scripts: a body given otherwise leaves it alone, so that a loop over its lines works.
    ///
    /// - Parameter method: As typed; `nil` where it was left out.
    static func use(_ kind: Kind, method: HTTPMethod?, hasBody: Bool, isIgnored: Bool) -> Use {
        if isIgnored || hasBody { return .ignored }
        if let method, [.get, .head, .options, .delete, .trace].contains(method) { return .ignored }
        return switch kind {
        case .terminal, .closed, .nullDevice: .ignored
        case .regularFile(let remaining): remaining > 0 ? .body : .ignored
        case .stream: method == nil ? .bodyOnDelivery : .body
        }
    }
}

extension StandardInput {
    /// Descriptor 0.
    static func system() -> StandardInput {
        StandardInput(kind: systemKind(), firstDelivery: systemDelivery, readAll: systemContent)
    }
}

private func systemKind() -> StandardInput.Kind {
    var status = stat()
    guard fstat(STDIN_FILENO, &status) == 0 else { return .closed }
    switch status.st_mode & S_IFMT {
    case S_IFREG:
        let position = max(lseek(STDIN_FILENO, 0, SEEK_CUR), 0)
        return .regularFile(remaining: max(Int64(status.st_size) - Int64(position), 0))
    case S_IFCHR:
        if isatty(STDIN_FILENO) == 1 { return .terminal }
        var null = stat()
        return stat("/dev/null", &null) == 0 && null.st_rdev == status.st_rdev ? .nullDevice : .stream
    default: return .stream
    }
}

private func systemDelivery() -> StandardInput.Delivery {
    let deadline = ContinuousClock.now + .seconds(5)
    while true {
        let rest = max(deadline - .now, .zero)
        var descriptor = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        let count = poll(&descriptor, 1, Int32(rest / .milliseconds(1)))
        if count == 0 { return .silence }
        if count < 0 {
            guard errno == EINTR else { return .end }
            continue
        }
        // A closed pipe is readable too; only the number of bytes in it tells the end from data.
        var available: Int32 = 0
        return ioctl(STDIN_FILENO, UInt(FIONREAD), &available) == 0 && available == 0 ? .end : .bytes
    }
}

private func systemContent() throws(FileProblem) -> [UInt8] {
    try FileAccess.readToEnd(STDIN_FILENO, path: "-")
}
