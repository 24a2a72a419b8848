internal import AFCore
internal import AFHTTP
internal import AFJSON
internal import AFSigning

/// Reads the credentials for signing requests to Amazon Web Services: `KEY_ID:SECRET[:REGION[:SERVICE]]`, or the
/// variables and files of the AWS tools, in their order.
enum AWSCredentialChain {
    static func plan(
        _ typed: AuthenticationArguments,
        _ destination: CredentialDestination,
        _ sources: SecretSources
    ) throws -> AuthenticationPlan {
        guard let source = typed.credential else {
            guard let credential = destination.credential else { return try plan("", "", [], destination, sources) }
            return try plan(credential.user, credential.password, [], destination, sources)
        }
        return try naming("--auth") {
            let names = (user: "access key id", password: "secret access key")
            let credential = try sources.credential(source, at: destination.host, names: names, form: "KEY_ID:SECRET")
            // Secret keys contain no colon.
            let parts = credential.password.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            return try plan(credential.user, parts[0], Array(parts.dropFirst()), destination, sources)
        }
    }

    private static func plan(
        _ id: String,
        _ secret: String,
        _ scope: [String],
        _ destination: CredentialDestination,
        _ sources: SecretSources
    ) throws -> AuthenticationPlan {
        guard scope.count <= 2 else {
            throw UsageError("expected KEY_ID:SECRET[:REGION[:SERVICE]]", argument: "--auth")
        }
        return .aws(try credentials(id, secret, sources), try endpoint(scope, destination, sources))
    }

    private static func credentials(_ id: String, _ secret: String, _ sources: SecretSources) throws -> AWSCredentials {
        if !id.isEmpty, !secret.isEmpty {
            guard HTTPHeader.authorization(id).isValid else {
                throw UsageError("the access key id contains a control character", argument: "--auth")
            }
            return AWSCredentials(accessKeyID: id, secretAccessKey: secret)
        }
        guard id.isEmpty, secret.isEmpty else { throw needsKey }
        guard let id = sources.setVariable("AWS_ACCESS_KEY_ID") else {
            // It precedes the files, whose keys may be another identity's.
            let webIdentity = "AWS_WEB_IDENTITY_TOKEN_FILE"
            guard sources.setVariable(webIdentity) == nil else { throw selectsOtherKeys(webIdentity) }
            return try credentials(AWSProfile(sources), sources)
        }
        guard let secret = sources.setVariable("AWS_SECRET_ACCESS_KEY") else { throw needsKey }
        // In the order of Amazon's tools, which read the old name first.
        let tokenName = ["AWS_SECURITY_TOKEN", "AWS_SESSION_TOKEN"].first { sources.setVariable($0) != nil }
        let token = tokenName.flatMap(sources.setVariable)
        try check(id, "the variable AWS_ACCESS_KEY_ID")
        try check(token ?? "", "the variable \(tokenName ?? "")")
        return AWSCredentials(accessKeyID: id, secretAccessKey: secret, sessionToken: token)
    }

    /// Returns the error of a variable that selects keys which only Amazon's tools obtain.
    private static func selectsOtherKeys(_ variable: String) -> UsageError {
        UsageError(
            "the variable \(known: variable) selects keys that only Amazon's tools obtain", argument: "--auth-type",
            hint: exportHint)
    }

    private static func credentials(_ profile: AWSProfile, _ sources: SecretSources) throws -> AWSCredentials {
        let keys: AWSProfile.Keys
        switch profile.source {
        case .keys(let found): keys = found
        case .process(let command): keys = try Self.keys(writtenBy: command, sources)
        case .incomplete:
            throw UsageError(
                "the profile '\(known: profile.name)' has no pair of aws_access_key_id and aws_secret_access_key",
                argument: "--auth-type", hint: "complete the pair, or remove it")
        case .none:
            throw missingKeys(profile, sources)
        case .other(let setting):
            throw UsageError(
                "\(known: setting) selects the keys of the profile '\(known: profile.name)', which only Amazon's tools obtain",
                argument: "--auth-type", hint: exportHint)
        }
        for text in [keys.id, keys.token ?? ""] { try check(text, "the profile '\(profile.name)'") }
        return AWSCredentials(accessKeyID: keys.id, secretAccessKey: keys.secret, sessionToken: keys.token)
    }

    /// Returns the error of a profile without keys. A container's are the last source of Amazon's tools.
    private static func missingKeys(_ profile: AWSProfile, _ sources: SecretSources) -> UsageError {
        let container = ["RELATIVE", "FULL"].map { "AWS_CONTAINER_CREDENTIALS_\($0)_URI" }
            .first { sources.setVariable($0) != nil }
        if let container { return selectsOtherKeys(container) }
        guard profile.name != "default" else { return needsKey }
        return UsageError(
            "the profile '\(known: profile.name)' has no keys", argument: "--auth-type", hint: exportHint)
    }

    /// Runs a program and reads its output: that of `credential_process`, the first version of a JSON format.
    private static func keys(writtenBy command: String, _ sources: SecretSources) throws -> AWSProfile.Keys {
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
        return (accessKeyID, secretAccessKey, found["SessionToken"]?.string)
    }

    private static let exportHint =
        "'aws configure export-credentials --format env' gets the keys, as variables"

    private static let needsKey = UsageError(
        "aws-sigv4 requires an access key",
        argument: "--auth-type",
        hint: "--auth KEY_ID:SECRET, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile in ~/.aws/credentials"
    )

    private static func check(_ text: String, _ source: String) throws(UsageError) {
        guard HTTPHeader.authorization(text).isValid else {
            throw UsageError("\(known: source) contains a control character", argument: "--auth-type")
        }
    }

    private static func endpoint(
        _ scope: [String],
        _ destination: CredentialDestination,
        _ sources: SecretSources
    ) throws -> AWSEndpoint {
        let named = destination.names.last.flatMap(AWSEndpoint.init(host:))
        func typed(_ index: Int) -> String? { scope.count > index && !scope[index].isEmpty ? scope[index] : nil }
        let region =
            try typed(0) ?? named?.region ?? sources.setVariable("AWS_REGION")
            ?? sources.setVariable("AWS_DEFAULT_REGION") ?? AWSProfile(sources).region
        let service = typed(1) ?? named?.service
        guard let region, let service else {
            throw UsageError(
                """
                could not derive the AWS \(known: region == nil ? "region" : "service") from the host \
                '\(known: destination.host)'
                """,
                argument: "--auth-type",
                hint: "use --auth KEY_ID:SECRET:REGION:SERVICE, or ::REGION:SERVICE with the keys of the environment"
            )
        }
        guard !(region + service).contains(where: { "/, ".contains($0) || $0.asciiValue.map { $0 < 0x20 } ?? true })
        else { throw UsageError("invalid region or service '\(region):\(service)'", argument: "--auth") }
        return AWSEndpoint(region: region, service: service)
    }
}
