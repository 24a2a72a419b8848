internal import AFCore
internal import AFHTTP

/// Reads what signs requests for Amazon's services: `KEY_ID:SECRET[:REGION[:SERVICE]]`, and the variables that Amazon's
/// own tools read.
enum AmazonLogin {
    static func plan(
        _ typed: Invocation.Authentication,
        _ destination: LoginDestination,
        _ sources: SecretSources
    ) throws -> AuthenticationPlan {
        guard let source = typed.credential else {
            guard let credential = destination.credential else { return try plan("", "", [], destination, sources) }
            return try plan(credential.user, credential.password, [], destination, sources)
        }
        return try naming("--auth") {
            let names = (user: "access key id", password: "secret access key")
            let credential = try sources.credential(source, at: destination.host, names: names)
            // No secret of Amazon's holds a colon.
            let pieces = credential.password.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            return try plan(credential.user, pieces[0], Array(pieces.dropFirst()), destination, sources)
        }
    }

    private static func plan(
        _ id: String,
        _ secret: String,
        _ place: [String],
        _ destination: LoginDestination,
        _ sources: SecretSources
    ) throws(UsageError) -> AuthenticationPlan {
        guard place.count <= 2 else {
            throw UsageError("expected KEY_ID:SECRET[:REGION[:SERVICE]]", argument: "--auth")
        }
        return .amazon(try credentials(id, secret, sources), try endpoint(place, destination, sources))
    }

    private static func credentials(
        _ id: String,
        _ secret: String,
        _ sources: SecretSources
    ) throws(UsageError) -> AWSCredentials {
        if !id.isEmpty, !secret.isEmpty {
            let credentials = AWSCredentials(accessKeyID: id, secretAccessKey: secret)
            guard HTTPHeader.authorization(id).isValid else {
                throw UsageError("the access key id holds a control character", argument: "--auth")
            }
            return credentials
        }
        guard id.isEmpty, secret.isEmpty, let id = variable("AWS_ACCESS_KEY_ID", sources),
            let secret = variable("AWS_SECRET_ACCESS_KEY", sources)
        else {
            throw UsageError(
                "aws-sigv4 needs an access key",
                argument: "--auth-type",
                hint: "--auth KEY_ID:SECRET, or the variables AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
            )
        }
        let token = variable("AWS_SESSION_TOKEN", sources)
        for (name, text) in [("AWS_ACCESS_KEY_ID", id), ("AWS_SESSION_TOKEN", token ?? "")] {
            guard HTTPHeader.authorization(text).isValid else {
                throw UsageError("the variable \(name) holds a control character", argument: "--auth-type")
            }
        }
        return AWSCredentials(accessKeyID: id, secretAccessKey: secret, sessionToken: token)
    }

    private static func endpoint(
        _ place: [String],
        _ destination: LoginDestination,
        _ sources: SecretSources
    ) throws(UsageError) -> AWSEndpoint {
        let named = destination.names.last.flatMap(AWSEndpoint.init(host:))
        func typed(_ piece: Int) -> String? { place.count > piece && !place[piece].isEmpty ? place[piece] : nil }
        let region =
            typed(0) ?? named?.region ?? variable("AWS_REGION", sources) ?? variable("AWS_DEFAULT_REGION", sources)
        let service = typed(1) ?? named?.service
        guard let region, let service else {
            throw UsageError(
                "the host '\(destination.host)' does not tell the \(region == nil ? "region" : "service") to sign for",
                argument: "--auth-type",
                hint: "--auth KEY_ID:SECRET:REGION:SERVICE names both; --auth ::REGION:SERVICE leaves the keys out"
            )
        }
        guard !(region + service).contains(where: { "/, ".contains($0) || $0.asciiValue.map { $0 < 0x20 } ?? true })
        else { throw UsageError("neither region nor service can be '\(region):\(service)'", argument: "--auth") }
        return AWSEndpoint(region: region, service: service)
    }

    private static func variable(_ name: String, _ sources: SecretSources) -> String? {
        sources.credentials.variable(name).flatMap { $0.isEmpty ? nil : $0 }
    }
}
