internal import AFCore
internal import AFHTTP
internal import FoundationEssentials

/// The number of days for which the certificates of the servers must be valid.
struct CertificateExpectation: Equatable, Sendable {
    let days: Int

    /// Returns the failures, one for each server: its certificate that expires first.
    ///
    /// - Parameter hops: The hops of an attempt, redirects included.
    func failures(in hops: [TransactionMetrics], at date: Date = .now) -> [String] {
        guard let last = hops.last else { return [] }
        guard !last.certificates.isEmpty else {
            return ["\(expectation), got a response without TLS"]
        }
        var checked: [[[UInt8]]] = []
        return hops.compactMap { hop in
            guard !hop.certificates.isEmpty, !checked.contains(hop.certificates) else { return nil }
            checked.append(hop.certificates)
            return failure(in: hop, at: date)
        }
    }

    private func failure(in hop: TransactionMetrics, at date: Date) -> String? {
        let certificates = hop.certificates.compactMap { Certificate(derBytes: $0)?.details }
        // Clients trust their own copy of a root.
        let relevant = certificates.enumerated().filter { $0 == 0 || !$1.isSelfIssued }
        let first = relevant.min { $0.element.notAfter ?? .distantFuture < $1.element.notAfter ?? .distantFuture }
        guard let (index, certificate) = first, let end = certificate.notAfter,
            let left = certificate.daysLeft(at: date), left < days
        else { return nil }
        let server = (try? HTTPURL(parsing: hop.url))?.origin.description ?? hop.url
        let name = index == 0 ? "the certificate of \(server)" : "the issuer '\(certificate.subject)' of \(server)"
        let state = left < 0 ? "expired" : "expires in \(left == 0 ? "less than a day" : HumanUnits.days(left))"
        return "\(expectation), but \(name) \(state): \(HumanUnits.moment(end))"
    }

    private var expectation: String { "expected certificates that are valid for \(HumanUnits.days(days))" }
}
