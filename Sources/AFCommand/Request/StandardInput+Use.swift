internal import AFHTTP

extension StandardInput {
    /// The use of standard input by a request.
    enum Use: Equatable, Sendable {
        case ignored
        /// The body, read to its end.
        case body
        /// The body if a first byte arrives in time; no body if the end comes first.
        case bodyOnDelivery
        /// No body; an error if it has data.
        case errorOnDelivery
    }

    /// The destination of the response's body.
    enum Download: Equatable, Sendable {
        /// Not saved.
        case none
        /// Saved, for any method.
        case file
        /// Saved; the default method is GET.
        case get
    }

    /// The maximum time that a stream may be silent if it is the body of a request without a method.
    static let deliveryTimeout = Duration.seconds(2)
    /// The time that a download waits for data in a stream: a producer in the same pipeline starts at the same time.
    static let downloadTimeout = Duration.milliseconds(200)

    /// Returns the use of standard input by a request that does not refer to it.
    ///
    /// If there is another body, it is left unread, so that loops over its lines work.
    ///
    /// - Parameters:
    ///   - method: The typed method; `nil` if it was omitted.
    ///   - download: Whether the body is saved, and whether the default method is GET.
    static func use(
        _ kind: Kind,
        method: HTTPMethod?,
        hasBody: Bool,
        download: Download = .none,
        isIgnored: Bool
    ) -> Use {
        if isIgnored || hasBody { return .ignored }
        if let method, Safety.refuses("21-standard-input", [.get, .head, .options, .delete, .trace].contains(method)) {
            return .ignored
        }
        let isDownload = download == .get && method == nil
        return switch kind {
        case .terminal, .closed, .nullDevice: .ignored
        case .regularFile(let remaining, let isAtStart): remaining > 0 && isAtStart && !isDownload ? .body : .ignored
        case .stream where method != nil: .body
        case .stream: download != .none ? .errorOnDelivery : .bodyOnDelivery
        // The redirection is meant to provide a body.
        case .directory: isDownload ? .ignored : .body
        }
    }

    /// Whether standard input has data that would have been the body if no other was typed.
    ///
    /// An error would break loops over lines, and hooks that receive data on standard input; so there is only a
    /// warning. Input that a loop has begun to read is ignored.
    func isSkipped(method: HTTPMethod?, download: Download, isIgnored: Bool) -> Bool {
        Self.use(kind, method: method, hasBody: false, download: download, isIgnored: isIgnored) != .ignored
            && isUntouched()
    }

    /// Whether it would be the body of a typed method if no other program had started to read it.
    func isReadByOthers(method: HTTPMethod?, isIgnored: Bool) -> Bool {
        guard method != nil, case .regularFile(let remaining, isAtStart: false) = kind else { return false }
        let file = Kind.regularFile(remaining: remaining)
        return Self.use(file, method: method, hasBody: false, isIgnored: isIgnored) == .body
    }
}
