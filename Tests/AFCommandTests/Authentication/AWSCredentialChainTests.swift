import AFCore
import AFSigning
import Testing

@testable import AFCommand

/// The credentials and the endpoint for signing requests to AWS.
@Suite struct AWSCredentialChainTests {
    private let variables = [
        "AWS_ACCESS_KEY_ID": "ENVID", "AWS_SECRET_ACCESS_KEY": "envsecret", "AWS_SESSION_TOKEN": "envtoken",
        "AWS_DEFAULT_REGION": "eu-north-1",
    ]

    private func plan(_ words: String..., variables: [String: String] = [:]) throws -> AuthenticationPlan? {
        let invocation = try Invocation(parsing: ["-A", "aws-sigv4"] + words)
        return try PlannedRequest(invocation, credentials: .fixed(variables: variables)).login
    }

    private func login(
        _ region: String, _ service: String, _ id: String = "ID", _ secret: String = "s/e+c", token: String? = nil
    ) -> AuthenticationPlan {
        .aws(
            AWSCredentials(accessKeyID: id, secretAccessKey: secret, sessionToken: token),
            AWSEndpoint(region: region, service: service)
        )
    }

    @Test func `the host determines region and service, and typed values have priority`() throws {
        let host = "https://sqs.eu-west-1.amazonaws.com/"
        #expect(try plan("-a", "ID:s/e+c", host) == login("eu-west-1", "sqs"))
        #expect(try plan("-a", "ID:s/e+c:us-west-2", host) == login("us-west-2", "sqs"))
        #expect(try plan("-a", "ID:s/e+c:us-west-2:x", host) == login("us-west-2", "x"))
        #expect(try plan("-a", "ID:s/e+c::x", host) == login("eu-west-1", "x"))
        #expect(try plan("-a", "ID:s/e+c:us-west-2:execute-api", "api.example") == login("us-west-2", "execute-api"))
        #expect(try plan("https://ID:s%2Fe+c@sqs.eu-west-1.amazonaws.com/") == login("eu-west-1", "sqs"))
    }

    @Test func `keys are read from the variables of Amazon's tools`() throws {
        let expected = login("eu-west-1", "sqs", "ENVID", "envsecret", token: "envtoken")
        #expect(try plan("https://sqs.eu-west-1.amazonaws.com/", variables: variables) == expected)
        #expect(try plan("-a", ":", "https://sqs.eu-west-1.amazonaws.com/", variables: variables) == expected)
        let other = login("eu-north-1", "x", "ENVID", "envsecret", token: "envtoken")
        #expect(try plan("-a", ":::x", "api.example", variables: variables) == other)
        let region = variables.merging(["AWS_REGION": "sa-east-1"]) { $1 }
        #expect(try plan("-a", "ID:s/e+c::x", "api.example", variables: region) == login("sa-east-1", "x"))
    }

    @Test(arguments: [
        (
            ["-a", "ID:s", "https://example.org/"],
            "--auth-type: could not derive the AWS region from the host 'example.org'"
        ),
        (["-a", "ID:s:eu-west-1", "https://example.org/"], "could not derive the AWS service from the host"),
        (["https://sqs.eu-west-1.amazonaws.com/"], "--auth-type: aws-sigv4 requires an access key"),
        (["-a", "ID:", "https://sqs.eu-west-1.amazonaws.com/"], "requires an access key"),
        (["-a", "ID:s:a:b:c", "https://h/"], "--auth: expected KEY_ID:SECRET[:REGION[:SERVICE]]"),
        (["-a", "ID:s:a/b:c", "https://h/"], "--auth: invalid region or service 'a/b:c'"),
    ])
    func `missing or invalid keys are errors`(words: [String], message: String) throws {
        let invocation = try Invocation(parsing: ["-A", "aws-sigv4"] + words)
        let error = #expect(throws: UsageError.self) { try PlannedRequest(invocation) }
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
        #expect(error?.message.contains("ID:s") == false)
    }

    @Test(arguments: ["AWS_ACCESS_KEY_ID", "AWS_SESSION_TOKEN"])
    func `a variable with invalid characters for a header is an error with its name`(name: String) throws {
        let broken = variables.merging([name: "secret\r\nX: y"]) { $1 }
        let error = #expect(throws: UsageError.self) {
            try plan("https://sqs.eu-west-1.amazonaws.com/", variables: broken)
        }
        #expect(error?.message.contains("the variable \(name) contains a control character") == true)
        #expect(error?.message.contains("secret") == false)
    }

    @Test func `a missing secret is prompted for`() throws {
        let credentials = CredentialAccess.fixed { question, isSecret in
            guard question == "secret access key for ID@sqs.eu-west-1.amazonaws.com: ", isSecret else {
                throw UsageError("asked '\(question)'")
            }
            return "s/e+c"
        }
        let plan = try PlannedRequest(
            "-A", "aws-sigv4", "-a", "ID", "https://sqs.eu-west-1.amazonaws.com/", credentials: credentials)
        #expect(plan.login == login("eu-west-1", "sqs"))
    }
}
