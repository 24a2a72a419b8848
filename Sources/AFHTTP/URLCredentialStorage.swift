internal import Synchronization

/// Credentials for later requests, by where they are valid. In memory: they go with the storage.
///
/// Sessions put into it what servers have accepted, unless the credential's persistence is
/// ``URLCredential/Persistence/none``. What is kept for a method is proved by that method alone, and
/// forgotten once the server refuses it.
public final class URLCredentialStorage: Sendable {
    private struct Entry {
        let space: URLProtectionSpace
        var credential: URLCredential
    }

    /// The one that was set last comes last. Few, so that looking through them is quicker than hashing.
    private let entries = Mutex<[Entry]>([])

    /// For sessions that are to have their credentials in common. No session uses it unasked.
    public static let shared = URLCredentialStorage()

    /// An empty one.
    public init() {}

    /// Everything that is kept, by space and user.
    public var allCredentials: [URLProtectionSpace: [String: URLCredential]] {
        entries.withLock { entries in
            entries.reduce(into: [:]) { $0[$1.space, default: [:]][$1.credential.user] = $1.credential }
        }
    }

    /// The credentials of a space by user; `nil` where there are none.
    ///
    /// A space that names no realm or method stands for all of that server.
    public func credentials(for space: URLProtectionSpace) -> [String: URLCredential]? {
        let found = entries.withLock { $0.filter { $0.space.overlaps(space) } }
        guard !found.isEmpty else { return nil }
        return Dictionary(found.map { ($0.credential.user, $0.credential) }, uniquingKeysWith: { $1 })
    }

    /// The credential that was set last, of those in ``credentials(for:)``.
    public func defaultCredential(for space: URLProtectionSpace) -> URLCredential? {
        defaultEntry(for: space)?.credential
    }

    /// The same with the space that it was set for.
    package func defaultEntry(
        for space: URLProtectionSpace
    ) -> (space: URLProtectionSpace, credential: URLCredential)? {
        entries.withLock { $0.last { $0.space.overlaps(space) } }.map { ($0.space, $0.credential) }
    }

    /// Keeps a credential, in place of the same user's in the same space; one for a single request is not kept.
    public func set(_ credential: URLCredential, for space: URLProtectionSpace) {
        guard credential.persistence != .none else { return }
        entries.withLock { entries in
            entries.removeAll { $0.space == space && $0.credential.user == credential.user }
            entries.append(Entry(space: space, credential: credential))
        }
    }

    /// The same as ``set(_:for:)``: what was set last is the default.
    public func setDefaultCredential(_ credential: URLCredential, for space: URLProtectionSpace) {
        set(credential, for: space)
    }

    /// Forgets a credential in a space and in those that overlap it.
    public func remove(_ credential: URLCredential, for space: URLProtectionSpace) {
        entries.withLock { $0.removeAll { $0.space.overlaps(space) && $0.credential.user == credential.user } }
    }

    /// Forgets a credential that was refused, unless there is a new password meanwhile.
    package func forget(_ credential: URLCredential, for space: URLProtectionSpace) {
        entries.withLock { $0.removeAll { $0.space == space && $0.credential == credential } }
    }

    /// Forgets everything.
    public func removeAll() { entries.withLock { $0 = [] } }
}
