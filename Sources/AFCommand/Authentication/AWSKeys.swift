internal import AFJSON

/// The output of `credential_process`, the first version of a JSON format.
struct AWSKeys: Sendable {
    let keys: AWSProfile.Keys

    /// Runs a program.
    init(writtenBy command: String, _ sources: SecretSources) throws {
        let output = try naming("--auth-type") { try sources.credentials.command(command, .keys) }
        let found = try? JSONText(file: output).opened
        guard let found, found["Version"]?.number == 1, let accessKeyID = found["AccessKeyId"]?.string,
            let secretAccessKey = found["SecretAccessKey"]?.string
        else {
            throw UsageError(
                "the output of credential_process is not the JSON of an access key",
                argument: "--auth-type",
                hint: "expected Version 1, AccessKeyId and SecretAccessKey")
        }
        keys = (accessKeyID, secretAccessKey, found["SessionToken"]?.string)
    }
}
