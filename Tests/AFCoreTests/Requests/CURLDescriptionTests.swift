import AFCore
import Dispatch
import FoundationEssentials
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct CURLDescriptionTests {
    private func session(_ headers: HTTPHeaders = []) -> Session {
        Session(
            configuration: SessionConfiguration(headers: headers),
            transport: ScriptedTransport { $0.respond(200, body: "x") }
        )
    }

    private func described(_ request: DataRequest, revealingSecrets: Bool = false) async -> [String] {
        _ = await request.serializingData().response
        return request.cURLDescription(revealingSecrets: revealingSecrets).components
    }

    @Test func `a command has method, the session's header fields, the request's, body and URL`() async {
        let session = session(["A": "session", "B": "session", "Empty": "", "Blank": " "])
        let request = session.request(
            "http://a.test/path?q=1",
            method: .post,
            parameters: ["k": "v"],
            encoding: URLEncoding.default,
            headers: ["b": "own"]
        )
        #expect(
            await described(request) == [
                "$ curl -v", "-X POST", "-H \"A: session\"", "-H \"Empty;\"", "-H \"Blank;\"", "-H \"b: own\"",
                "-H \"Content-Type: application/x-www-form-urlencoded; charset=utf-8\"", "-d \"k=v\"",
                "\"http://a.test/path?q=1\"",
            ])
    }

    @Test func `secrets are masked by default`() async {
        let session = session(["X-API-Key": "key"])
        let request = session.request(
            "http://url-user:url-secret@a.test/@x",
            headers: ["Authorization": "Bearer token", "Cookie": "a=b"]
        )
        .authenticate(username: "user", password: "secret")
        let shown = await described(request)
        #expect(
            shown == [
                "$ curl -v", "-X GET", "-u \"user:•••\"", "-b \"•••\"", "-H \"X-API-Key: •••\"",
                "-H \"Authorization: •••\"", "\"http://a.test/@x\"",
            ])
        #expect(request.cURLDescription().components == shown)
        #expect(
            await described(request, revealingSecrets: true) == [
                "$ curl -v", "-X GET", "-u \"user:secret\"", "-b \"a=b\"", "-H \"X-API-Key: key\"",
                "-H \"Authorization: Bearer token\"", "\"http://a.test/@x\"",
            ])
    }

    @Test(arguments: [true, false])
    func `secrets in queries and forms are masked by default`(isForm: Bool) async {
        let session = session()
        let request = session.request(
            "http://a.test/?page=2&access_token=abc",
            method: .post,
            headers: isForm ? ["Content-Type": "Application/X-WWW-Form-URLencoded; charset=utf-8"] : []
        ) { $0.httpBody = Data("user=ada&login%5Bpassword%5D=sesame".utf8) }
        #expect(
            await described(request).suffix(2) == [
                "-d \"user=ada&login%5Bpassword%5D=•••\"", "\"http://a.test/?page=2&access_token=•••\"",
            ])
        #expect(
            request.cURLDescription(revealingSecrets: true).components.suffix(2) == [
                "-d \"user=ada&login%5Bpassword%5D=sesame\"", "\"http://a.test/?page=2&access_token=abc\"",
            ])
    }

    @Test func `bodies of other types are shown unchanged`() async {
        let session = session()
        let request = session.request("http://a.test/", method: .post, headers: ["Content-Type": "text/plain"]) {
            $0.httpBody = Data("password=x".utf8)
        }
        #expect(await described(request).contains("-d \"password=x\""))
    }

    @Test func `user info of the URL becomes curl's option -u`() async {
        let session = session()
        let request = session.request("http://user:p%40ss@a.test/")
        #expect(await described(request, revealingSecrets: true).contains("-u \"user:p@ss\""))
        #expect(await described(request).last == "\"http://a.test/\"")
    }

    @Test(arguments: [
        #"{"a":"$(touch x)`y`\\"}"#, "it's \"quoted\"!", "two\nlines", "@file", "!history", "$HOME",
    ])
    func `a shell passes the exact strings to curl`(body: String) async throws {
        let session = session()
        let request = session.request("http://a.test/?q=$(x)", method: .post) { $0.httpBody = Data(body.utf8) }
        let words = await described(request)
        let option = try #require(words.first { $0.hasPrefix("-d") || $0.hasPrefix("--data-raw") })
        let word = option[option.index(after: option.firstIndex(of: " ")!)...]
        let shell = try await Program("/bin/sh", ["-c", "printf %s \(word)"]).run()
        #expect(shell.text == body)
    }

    @Test func `a binary body is read from standard input, and HEAD becomes curl's option --head`() async {
        let session = session()
        let request = session.request("http://a.test/", method: .put) { $0.httpBody = Data([0xFF, 0]) }
        #expect(await described(request).contains("--data-binary @-"))
        #expect(await described(session.request("http://a.test/", method: .head))[1] == "--head")
    }

    @Test func `the last handler is called once the request exists or could not be created`() async throws {
        let session = session()
        let commands = Journal()
        let queue = DispatchQueue(label: "commands")
        let request = session.request("http://a.test/")
        request.cURLDescription(on: queue) { _ in commands.note("never") }
        request.cURLDescription(on: queue) { commands.note($0.components.last ?? "") }
        #expect(request.cURLDescription() == "$ curl command could not be created")
        _ = await request.serializingData().response
        try await commands.waitFor(1)
        request.cURLDescription { commands.note("late \($0.components.last ?? "")") }
        try await commands.waitFor(2)
        let broken = session.request("")
        broken.cURLDescription(on: queue) { commands.note($0) }
        _ = await broken.serializingData().response
        try await commands.waitFor(3)
        #expect(
            commands.all == [
                "\"http://a.test/\"", "late \"http://a.test/\"", "$ curl command could not be created",
            ])
    }

    @Test(arguments: ["", "invalid_url"])
    func `the handler of a request with an invalid URL is called once`(url: String) async throws {
        let commands = Journal()
        let session = session()
        let request = session.request(url)
        request.cURLDescription(on: DispatchQueue(label: "commands")) { commands.note($0) }
        _ = await request.serializingData().response
        try await commands.waitFor(1)
        #expect(commands.all == ["$ curl command could not be created"])
        request.cURLDescription(on: DispatchQueue(label: "late")) { commands.note("late \($0)") }
        try await commands.waitFor(2)
        #expect(commands.all.last == "late $ curl command could not be created")
    }

    @Test func `the commands of a request with an invalid URL are one, and end`() async {
        let session = session()
        let request = session.request("invalid_url")
        let commands = request.cURLDescriptions()
        _ = await request.serializingData().response
        var all: [String] = []
        for await command in commands { all.append(command) }
        #expect(all == ["$ curl command could not be created"])
    }

    @Test func `the handler of an upload whose body cannot be created is called`() async throws {
        struct Broken: UploadConvertible {
            func asURLRequest() throws -> URLRequest { try URLRequest(url: "http://a.test/", method: .post) }
            func createUploadable() throws -> UploadRequest.Uploadable { throw AFError.explicitlyCancelled }
        }
        let commands = Journal()
        let session = session()
        let request = session.upload(Broken())
        request.cURLDescription(on: DispatchQueue(label: "commands")) { commands.note($0.components.last ?? "") }
        _ = await request.serializingData().response
        try await commands.waitFor(1)
        #expect(commands.all == ["\"http://a.test/\""])
    }

    @Test func `a request's description has its method, URL and status`() async throws {
        let transport = ScriptedTransport()
        let session = Session(transport: transport)
        let request = session.request("http://u:p@a.test/x", method: .delete)
        #expect("\(request)" == "No request created yet.")
        let task = request.serializingData()
        let exchange = try await transport.exchange()
        #expect(request.description == "DELETE http://a.test/x")
        exchange.respond(404, body: "x")
        _ = await task.response
        #expect(request.description == "DELETE http://a.test/x (404)")
    }
}

extension String {
    /// Returns the arguments of a command, which are on separate lines.
    fileprivate var components: [String] {
        var words: [String] = []
        var rest = self[...]
        while let end = rest.firstRange(of: " \\\n\t") {
            words.append(String(rest[..<end.lowerBound]))
            rest = rest[end.upperBound...]
        }
        return words + [String(rest)]
    }
}
