internal import AFCore
internal import AFJSON
internal import FoundationEssentials

extension Report {
    /// Returns a certificate of a server's chain.
    ///
    /// - Parameter date: The date for the days left.
    func certificate(_ derBytes: [UInt8], at date: Date) -> JSONText {
        guard let details = Certificate(derBytes: derBytes)?.details else { return .null }
        return .object([
            "subject": .string(details.subject),
            "issuer": .string(details.issuer),
            "names": .array(
                details.names.map { .object(["type": .string($0.kind.rawValue), "value": .string($0.text)]) }),
            "not_before": details.notBefore.map(JSONText.moment) ?? .null,
            "not_after": details.notAfter.map(JSONText.moment) ?? .null,
            "days_left": details.daysLeft(at: date).map { .count($0) } ?? .null,
            "key": .object([
                "algorithm": .string(details.key.algorithm),
                "bits": details.key.bits.map { .count($0) } ?? .null,
                "curve": .text(details.key.curve),
            ]),
            "signature": .string(details.signatureAlgorithm),
            "serial": .string(details.serialNumber),
            "authority": .flag(details.isAuthority),
            "sha256": .string(details.fingerprint),
            "pin": .string(details.pin),
        ])
    }
}
