import Glibc
import TestSupport
import Testing

/// Shell loops over lines of standard input, which the tool must not consume.
@Suite(.timeLimit(.minutes(5))) struct InputLoopTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private static let names = ["one.txt", "two.txt", "three.txt"]

    /// Runs a shell script where `afcli` is the tool, in a directory with a file `urls` of three lines.
    private func loop(
        _ script: String,
        inheriting descriptors: [Int32] = []
    ) async throws -> (result: ProgramResult, requests: [RecordedRequest]) {
        try await withServer { request in
            .ok("content of \(request.path)")
        } _: { server in
            try folder.write(Self.names.map { server.url("/\($0)") + "\n" }.joined(), to: "urls")
            var program = Program(
                "/bin/sh", ["-c", #"afcli() { "$AFCLI" "$@"; }; "# + script],
                environment: [
                    "AFCLI": try Program.afcliPath(), "URL": server.url(), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8",
                ],
                workingDirectory: folder.path
            )
            program.inherited = descriptors
            return (try await program.run(), server.requests)
        }
    }

    @Test(arguments: [
        #"while read -r u; do afcli "$u" -o "$(basename "$u")"; done < urls"#,
        #"while read -r u; do afcli "$u" > "$(basename "$u")"; done < urls"#,
        #"while read -r u; do afcli -d "$u"; done < urls"#,
        #"cat urls | while read -r u; do afcli -I "$u" -o "$(basename "$u")"; done"#,
        #"cat urls | while read -r u; do afcli get "$u" -o "$(basename "$u")"; done"#,
        #"xargs -n 1 "$AFCLI" -d < urls"#, #"for u in $(cat urls); do afcli -d "$u"; done"#,
        #"for u in $(cat urls); do afcli -d "$u" <&-; done"#,
    ])
    func `a shell loop downloads every URL of a list`(script: String) async throws {
        let (result, requests) = try await loop(script)
        #expect(result.status == 0, "\(result.errorText)")
        #expect(!result.errorText.contains("warning:") && !result.errorText.contains("error:"), "\(result.errorText)")
        #expect(requests.map(\.path) == Self.names.map { "/\($0)" })
        #expect(requests.allSatisfy { $0.method == "GET" && $0.body.isEmpty })
        for name in Self.names { #expect(try folder.text(of: name) == "content of /\(name)") }
    }

    @Test(arguments: ["-o f", "-d"])
    func `the rest of a list in a pipe is neither sent nor consumed, and is an error`(option: String) async throws {
        let script = #"cat urls | while read -r u; do afcli "$u" \#(option); echo "$? $u"; done"#
        let (result, requests) = try await loop(script)
        let lines = result.text.split(separator: "\n")
        // After the last line, the pipe is empty.
        #expect(lines.map { $0.split(separator: "/").last } == Self.names.map { $0[...] })
        #expect(result.text.hasPrefix("64 "), "\(result.text)")
        #expect(requests.map(\.path) == ["/three.txt"])
        #expect(requests.allSatisfy { $0.method == "GET" && $0.body.isEmpty })
        let message = """
            afcli: error: standard input has data, which a download without a method does not send
              use POST to send standard input, or -I to ignore it

            """
        #expect(result.errorText.hasPrefix(message), "\(result.errorText)")
    }

    @Test func `with an explicit method a pipe is sent and the response is saved`() async throws {
        let (result, requests) = try await loop("echo data | afcli post ${URL}x -o f")
        #expect(result.status == 0, "\(result.errorText)")
        #expect(requests.first?.text == "data\n")
        #expect(try folder.text(of: "f") == "content of /x")
    }

    @Test func `the rest of a list in a file is not sent by post, and a warning is printed`() async throws {
        let (result, requests) = try await loop(#"while read -r u; do afcli post "$u"; done < urls"#)
        #expect(result.status == 0)
        #expect(requests.map(\.path) == Self.names.map { "/\($0)" })
        #expect(requests.allSatisfy { $0.body.isEmpty && $0["Content-Length"] == "0" })
        let warning = "afcli: warning: ignoring the rest of standard input: "
        #expect(result.errorText.split(separator: "\n").count { $0.hasPrefix(warning) } == 2, "\(result.errorText)")
    }

    @Test func `the rest of a redirected file is the body if @- requests it`() async throws {
        let (result, requests) = try await loop("printf 'head\\nrest\\n' > f; (read -r l; afcli $URL @-) < f")
        #expect(result.status == 0, "\(result.errorText)")
        #expect(requests.first?.text == "rest\n")
        #expect(requests.first?["Content-Length"] == "5")
    }

    @Test func `a silent socket results in a GET with a note, and a download does not wait for it`() async throws {
        var ends: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { for end in ends { close(end) } }
        let script = "afcli $URL -o f <&3; echo $?; afcli $URL <&3; echo $?"
        let (result, requests) = try await loop(script, inheriting: [ends[0]])
        #expect(result.text == "0\ncontent of /0\n", "\(result.errorText)")
        #expect(result.errorText.contains("standard input is open but has no data"))
        #expect(requests.map(\.method) == ["GET", "GET"])
    }
}
