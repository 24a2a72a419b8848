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
    public init?(host: String) {
        guard let labels = Self.labels(of: host), let last = labels.last else { return nil }
        if let index = labels.lastIndex(where: Self.isRegion) {
            region = labels[index]
            let named = index + 1 < labels.endIndex ? last : labels[..<index].last { $0 != "dualstack" }
            guard let named else { return nil }
            service = Self.signingName(named)
        } else if last.hasPrefix("s3-"), Self.isRegion(String(last.dropFirst(3))) {
            (region, service) = (String(last.dropFirst(3)), "s3")
        } else {
            (region, service) = ("us-east-1", Self.signingName(last))
        }
    }

    /// Returns the labels before Amazon's own domain.
    private static func labels(of host: String) -> [String]? {
        let host = host.lowercased()
        for domain in [".amazonaws.com", ".amazonaws.com.cn", ".api.aws", ".on.aws"] where host.hasSuffix(domain) {
            return host.dropLast(domain.count).split(separator: ".").map(String.init)
        }
        return nil
    }

    /// Whether a label is a region: letters, words and a number, as in `us-east-1` and `us-gov-west-1`.
    private static func isRegion(_ label: String) -> Bool {
        let parts = label.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 3, let first = parts.first, let number = parts.last else { return false }
        return first.count == 2 && parts.dropLast().allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(\.isASCIILetter) }
            && !number.isEmpty && number.utf8.allSatisfy(\.isASCIIDigit)
    }

    /// Returns the signing name of a service, which may differ from its host name.
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

    /// Whether paths are signed unchanged and bodies may be unsigned.
    var isStorage: Bool { service == "s3" || service.hasPrefix("s3-") || service == "s3express" }
}
