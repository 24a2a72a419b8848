internal import FoundationEssentials

/// The output of `credential_process`, the first version of a JSON format.
struct AmazonKeys: Decodable, Sendable {
    private let version: Int
    private let accessKeyID: String
    private let secretAccessKey: String
    private let sessionToken: String?

    private enum CodingKeys: String, CodingKey {
        case version = "Version"
        case accessKeyID = "AccessKeyId"
        case secretAccessKey = "SecretAccessKey"
        case sessionToken = "SessionToken"
    }

    var keys: AmazonProfile.Keys { (accessKeyID, secretAccessKey, sessionToken) }

    /// Runs a program.
    init(writtenBy command: String, _ sources: SecretSources) throws {
        let output = try naming("--auth-type") { try sources.credentials.command(command, .keys) }
        let found = try? JSONDecoder().decode(Self.self, from: Data(output))
        guard let found, found.version == 1 else {
            throw UsageError(
                "the output of credential_process is not the JSON of an access key",
                argument: "--auth-type",
                hint: "expected Version 1, AccessKeyId and SecretAccessKey")
        }
        self = found
    }
}
