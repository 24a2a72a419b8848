internal import AFHTTP

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

    /// What becomes of the response's body.
    enum Download: Equatable, Sendable {
        /// It is not saved.
        case none
        /// It is saved, whatever the method.
        case file
        /// It is saved, and the method is GET unless one is typed.
        case get
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
    ///   - download: Whether the body becomes a file, and whether that makes a request without a method a GET.
    static func use(
        _ kind: Kind,
        method: HTTPMethod?,
        hasBody: Bool,
        download: Download = .none,
        isIgnored: Bool
    ) -> Use {
        if isIgnored || hasBody { return .ignored }
        if let method, [.get, .head, .options, .delete, .trace].contains(method) { return .ignored }
        let isDownload = download == .get && method == nil
        return switch kind {
        case .terminal, .closed, .nullDevice: .ignored
        case .regularFile(let remaining, let isAtStart): remaining > 0 && isAtStart && !isDownload ? .body : .ignored
        case .stream where method != nil: .body
        case .stream: download != .none ? .errorOnDelivery : .bodyOnDelivery
        // The redirection was meant to send something.
        case .directory: isDownload ? .ignored : .body
        }
    }

    /// Whether it holds what would have been the body, had none been typed.
    ///
    /// Refusing that would break loops over lines, and hooks that get their news on standard input: the user is told. What
    /// a loop has begun to read is its own.
    func isPassedOver(method: HTTPMethod?, download: Download, isIgnored: Bool) -> Bool {
        Self.use(kind, method: method, hasBody: false, download: download, isIgnored: isIgnored) != .ignored
            && isUntouched()
    }

    /// Whether it would be the body of a typed method if no other program had started to read it.
    func isReadByOthers(method: HTTPMethod?, isIgnored: Bool) -> Bool {
        guard method != nil, case .regularFile(let remaining, isAtStart: false) = kind else { return false }
        let whole = Kind.regularFile(remaining: remaining)
        return Self.use(whole, method: method, hasBody: false, isIgnored: isIgnored) == .body
    }
}
