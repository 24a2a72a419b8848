internal import Synchronization

/// Credentials for later requests by protection space, stored in memory.
///
/// Sessions add credentials that servers have accepted, unless the persistence is ``URLCredential/Persistence/none``.
/// An entry for one authentication method is used for that method only, and removed if the server rejects it.
public final class URLCredentialStorage: Sendable {
    private struct Entry {
        let space: URLProtectionSpace
        var credential: URLCredential
    }

    /// Ordered by the time of setting. A linear search beats hashing for few entries.
    private let entries = Mutex<[Entry]>([])

    /// A storage that sessions may share. Sessions use it only if it is set.
    public static let shared = URLCredentialStorage()

    /// Creates an empty storage.
    public init() {}

    /// Whether there are no credentials.
    package var isEmpty: Bool { entries.withLock { $0.isEmpty } }

    /// All credentials by space and user.
    public var allCredentials: [URLProtectionSpace: [String: URLCredential]] {
        entries.withLock { entries in
            entries.reduce(into: [:]) { $0[$1.space, default: [:]][$1.credential.user] = $1.credential }
        }
    }

    /// Returns the credentials of a space by user; `nil` if the space has no credentials.
    ///
    /// A space without realm or method covers the complete server.
    public func credentials(for space: URLProtectionSpace) -> [String: URLCredential]? {
        let found = entries.withLock { $0.filter { $0.space.overlaps(space) } }
        guard !found.isEmpty else { return nil }
        return Dictionary(found.map { ($0.credential.user, $0.credential) }, uniquingKeysWith: { $1 })
    }

    /// Returns the most recently set credential of ``credentials(for:)``.
    public func defaultCredential(for space: URLProtectionSpace) -> URLCredential? {
        defaultEntry(for: space)?.credential
    }

    /// Returns the most recently set credential with its space.
    package func defaultEntry(
        for space: URLProtectionSpace
    ) -> (space: URLProtectionSpace, credential: URLCredential)? {
        entries.withLock { $0.last { $0.space.overlaps(space) } }.map { ($0.space, $0.credential) }
    }

    /// Stores a credential, replacing the same user's in the same space; ignores one with the persistence `none`.
    public func set(_ credential: URLCredential, for space: URLProtectionSpace) {
        guard credential.persistence != .none else { return }
        entries.withLock { entries in
            entries.removeAll { $0.space == space && $0.credential.user == credential.user }
            entries.append(Entry(space: space, credential: credential))
        }
    }

    /// Stores a credential and makes it the default; equal to ``set(_:for:)``.
    public func setDefaultCredential(_ credential: URLCredential, for space: URLProtectionSpace) {
        set(credential, for: space)
    }

    /// Removes a credential from a space and from spaces that overlap it.
    public func remove(_ credential: URLCredential, for space: URLProtectionSpace) {
        entries.withLock { $0.removeAll { $0.space.overlaps(space) && $0.credential.user == credential.user } }
    }

    /// Removes a rejected credential, unless its password has changed meanwhile.
    package func remove(rejected credential: URLCredential, for space: URLProtectionSpace) {
        entries.withLock { $0.removeAll { $0.space == space && $0.credential == credential } }
    }

    /// Removes all credentials.
    public func removeAll() { entries.withLock { $0 = [] } }
}
