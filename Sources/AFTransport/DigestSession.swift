internal import AFHTTP
internal import Synchronization

/// An accepted challenge of digest authentication, which further requests to its origin answer without a round of their own
/// (RFC 7616 §3.3).
package final class DigestSession: Sendable {
    private struct State {
        let challenge: DigestChallenge
        let credential: URLCredential
        let salt: String
        /// The number of requests under the challenge's nonce.
        var count = 1
    }

    private let state = Mutex<State?>(nil)

    /// Creates a session without a challenge.
    package init() {}

    /// Records that the server has accepted the credentials for a challenge.
    ///
    /// - Parameter salt: The client's nonce (`cnonce`) of these credentials.
    func accept(_ challenge: DigestChallenge, _ credential: URLCredential, salt: String) {
        state.withLock { $0 = State(challenge: challenge, credential: credential, salt: salt) }
    }

    /// Forgets the challenge, which the server does not accept any more.
    func reset() { state.withLock { $0 = nil } }

    /// Returns the value of `Authorization` for a request; `nil` if its credential has no accepted challenge.
    func authorization(_ credential: URLCredential, for transfer: Transfer) -> String? {
        state.withLock { state in
            guard let known = state, known.credential == credential,
                known.challenge.covers(requestWithBody: transfer.body != nil)
            else { return nil }
            state?.count += 1
            return known.challenge.authorization(
                credential, method: transfer.method, target: transfer.url.target, salt: known.salt,
                count: known.count + 1)
        }
    }
}
