internal import AFHTTP
internal import CPSL

/// The list of public suffixes, such as `co.uk`: libpsl's, or that of the system if it is newer.
package enum PublicSuffixList {
    /// Never changed nor freed: lookups from any thread are safe.
    nonisolated(unsafe) private static let list = psl_latest(nil)

    /// Whether a domain is a public suffix; all are if there is no list.
    package static func contains(_ domain: String) -> Bool { list == nil || psl_is_public_suffix(list, domain) != 0 }

    /// Returns the public suffix of a host and one label more; the host itself if it is an address or such a suffix.
    package static func registrableDomain(of host: String) -> String {
        if host.isHostAddress { return host }
        // The result points into the argument.
        return host.withCString { text in psl_registrable_domain(list, text).map { String(cString: $0) } } ?? host
    }

    /// The date of the list that libpsl contains, in seconds since 1970; `nil` if it contains none.
    package static var builtInDate: Int? {
        let seconds = Int(psl_builtin_file_time())
        return seconds > 0 ? seconds : nil
    }
}

extension HTTPCookie {
    /// Whether it is for all hosts below a public suffix, which no host may set (RFC 6265 §5.3, step 5).
    package var isForPublicSuffix: Bool {
        coversSubdomains && Safety.refuses("03-file-suffix", PublicSuffixList.contains(String(domain.dropFirst())))
    }
}
