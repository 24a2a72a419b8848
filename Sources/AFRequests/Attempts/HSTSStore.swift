public import AFHTTP
internal import FoundationEssentials
internal import Synchronization

/// The hosts that must be reached over TLS only (RFC 6797): requests and redirects to them use https.
///
/// Hosts are recorded from responses over TLS with system-verified certificates; not from IP addresses, and not from
/// hosts with their own trust evaluator. Several sessions may share a store.
public final class HSTSStore: Sendable {
    private let hosts: Mutex<[String: HSTSEntry]>

    /// Creates a store.
    ///
    /// - Parameter entries: The known hosts. If a host is repeated, its last entry counts.
    public init(_ entries: [HSTSEntry] = []) {
        hosts = Mutex(Dictionary(entries.map { ($0.host, $0) }) { $1 })
    }

    /// The unexpired entries, by host.
    public var entries: [HSTSEntry] {
        hosts.withLock { Array($0.values) }.filter { $0.expiresDate > .now }.sorted { $0.host < $1.host }
    }

    /// Returns the URL, with https if its host requires that.
    public func secured(_ url: HTTPURL) -> HTTPURL {
        guard url.scheme == .http, !url.hasAddressHost, isKnown(url.host) else { return url }
        return url.secured
    }

    /// Records the policy of a response. The caller must ensure that the response was received over verified TLS.
    public func record(_ response: HTTPURLResponse, from url: HTTPURL) {
        guard url.scheme == .https, !url.hasAddressHost,
            // The first of several fields counts (§8.1).
            let value = response.value(forHTTPHeaderField: "Strict-Transport-Security"),
            let entry = HSTSEntry(header: value, of: url.host)
        else { return }
        hosts.withLock { $0[entry.host] = entry.expiresDate > .now ? entry : nil }
    }

    private func isKnown(_ host: String) -> Bool {
        let now = Date.now
        return hosts.withLock { hosts in
            // The host itself, then its parent domains.
            var name = host[...]
            if name.last == "." { name.removeLast() }
            while !name.isEmpty {
                if let entry = hosts[String(name)], entry.expiresDate > now, entry.covers(host) { return true }
                guard let dot = name.firstIndex(of: ".") else { return false }
                name = name[name.index(after: dot)...]
            }
            return false
        }
    }
}
