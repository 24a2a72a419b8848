import AFCore
import AFSigning
import TestSupport
import Testing

@testable import AFCommand

/// Signed requests as a server sees them that makes the signature itself and compares.
@Suite(.timeLimit(.minutes(5))) struct AWSSignatureTests {
    private let signer = AWSSigner(
        AWSCredentials(accessKeyID: "ID", secretAccessKey: "s/e+c"),
        for: AWSEndpoint(region: "eu-west-1", service: "execute-api")
    )
    private let login = ["-A", "aws-sigv4", "-a", "ID:s/e+c:eu-west-1:execute-api"]

    private func server() throws -> LocalServer {
        let signer = signer
        return try LocalServer { try signer.accepts($0) ? .ok("signed") : .status(403, "no") }
    }

    @Test(arguments: [
        ["URL"], ["URL", "b==2", "a==1 2", "a==1", "ü==+&"], ["URL", "n=v", "m:=1"], ["-f", "URL", "n=v"],
        ["URL", "-F", "n=v", "-F", "f=@FILE"], ["put", "URL", "@FILE"], ["-T", "FILE", "URL"],
        ["--raw", "text", "URL", "X-Amz-Target: a  b", "Content-Type:text/x"], ["delete", "URL", "Accept:", "X-A:1"],
        ["-o", "OUT", "post", "URL", "n=v"],
        ["-xx", "URL", "n=v"], ["-xx", "URL", "@FILE"], ["URL", "Host:other.example"], ["head", "URL"],
    ])
    func `every kind of request is signed`(words: [String]) async throws {
        let folder = try ScratchFolder()
        let file = try folder.write("file's content", to: "a.txt")
        let server = try server()
        let words = words.map {
            $0.replacing("URL", with: server.url("/a%20b/./c!?z&y=x+y")).replacing("FILE", with: file)
                .replacing("OUT", with: folder.file("out"))
        }
        let run = await runTool(login + words)
        #expect(run.status == 0, "\(run.errors) \(server.requests.map(\.headText))")
        #expect(server.requests.count == 1)
        #expect(server.requests.first?["X-Amz-Content-SHA256"]?.count == 64)
        #expect(!run.errors.contains("s/e+c"))
    }

    @Test func `a session token of the environment is sent`() async throws {
        let server = try server()
        let variables = ["AWS_ACCESS_KEY_ID": "ID", "AWS_SECRET_ACCESS_KEY": "s/e+c", "AWS_SESSION_TOKEN": "tok"]
        let run = await runTool(
            "-A", "aws-sigv4", "-a", "::eu-west-1:execute-api", server.url(),
            in: ToolWorld().with(variables: variables))
        #expect(run.output == "signed")
        #expect(server.requests.first?["X-Amz-Security-Token"] == "tok")
    }

    @Test func `a redirect and a retry are signed separately`() async throws {
        let signer = signer
        let server = try LocalServer { request in
            guard try signer.accepts(request) else { return .status(403) }
            return request.path == "/" ? .redirect(to: "/there?b=1&a=2", status: 307) : .ok("signed \(request.text)")
        }
        #expect(await runTool(login + ["-L", server.url(), "n=v"]).output == #"signed {"n": "v"}"#)
        let flaky = try LocalServer { request in
            guard try signer.accepts(request) else { return .status(403) }
            return request.connection == 1 ? .status(503).closing() : .ok("signed")
        }
        let run = await runTool(login + ["--retry", "1", "--retry-delay", "1ms", flaky.url()])
        #expect(run.output == "signed", "\(run.errors)")
    }

    @Test func `a body that can be read only once is an error with a hint`() async throws {
        let server = try server()
        let world = ToolWorld(standardInput: .fixed(.stream, delivery: .bytes))
        let run = await runTool(login + ["post", server.url()], in: world)
        #expect(run.status == 64)
        #expect(
            run.messages == [
                "afcli: standard input has no data yet and is sent as JSON; Content-Type:TYPE names another type",
                "afcli: error: the signature covers the body, which can be read only once",
                "  put the body into a file: --raw @FILE; S3 takes it unsigned over https",
            ])
        #expect(server.requests.isEmpty)
    }

    @Test func `a dry run shows the signature`() async {
        let run = await runTool(login + ["--offline", "--show-secrets", "http://h/?a=b+c"])
        #expect(run.output.hasPrefix("GET /?a=b%20c HTTP/1.1\r\nHost: h\r\n"), "\(run.output)")
        #expect(run.output.contains("\r\nAuthorization: AWS4-HMAC-SHA256 Credential=ID/"))
        #expect(run.output.contains("\r\nX-Amz-Date: "))
    }
}
