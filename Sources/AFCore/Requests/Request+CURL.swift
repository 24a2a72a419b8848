internal import AFHTTP
public import Dispatch
internal import FoundationEssentials
internal import Synchronization

/// Requests as text.
extension Request: CustomStringConvertible {
    /// Whoever waits for a curl command.
    struct CURLHandler {
        let call: @Sendable (Request) -> Void
        /// Whether every attempt is wanted, or but the first.
        let isRepeating: Bool
    }

    /// Method and URL of the latest request, and the status of the response; never a password.
    public var description: String {
        guard let request = performedRequests.last ?? lastRequest, let url = request.url,
            let method = request.httpMethod
        else { return "No request created yet." }
        let address = QueryRedaction().url(url.absoluteString.withoutUserInfo)
        return "\(method) \(address)" + (response.map { " (\($0.statusCode))" } ?? "")
    }

    /// A curl command that sends what the latest request is. Passwords, tokens and cookies are left out: `•••` stands for
    /// them.
    ///
    /// They are looked for in headers, in the URL and in forms, by their names; bodies of other types are shown as they are.
    /// Cookies that the session keeps are not known here, and the body only where it is in the request itself.
    public func cURLDescription() -> String { cURLDescription(revealingSecrets: false) }

    /// The same, with passwords, tokens and cookies where that is asked for.
    public func cURLDescription(revealingSecrets: Bool) -> String {
        guard let request = lastRequest else { return CURLCommand.none }
        let credential = credential ?? (try? request.httpURL)?.credential
        return CURLCommand(
            request,
            credential: credential,
            sessionHeaders: session?.configuration.headers ?? [],
            revealsSecrets: revealingSecrets
        )?.text ?? CURLCommand.none
    }

    /// Calls back with the curl command of ``cURLDescription()``, once: as soon as there is a request, or it has failed to be
    /// made. The last closure given counts; it starts nothing.
    @discardableResult
    public func cURLDescription(on queue: DispatchQueue, calling handler: @escaping @Sendable (String) -> Void) -> Self
    {
        describe(on: queue, isRepeating: false, handler)
        return self
    }

    /// The same on the session's queue.
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
        let isDue = contents.withLock { contents in
            let isDue = !contents.requests.isEmpty
            if isRepeating || !isDue { swap(&contents.hooks.curl, &waiting) }
            return isDue
        }
        if isDue { call(self) }
    }
}
