import TestSupport
import Testing

@Suite("Safety 34: pasted text", .timeLimit(.minutes(5)))
struct SafetyRow34PastedTextTests {
    let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
        try folder.write("#!/bin/sh\ntouch '\(folder.path)/executed'\necho secret\n", to: "program", permissions: 0o755)
        try folder.write("stolen\n", to: "private")
    }

    /// Texts that select a source of secrets in afcli's own options.
    private var sources: [String] {
        ["exec:\(folder.file("program"))", "@private", "env:HIDDEN", "fd:0", "-", "text:a"]
    }

    /// curl's options with a secret; `SECRET` is the text.
    static let commands: [[String]] = [
        ["--aws-sigv4", "aws:amz:eu-west-1:s3", "-u", "SECRET"], ["--aws-sigv4", "aws:amz:eu-west-1:s3", "-u", ":"],
        ["--aws-sigv4", "aws:amz:eu-west-1:s3"], ["--aws-sigv4", "aws:amz", "-u", "SECRET:key"],
        ["--aws-sigv4", "aws:amz:eu-west-1:s3", "-u", "id:SECRET"], ["-u", "SECRET"], ["-u", "SECRET:p"],
        ["--digest", "-u", "SECRET"], ["--ntlm", "-u", "SECRET:p"], ["--oauth2-bearer", "SECRET"],
        ["-E", "pem", "--pass", "SECRET"], ["-E", "pem:SECRET"], ["--pass", "SECRET"],
        ["-x", "http://127.0.0.1:1", "-U", "SECRET"], ["-H", "Authorization: SECRET"], ["-H", "SECRET"],
        ["-b", "a=SECRET"], ["-A", "SECRET"], ["-e", "SECRET"], ["--data-raw", "SECRET"],
        ["--form-string", "a=SECRET"],
    ]

    @Test(arguments: commands)
    func `secrets of a curl command are literal text`(words: [String]) async throws {
        for source in sources {
            let words = words.map { $0.replacing("SECRET", with: source) }
            let url = "http://x.s3.eu-west-1.amazonaws.com/"
            try await check(["curl", "--offline"] + words + [url])
            try await check(["curl", "-m", "5"] + words + ["http://127.0.0.1:1/"])
            let quoted = (words + [url]).map { "'\($0)'" }.joined(separator: " ")
            try await check(["curl", "-", "--offline"], input: "curl \(quoted)")
        }
    }

    @Test func `secrets of curl's configuration file are literal text`() async throws {
        for option in ["pass", "user", "oauth2-bearer"] {
            for source in sources {
                try folder.write("\(option) = \"\(source)\"\naws-sigv4 = \"aws:amz:a:b\"\n", to: ".curlrc")
                try await check(["curl", "--offline", "http://127.0.0.1:1/"], variables: ["HOME": folder.path])
            }
        }
    }

    @Test(arguments: ["exec:PROGRAM", "@private", "env:HIDDEN", "fd:0", "text:a", "text:exec:PROGRAM", "-", "plain"])
    func `a printed command sends the same secret`(source: String) async throws {
        let secret = source.replacing("PROGRAM", with: folder.file("program"))
        try await withServer { _ in
            .ok()
        } _: { server in
            for words in [
                ["-u", "\(secret):p"], ["-u", "u:\(secret)"], ["--oauth2-bearer", secret],
                ["--aws-sigv4", "aws:amz:r:s", "-u", "\(secret.replacing(":", with: "_")):key"],
            ] {
                let curl = ["curl"] + words + [server.url()]
                let direct = try await folder.afcli(curl)
                #expect(direct.status == 0, "\(words): \(direct.errorText)")
                let printed = try await folder.afcli(
                    ["curl", "--show-command-long", "--show-secrets"] + words + [server.url()])
                let afcli = try Program.afcliPath()
                let again = try await Program(
                    "/bin/sh", ["-c", "afcli() { '\(afcli)' \"$@\"; }\n\(printed.text)"],
                    environment: ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"], workingDirectory: folder.path
                ).run()
                #expect(again.status == 0, "\(printed.text): \(again.errorText)")
                let fields = server.requests.suffix(2).compactMap { $0["Authorization"] }
                let credentials = fields.map { $0.prefix { $0 != "," }.split(separator: "/").first }
                #expect(fields.count == 2)
                #expect(words.contains("--aws-sigv4") ? credentials[0] == credentials[1] : fields[0] == fields[1])
            }
        }
        #expect(!folder.has("executed"))
    }

    @Test func `credentials of a session, a list, a URL and a response are literal text`() async throws {
        let program = "exec:\(folder.file("program"))"
        let auth = #"{"type": "basic", "raw_auth": "\#(program):p"}"#
        try folder.write(#"{"auth": \#(auth), "headers": [], "cookies": []}"#, to: "s.json", permissions: 0o600)
        try await withServer { _ in
            .ok().header("Set-Cookie", "a=\(program)")
        } _: { server in
            try folder.write("http://u:\(program.replacing("/", with: "%2F"))@\(server.authority)/l\n", to: "list")
            try await check([server.url(), "--session", "./s.json"])
            try await check([server.url(), "--session", "./s.json"])
            try await check(["--input", "list"])
            try await check(["http://u:\(program.replacing("/", with: "%2F"))@\(server.authority)/"])
            #expect(server.requests.count == 4)
        }
    }

    @Test(arguments: [
        ["-d", "@~/private"], ["--data-binary", "@~/private"], ["--data-urlencode", "a@~/private"],
        ["-F", "a=@~/private"], ["-F", "a=<~/private"], ["-T", "~/private"], ["-H", "@~/private"],
        ["-b", "~/private"], ["-w", "@~/private"], ["-K", "~/private"],
        ["--variable", "v@~/private", "--expand-data", "{{v}}"],
    ])
    func `a file of a curl command is not one of the home directory`(words: [String]) async throws {
        try folder.write("# HTTP Cookie File\nsilent\n", to: "~/private")
        try folder.write("X-Home: stolen\n", to: "home/private")
        try await withServer { _ in
            .ok()
        } _: { server in
            let home = ["HOME": folder.file("home")]
            let quoted = (words + [server.url()]).map { "'\($0)'" }.joined(separator: " ")
            try await check(["curl"] + words + [server.url()], variables: home)
            try await check(["curl", "-"], input: "curl \(quoted)", variables: home)
            #expect(server.requests.count == 2)
            for request in server.requests { #expect(!"\(request.headText)\(request.text)".contains("stolen")) }
        }
    }

    private func check(
        _ words: [String],
        input: String = "",
        variables: [String: String] = [:]
    ) async throws {
        let run = try await folder.afcli(
            words, variables: ["HIDDEN": "stolen"].merging(variables) { $1 },
            input: input.isEmpty ? .empty : .bytes(Array(input.utf8)))
        #expect(!run.allOutput.contains("stolen"), "\(words): \(run.allOutput)")
        #expect(!folder.has("executed"), "\(words) executed a program")
    }
}
