public import AFHTTP
internal import FoundationEssentials
internal import Synchronization

/// The hosts that want to be reached over TLS only (RFC 6797): requests and redirects to them go over https.
///
/// Hosts are noted from responses over TLS whose certificate the system's rules found good; not from addresses, and not
/// from hosts that have an evaluator of their own. Several sessions may share a store.
public final class HSTSStore: Sendable {
    private let hosts: Mutex<[String: HSTSEntry]>

    /// - Parameter entries: What is known already. Of several for one host the last counts.
    public init(_ entries: [HSTSEntry] = []) {
        hosts = Mutex(Dictionary(entries.map { ($0.host, $0) }) { $1 })
    }

    /// Those that are not over, by host.
    public var entries: [HSTSEntry] {
        hosts.withLock { Array($0.values) }.filter { $0.expiresDate > .now }.sorted { $0.host < $1.host }
    }

    /// The URL that a request for this one goes to.
    public func secured(_ url: HTTPURL) -> HTTPURL {
        guard url.scheme == .http, !url.hasAddressHost, isKnown(url.host) else { return url }
        return url.secured
    }

    /// Takes note of what a host says about itself. A response over TLS that nobody meddled with is the caller's care.
    public func note(_ response: HTTPURLResponse, from url: HTTPURL) {
        guard url.scheme == .https, !url.hasAddressHost,
            // Of several fields the first counts (§8.1).
            let value = response.value(forHTTPHeaderField: "Strict-Transport-Security"),
            let entry = HSTSEntry(header: value, of: url.host)
        else { return }
        hosts.withLock { $0[entry.host] = entry.expiresDate > .now ? entry : nil }
    }

    private func isKnown(_ host: String) -> Bool {
        let now = Date.now
        return hosts.withLock { hosts in
            // The name itself, then those above it.
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
