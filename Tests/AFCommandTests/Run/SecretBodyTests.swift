import TestSupport
import Testing

@testable import AFCommand

/// What `--curl` and records tell of bodies that hold secrets.
@Suite(.timeLimit(.minutes(1))) struct SecretBodyTests {
    @Test(arguments: [
        [":/", "user_password=hunter2"],
        ["-f", ":/", "otp=hunter2"], ["get", ":/", "private_key==hunter2"],
        [":/", "--raw", #"{"password":"hunter2"} {"password":"hunter2"}"#],
        [":/", "--raw", #"{"password":"hunter2",}"#],
        [":/", "-F", #"meta={"api_token":"hunter2"};type=application/json"#],
    ])
    func `no secret of a body is in the command for curl`(words: [String]) async {
        let hidden = await runTool(["--curl"] + words)
        #expect(hidden.status == 0, "\(hidden.errors)")
        #expect(!hidden.output.contains("hunter2"), "\(hidden.output)")
        #expect(hidden.output.contains("•••"))
        #expect(await runTool(["--curl", "--show-secrets"] + words).output.contains("hunter2"))
    }
}
