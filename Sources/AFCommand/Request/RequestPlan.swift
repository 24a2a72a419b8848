internal import AFHTTP

/// The request that a command line asks for, with every default filled in and every embedded file read.
struct RequestPlan: Equatable, Sendable {
    let method: HTTPMethod
    /// Complete but for the host, which is as it was typed; without user info and fragment.
    let url: String
    /// In wire order, the login that goes with the first request among them.
    var headers: HTTPHeaders
    /// Names that must not be sent, not even where the transport has a default of its own: `Host`, `User-Agent`, …
    let removedHeaders: [String]
    var body: BodyPlan
}
