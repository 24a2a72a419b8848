import AFCore
import AFSigning
import Testing

@testable import AFCommand

/// Profiles of Amazon's tools, by the rules that Amazon documents.
@Suite struct AWSProfileTests {
    private let credentials = """
        # kept by aws configure
        [default]
        aws_access_key_id = DEFAULTID
        aws_secret_access_key=default+secret ; of last year

        [work]
        AWS_ACCESS_KEY_ID=WORKID
        aws_secret_access_key = work/secret=
        aws_session_token = worktoken
        [half]
        aws_access_key_id = HALFID
        [half pair]
        aws_access_key_id = HALFID
        [web]
        aws_access_key_id = WEBID
        aws_secret_access_key = websecret
        [old]
        aws_access_key_id = OLDID
        aws_secret_access_key = oldsecret
        aws_security_token = oldtoken
        """
    private let configuration = """
        [default]
        region = eu-west-1
        s3 =
          region = nested
        [profile  work]
        region = ap-south-1 # near
        aws_access_key_id = OTHERID
        aws_secret_access_key = othersecret
        [profile half]
        aws_secret_access_key = halfsecret
        [profile half pair]
        aws_access_key_id = OTHERID
        aws_secret_access_key = othersecret
        [profile web]
        web_identity_token_file = /token
        [profile no keys]
        aws_secret_access_key = alone
        [profile role]
        role_arn = arn:aws:iam::1:role/x
        [profile "with keys"]
        aws_access_key_id = CONFIGID
        aws_secret_access_key = configsecret
        region = sa-east-1
        """

    private func plan(
        _ words: String...,
        variables: [String: String] = [:],
        files: [String: String]? = nil
    ) throws -> AuthenticationPlan? {
        let invocation = try Invocation(parsing: ["-A", "aws-sigv4"] + words)
        let standard = ["/home/ada/.aws/credentials": credentials, "/home/ada/.aws/config": configuration]
        return try PlannedRequest(invocation, files: files ?? standard, credentials: .fixed(variables: variables))
            .login
    }

    private func login(_ id: String, _ secret: String, _ region: String, token: String? = nil) -> AuthenticationPlan {
        .aws(
            AWSCredentials(accessKeyID: id, secretAccessKey: secret, sessionToken: token),
            AWSEndpoint(region: region, service: "x")
        )
    }

    @Test func `the default profile is used if there are no other keys`() throws {
        let expected = login("DEFAULTID", "default+secret", "eu-west-1")
        #expect(try plan("-a", ":::x", "api.example") == expected)
        #expect(try plan("-a", ":::x", "api.example", variables: ["AWS_PROFILE": ""]) == expected)
        let other = login("DEFAULTID", "default+secret", "us-west-2")
        #expect(try plan("-a", "::us-west-2:x", "api.example") == other)
        #expect(try plan("-a", ":::x", "api.example", variables: ["AWS_REGION": "us-west-2"]) == other)
    }

    @Test func `AWS_PROFILE names another one`() throws {
        let work = login("WORKID", "work/secret=", "ap-south-1", token: "worktoken")
        #expect(try plan("-a", ":::x", "api.example", variables: ["AWS_PROFILE": "work"]) == work)
        let configured = login("CONFIGID", "configsecret", "sa-east-1")
        #expect(try plan("-a", ":::x", "api.example", variables: ["AWS_PROFILE": "with keys"]) == configured)
    }

    @Test func `variables and typed keys have priority over a profile, as pairs`() throws {
        let variables = [
            "AWS_ACCESS_KEY_ID": "ENVID", "AWS_SECRET_ACCESS_KEY": "envsecret", "AWS_PROFILE": "work",
        ]
        #expect(try plan("-a", ":::x", "a.example", variables: variables) == login("ENVID", "envsecret", "ap-south-1"))
        #expect(try plan("-a", "ID:s::x", "a.example", variables: variables) == login("ID", "s", "ap-south-1"))
        let half = ["AWS_ACCESS_KEY_ID": "ENVID"]
        let error = #expect(throws: UsageError.self) { try plan("-a", ":::x", "a.example", variables: half) }
        #expect(error?.message.contains("requires an access key") == true)
    }

    @Test func `the old name of a session token is read, too`() throws {
        let old = login("OLDID", "oldsecret", "r", token: "oldtoken")
        #expect(try plan("-a", "::r:x", "api.example", variables: ["AWS_PROFILE": "old"]) == old)
        let variables = [
            "AWS_ACCESS_KEY_ID": "ENVID", "AWS_SECRET_ACCESS_KEY": "envsecret", "AWS_SECURITY_TOKEN": "envtoken",
        ]
        let expected = login("ENVID", "envsecret", "r", token: "envtoken")
        #expect(try plan("-a", "::r:x", "api.example", variables: variables) == expected)
    }

