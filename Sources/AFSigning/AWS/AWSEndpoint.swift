internal import AFHTTP

/// An AWS service in a region, for which requests are signed.
public struct AWSEndpoint: Hashable, Sendable {
    /// The region, such as `eu-central-1`; `us-east-1` for services without regions.
    public var region: String
    /// The signing name of the service, such as `s3` or `execute-api`.
    public var service: String

    /// Creates an endpoint; region and service are not checked.
    public init(region: String, service: String) {
        self.region = region
        self.service = service
    }

    /// Creates the endpoint of an AWS host name; `nil` for other hosts, such as custom domains.
    ///
    /// Most names are `SERVICE.REGION.amazonaws.com`, with further labels in front; some have the region first.
    /// `signingNames` has the services that sign with another name.
    public init?(host: String) {
        let host = host.lowercased()
        guard let domain = Self.domains.first(where: { host.hasSuffix(".\($0.name)") }) else { return nil }
        let parts = host.dropLast(domain.name.count + 1).split(separator: ".").map(Self.undecorated)
        let labels = parts.filter { !["dualstack", "fips", "global", "us-gov"].contains($0) }
        let place = labels.lastIndex(where: Self.isRegion)
        let service = place.map { $0 + 1 < labels.endIndex ? labels[($0 + 1)...] : labels[..<$0] } ?? labels[...]
        guard let last = service.last else { return nil }
        let general = parts.last == "us-gov" ? "us-gov-west-1" : domain.region
        if let region = place.map({ labels[$0] }) {
            let isRegional = region.hasPrefix("us-gov-") || !Self.servicesWithoutRegion.contains(last)
            self.region = isRegional ? region : general
        } else if last.hasPrefix("s3-"), Self.isRegion(String(last.dropFirst(3))) {
            (region, self.service) = (String(last.dropFirst(3)), "s3")
            return
        } else {
            region = general
        }
        self.service = Self.signingName(service)
    }

    /// Returns the signing name of a service: the last label, unless the last labels have another one.
    private static func signingName(_ labels: ArraySlice<String>) -> String {
        for count in [3, 2, 1] where count <= labels.count {
            if let name = signingNames[labels.suffix(count).joined(separator: ".")] { return name }
        }
        guard let last = labels.last else { return "" }
        // The zone of a directory bucket: `s3express-use1-az4`.
        return last.hasPrefix("s3express-") ? "s3express" : last
    }

    /// Returns a label without the mark of a FIPS endpoint.
    private static func undecorated(_ label: Substring) -> String {
        if label.hasSuffix("-fips") { return String(label.dropLast(5)) }
        return String(label.hasPrefix("fips-") ? label.dropFirst(5) : label)
    }

    /// Whether a label is a region: letters, words and a number, as in `us-east-1` and `us-gov-west-1`.
    private static func isRegion(_ label: String) -> Bool {
        let parts = label.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 3, let first = parts.first, let number = parts.last else { return false }
        return (first.count == 2 || first == "eusc")
            && parts.dropLast().allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(\.isASCIILetter) }
            && !number.isEmpty && number.utf8.allSatisfy(\.isASCIIDigit)
    }

    /// Whether paths are signed unchanged and bodies may be unsigned.
    package var isStorage: Bool { service == "s3" || service.hasPrefix("s3-") || service == "s3express" }
}
