internal import AFHTTP
public import Dispatch
internal import FoundationEssentials
internal import Synchronization

/// Descriptions of requests.
extension Request: CustomStringConvertible {
    /// A handler that waits for a curl command.
    struct CURLHandler {
        let call: @Sendable (Request) -> Void
        /// Whether the handler receives the command of every attempt, or only of the first.
        let isRepeating: Bool
    }

    /// The method and URL of the latest request, and the status; never a password.
    public var description: String {
        guard let request = performedRequests.last ?? self.request, let url = request.url,
            let method = request.httpMethod
        else { return "No request created yet." }
        let address = QueryRedaction().url(url.absoluteString.withoutUserInfo)
        return "\(method) \(address)" + (response.map { " (\($0.statusCode))" } ?? "")
    }

    /// Returns the latest request as a curl command. Passwords, tokens and cookies are replaced by `•••`.
    ///
    /// Secrets are recognized by name in header fields, the URL and forms; other bodies are shown unchanged. The
    /// session's stored cookies are not included, and the body only if it is part of the request itself.
    public func cURLDescription() -> String { cURLDescription(revealingSecrets: false) }

    /// Returns the latest request as a curl command, with or without secrets.
    public func cURLDescription(revealingSecrets: Bool) -> String {
        guard let request else { return CURLCommand.none }
        let credential = credential ?? (try? request.httpURL)?.credential
        return CURLCommand(
            request,
            credential: credential,
            sessionHeaders: session?.configuration.headers ?? [],
            revealsSecrets: revealingSecrets
        )?.text ?? CURLCommand.none
    }

    /// Calls back once with ``cURLDescription()``, when there is a request or its creation has failed. A later closure
    /// replaces an earlier one. Does not start the request.
    @discardableResult
    public func cURLDescription(on queue: DispatchQueue, calling handler: @escaping @Sendable (String) -> Void) -> Self
    {
        describe(on: queue, isRepeating: false, handler)
        return self
    }

    /// Calls back on the session's queue with ``cURLDescription()``.
    @discardableResult
    public func cURLDescription(calling handler: @escaping @Sendable (String) -> Void) -> Self {
        cURLDescription(on: underlyingQueue, calling: handler)
    }

    func describe(on queue: DispatchQueue, isRepeating: Bool, _ handler: @escaping @Sendable (String) -> Void) {
        let call = { @Sendable (request: Request) in
            let text = request.cURLDescription()
            queue.async { handler(text) }
        }
        var waiting = Optional(CURLHandler(call: call, isRepeating: isRepeating))
        var isDue = false
        mutableState.withLock { mutableState in
            // A request that ended without a URLRequest will have none.
            isDue = mutableState.lastRequest != nil || mutableState.lifecycle.isDone
            if isRepeating || !isDue { swap(&mutableState.hooks.curl, &waiting) }
        }
        if isDue { call(self) }
    }
}