    @Test(arguments: [
        (["AWS_WEB_IDENTITY_TOKEN_FILE": "/token", "AWS_ROLE_ARN": "arn:x"], "AWS_WEB_IDENTITY_TOKEN_FILE", false),
        (["AWS_WEB_IDENTITY_TOKEN_FILE": "/token"], "AWS_WEB_IDENTITY_TOKEN_FILE", true),
        (["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "/x"], "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", true),
        (["AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://h"], "AWS_CONTAINER_CREDENTIALS_FULL_URI", true),
    ])
    func `an identity that precedes the files is an error, and not replaced by another`(
        variables: [String: String], name: String, isWithoutFiles: Bool
    ) throws {
        let error = #expect(throws: UsageError.self) {
            try plan("-a", "::r:x", "a.example", variables: variables, files: isWithoutFiles ? [:] : nil)
        }
        #expect(
            error?.message == "--auth-type: the variable \(name) selects keys that only Amazon's tools obtain",
            "\(error?.message ?? "")")
        #expect(error?.hint?.contains("aws configure export-credentials") == true)
        let keys = variables.merging(["AWS_ACCESS_KEY_ID": "ENVID", "AWS_SECRET_ACCESS_KEY": "s"]) { $1 }
        #expect(try plan("-a", "::r:x", "a.example", variables: keys) == login("ENVID", "s", "r"))
    }

    @Test func `keys of a profile precede those of a container`() throws {
        let variables = ["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "/x"]
        let expected = login("DEFAULTID", "default+secret", "eu-west-1")
        #expect(try plan("-a", ":::x", "api.example", variables: variables) == expected)
    }

    @Test(arguments: [
        "/bin/keys --name 'a  b' 'c #d' \"e ;f\"", "/bin/keys --name 'a  b' 'c #d' \"e ;f\"  # of 'work'",
    ])
    func `the command of credential_process is read as written`(value: String) throws {
        let access = CredentialAccess(
            variable: { _ in nil }, descriptor: { _ in [] },
            command: { command, _ in
                #expect(command == "/bin/keys --name 'a  b' 'c #d' \"e ;f\"")
                return Array(#"{"Version": 1, "AccessKeyId": "ID", "SecretAccessKey": "s"}"#.utf8)
            }, ask: { _, _ in "" })
        let invocation = try Invocation(parsing: ["-A", "aws-sigv4", "-a", "::r:x", "api.example"])
        let files = ["/home/ada/.aws/config": "[default]\ncredential_process = \(value)\n"]
        #expect(try PlannedRequest(invocation, files: files, credentials: access).login == login("ID", "s", "r"))
    }

    @Test func `the files may be elsewhere or missing`() throws {
        let variables = ["AWS_SHARED_CREDENTIALS_FILE": "~/c", "AWS_CONFIG_FILE": "/etc/aws"]
        let files = ["/home/ada/c": credentials, "/etc/aws": configuration]
        let expected = login("DEFAULTID", "default+secret", "eu-west-1")
        #expect(try plan("-a", ":::x", "a.example", variables: variables, files: files) == expected)
        let error = #expect(throws: UsageError.self) { try plan("-a", "::r:x", "a.example", files: [:]) }
        #expect(error?.message.contains("requires an access key") == true)
    }

    @Test(arguments: [
        ("role", "--auth-type: role_arn selects the keys of the profile 'role', which only Amazon's tools obtain"),
        ("half", "--auth-type: the profile 'half' has no pair of aws_access_key_id and aws_secret_access_key"),
        (
            "half pair",
            "--auth-type: the profile 'half pair' has no pair of aws_access_key_id and aws_secret_access_key"
        ),
        (
            "web",
            """
            --auth-type: web_identity_token_file selects the keys of the profile 'web', which only Amazon's tools obtain
            """
        ),
        ("no keys", "--auth-type: the profile 'no keys' has no keys"),
        ("none", "--auth-type: AWS_PROFILE is an unknown profile: 'none'"),
    ])
    func `a profile without usable keys is an error with its name`(name: String, message: String) throws {
        let error = #expect(throws: UsageError.self) {
            try plan("-a", "::r:x", "a.example", variables: ["AWS_PROFILE": name])
        }
        #expect(error?.message == message)
        #expect(error?.hint != nil)
    }

    @Test func `an unreadable file is an error without its contents`() throws {
        let broken = credentials.replacing("WORKID", with: "WORK\u{1}ID")
        let files = ["/home/ada/.aws/credentials": broken]
        let error = #expect(throws: UsageError.self) {
            try plan("-a", "::r:x", "a.example", variables: ["AWS_PROFILE": "work"], files: files)
        }
        #expect(error?.message == "--auth-type: the profile 'work' contains a control character")
    }
}
