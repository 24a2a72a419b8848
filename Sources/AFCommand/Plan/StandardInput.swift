internal import AFHTTP

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
        case directory
    }

    /// What a stream does within the time that it is given.
    enum Delivery: Equatable, Sendable { case bytes, end, silence }

    let kind: Kind
    /// Waits a few seconds for the first byte or the end of a stream, and consumes nothing.
    let firstDelivery: @Sendable () -> Delivery
    /// Whether there are bytes in it that nobody has begun to read; asked without waiting.
    let isUntouched: @Sendable () -> Bool
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
    /// - Parameters:
    ///   - method: As typed; `nil` where it was left out.
    ///   - isDownload: Whether a file is fetched: without a method that is a GET, also in a loop over a list of URLs.
    static func use(
        _ kind: Kind,
        method: HTTPMethod?,
        hasBody: Bool,
        isDownload: Bool = false,
        isIgnored: Bool
    ) -> Use {
        if isIgnored || hasBody || (isDownload && method == nil) { return .ignored }
        if let method, [.get, .head, .options, .delete, .trace].contains(method) { return .ignored }
        return switch kind {
        case .terminal, .closed, .nullDevice: .ignored
        case .regularFile(let remaining): remaining > 0 ? .body : .ignored
        case .stream: method == nil ? .bodyOnDelivery : .body
        // Somebody meant to send something.
        case .directory: .body
        }
    }

    /// Whether it holds what would have been the body, had none been typed.
    ///
    /// Refusing that would break loops over lines, and hooks that get their news on standard input: the user is told. What
    /// a loop has begun to read is its own.
    func isPassedOver(method: HTTPMethod?, isDownload: Bool, isIgnored: Bool) -> Bool {
        Self.use(kind, method: method, hasBody: false, isDownload: isDownload, isIgnored: isIgnored) != .ignored
            && isUntouched()
    }

    /// - Throws: ``FileProblem`` where a read would fail.
    func checkReadable() throws(FileProblem) {
        guard kind == .directory else { return }
        throw FileProblem(path: "-", reason: FileProblem.isDirectory, hint: "redirect a file: < FILE")
    }
}
