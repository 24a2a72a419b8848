internal import AFHTTP

/// A service of Amazon's in a region, which signatures are made for.
public struct AWSEndpoint: Hashable, Sendable {
    /// Such as `eu-central-1`; `us-east-1` for services that have no regions.
    public var region: String
    /// The name that the service signs by, such as `s3` or `execute-api`.
    public var service: String

    /// A service in a region, as signatures spell them; neither is checked.
    public init(region: String, service: String) {
        self.region = region
        self.service = service
    }

    /// What a host name of Amazon's tells; `nil` for a name of another's, such as a domain of one's own.
    ///
    /// The names of most services are `SERVICE.REGION.amazonaws.com`, with more in front; some name the region first.
    public init?(host: String) {
        guard let labels = Self.labels(of: host), let last = labels.last else { return nil }
        if let place = labels.lastIndex(where: Self.isRegion) {
            region = labels[place]
            let named = place + 1 < labels.endIndex ? last : labels[..<place].last { $0 != "dualstack" }
            guard let named else { return nil }
            service = Self.signingName(named)
        } else if last.hasPrefix("s3-"), Self.isRegion(String(last.dropFirst(3))) {
            (region, service) = (String(last.dropFirst(3)), "s3")
        } else {
            (region, service) = ("us-east-1", Self.signingName(last))
        }
    }

    /// What stands in front of Amazon's own domain.
    private static func labels(of host: String) -> [String]? {
        let host = host.lowercased()
        for domain in [".amazonaws.com", ".amazonaws.com.cn", ".api.aws", ".on.aws"] where host.hasSuffix(domain) {
            return host.dropLast(domain.count).split(separator: ".").map(String.init)
        }
        return nil
    }

    /// `us-east-1`, `us-gov-west-1`: letters, words, a number.
    private static func isRegion(_ label: String) -> Bool {
        let parts = label.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 3, let first = parts.first, let number = parts.last else { return false }
        return first.count == 2 && parts.dropLast().allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(\.isASCIILetter) }
            && !number.isEmpty && number.utf8.allSatisfy(\.isASCIIDigit)
    }

    /// Some services are called otherwise in signatures than in names of hosts.
    private static func signingName(_ label: String) -> String {
        switch label {
        case "s3-accesspoint", "s3-control", "s3-fips", "s3-external-1", "s3-accelerate": "s3"
        case "email": "ses"
        case "lambda-url": "lambda"
        case "queue": "sqs"
        case "bedrock-runtime", "bedrock-agent", "bedrock-agent-runtime": "bedrock"
        default: label
        }
    }

    /// Whether paths are signed as they are, and bodies need not be.
    var isStorage: Bool { service == "s3" || service.hasPrefix("s3-") || service == "s3express" }
}
