internal import AFHTTP

/// Standard input as far as a plan must know it; tests bring their own.
struct StandardInput: Sendable {
    enum Kind: Equatable, Sendable {
        case terminal
        /// Descriptor 0 is not open.
        case closed
        case nullDevice
        /// A redirected file, with the bytes between the current position and its end.
        ///
        /// A position behind the start means that another program reads the file, such as the shell in a loop over lines.
        case regularFile(remaining: Int64, isAtStart: Bool = true)
        /// A pipe, a socket or a device, whose end nobody knows.
        case stream
        case directory
    }

    /// What a stream does within a timeout.
    enum Delivery: Equatable, Sendable { case bytes, end, silence }

    let kind: Kind
    /// Waits for the first byte or the end of a stream, and consumes nothing.
    let firstDelivery: @Sendable (_ timeout: Duration) -> Delivery
    /// Whether there are bytes in it that nobody has begun to read; asked without waiting.
    let isUntouched: @Sendable () -> Bool
    /// Everything up to the end.
    let readAll: @Sendable () throws(FileProblem) -> [UInt8]
    /// The input as a body, read for as long as its length is worth waiting for.
    let readBody: @Sendable () throws(FileProblem) -> InputBody
}

/// Standard input as a body or as a part of one.
struct InputBody: Equatable, Sendable {
    /// In bytes; `nil` if it is not known before the end.
    var size: Int64?
    /// The bytes that are read already.
    var prefix: [UInt8] = []
    /// Whether nothing is left to read, so that the body can be sent again.
    var isComplete = false

    /// The body of an input that has ended.
    static func complete(_ bytes: [UInt8]) -> InputBody {
        InputBody(size: Int64(bytes.count), prefix: bytes, isComplete: true)
    }
}

extension StandardInput {
    /// What is done with standard input for one request.
    enum Use: Equatable, Sendable {
        case ignored
        /// The body, to its end.
        case body
        /// The body if a first byte comes in time; no body if the end comes first.
        case bodyOnDelivery
        /// No body; a usage error if it holds data.
        case errorOnDelivery
    }

    /// How long a stream may be silent before it is an error, where it is the body of a request without a method.
    static let deliveryTimeout = Duration.seconds(5)
    /// How long a download waits to learn whether a stream holds data: a producer in the same pipeline starts with it.
    static let downloadTimeout = Duration.milliseconds(200)

    /// Whether standard input is the body, for a request that asks for it nowhere.
    ///
    /// It is never a trap for scripts: a body given otherwise leaves it alone, so that a loop over its lines works.
    ///
    /// - Parameters:
    ///   - method: As typed; `nil` where it was left out.
    ///   - download: What is typed about files: without a method, a download is a GET.
    static func use(
        _ kind: Kind,
        method: HTTPMethod?,
        hasBody: Bool,
        download: Invocation.Download = .init(),
        isIgnored: Bool
    ) -> Use {
        if isIgnored || hasBody { return .ignored }
        if let method, [.get, .head, .options, .delete, .trace].contains(method) { return .ignored }
        let isDownload = download.isDownload && method == nil
        return switch kind {
        case .terminal, .closed, .nullDevice: .ignored
        case .regularFile(let remaining, let isAtStart): remaining > 0 && isAtStart && !isDownload ? .body : .ignored
        case .stream where method != nil: .body
        case .stream: isDownload || download.writesFile ? .errorOnDelivery : .bodyOnDelivery
        // The redirection was meant to send something.
        case .directory: isDownload ? .ignored : .body
        }
    }

    /// Whether it holds what would have been the body, had none been typed.
    ///
    /// Refusing that would break loops over lines, and hooks that get their news on standard input: the user is told. What
    /// a loop has begun to read is its own.
    func isPassedOver(method: HTTPMethod?, download: Invocation.Download, isIgnored: Bool) -> Bool {
        Self.use(kind, method: method, hasBody: false, download: download, isIgnored: isIgnored) != .ignored
            && isUntouched()
    }

    /// Whether it would be the body of a typed method if no other program had started to read it.
    func isReadByOthers(method: HTTPMethod?, isIgnored: Bool) -> Bool {
        guard method != nil, case .regularFile(let remaining, isAtStart: false) = kind else { return false }
        let whole = Kind.regularFile(remaining: remaining)
        return Self.use(whole, method: method, hasBody: false, isIgnored: isIgnored) == .body
    }

    /// - Throws: ``FileProblem`` where a read would fail.
    func checkReadable() throws(FileProblem) {
        guard kind == .directory else { return }
        throw FileProblem(path: "-", reason: .isDirectory, hint: "redirect a file: < FILE")
    }
}
