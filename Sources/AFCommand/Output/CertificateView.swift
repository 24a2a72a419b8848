internal import AFCore
internal import AFFormatting
internal import FoundationEssentials

/// The certificates of a server, a block of lines for each.
struct CertificateView {
    /// The maximum number of names to show of a certificate; reports contain all.
    static let nameLimit = 100
    /// The maximum number of columns of a value: a subject may be as long as OpenSSL accepts.
    private static let columnLimit = 1000

    /// The origin of the server or proxy.
    let origin: String
    let certificates: [CertificateDetails]
    let date: Date
    var isUTF8 = true
    var palette: Palette?

    /// Returns the lines with line feeds.
    func render() -> String {
        let title = styled("Certificates of \(Sanitizer.line(origin))", palette?.label)
        guard !certificates.isEmpty else { return title + ": none\n" }
        let blocks = certificates.enumerated().map { index, certificate in
            styled("\(index + 1). \(Self.role(certificate, at: index))", palette?.label) + "\n" + lines(of: certificate)
        }
        return title + "\n" + blocks.joined() + "\n"
    }

    private static func role(_ certificate: CertificateDetails, at index: Int) -> String {
        index == 0 ? "server certificate" : certificate.isSelfIssued ? "root" : "intermediate"
    }

    private func lines(of certificate: CertificateDetails) -> String {
        let entries = [
            ("Subject", certificate.subject.isEmpty ? "none" : certificate.subject),
            ("Issuer", certificate.issuer.isEmpty ? "none" : certificate.issuer),
            ("Names", names(of: certificate)),
            ("Valid from", start(of: certificate)),
            ("Valid until", end(of: certificate)),
            ("Key", key(of: certificate)),
            ("Signature", certificate.signatureAlgorithm),
            ("Serial", certificate.serialNumber),
            ("SHA-256", certificate.fingerprint),
            ("Pin", certificate.pin),
        ]
        return entries.compactMap { name, value in value.map { line(name, $0) } }.joined()
    }

    private func names(of certificate: CertificateDetails) -> String? {
        let names = certificate.names.prefix(Self.nameLimit).map { name in
            switch name.kind {
            case .dns, .address: name.text
            case .email, .uri, .directory, .registeredID, .other: "\(name.kind.rawValue) \(name.text)"
            }
        }
        guard !names.isEmpty else { return nil }
        let rest = certificate.names.count - names.count
        return names.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }

    private func start(of certificate: CertificateDetails) -> String {
        guard let start = certificate.notBefore else { return "malformed date" }
        let note = start > date ? " (not yet valid)" : ""
        return HumanUnits.moment(start) + note
    }

    private func end(of certificate: CertificateDetails) -> String {
        guard let end = certificate.notAfter, let left = certificate.daysLeft(at: date) else { return "malformed date" }
        let ago = Int((date.timeIntervalSince(end) / 86_400).rounded(.down))
        let note =
            switch left {
            case 0: "less than a day left"
            case 1...: "\(HumanUnits.days(left)) left"
            default: ago > 0 ? "expired \(HumanUnits.days(ago)) ago" : "expired less than a day ago"
            }
        return "\(HumanUnits.moment(end)) (\(note))"
    }

    private func key(of certificate: CertificateDetails) -> String {
        let key = certificate.key
        return ([key.algorithm, key.curve].compactMap(\.self) + (key.bits.map { ["\($0) bits"] } ?? []))
            .joined(separator: ", ")
    }

    private func line(_ name: String, _ value: String) -> String {
        let label = styled("\(name):", palette?.fieldName)
        let padding = String(repeating: " ", count: 13 - name.count - 1)
        let limit = name == "Names" ? 16 * Self.columnLimit : Self.columnLimit
        return "   \(label)\(padding)\(Sanitizer.line(value).shortened(toColumns: limit, isUTF8: isUTF8))\n"
    }

    private func styled(_ text: String, _ style: TextStyle?) -> String { style?.applied(to: text) ?? text }
}
