import TestSupport
import Testing

@testable import AFCommand

/// Pasted commands.
extension CurlModeTests {
    @Test(
        arguments: [
            ("curl http://h/ -d 'a b' \"c\\\"d\" e\\ f", ["curl", "http://h/", "-d", "a b", "c\"d", "e f"]),
            ("curl \\\n  -H \"A: $X\" \\\r\n  ${X}y '$X'\n", ["curl", "-H", "A: v", "vy", "$X"]),
            ("curl $'a\\tb\\'c\\u00e9' # comment", ["curl", "a\tb'cé"]),
            ("# first\ncurl a''b \"\"", ["curl", "ab", ""]),
            ("curl 100% a#b $", ["curl", "100%", "a#b", "$"]),
            (
                "curl $'a\\101z' $'\\1' $'\\x414' $'\\x{41}' $'\\q' $'\\cA'",
                ["curl", "aAz", "\u{1}", "A4", "A", "\\q", "\u{1}"]
            ),
            (
                "curl $'a\\0b'c $'\\xc3\\xa9' $'\\a\\b\\e\\f\\v' $'\\c\\\\x'",
                ["curl", "ac", "é", "\u{7}\u{8}\u{1B}\u{C}\u{B}", "\u{1C}x"]
            ),
            ("curl $'\\U0001F600' $'\\u41' $'\\8' $'\\xg' $'\\?\\\"'", ["curl", "😀", "A", "\\8", "\\xg", "?\""]),
            ("curl 'a\r\nb'\u{301} c\r\r\n", ["curl", "a\r\nb\u{301}", "c\r"]),
            ("curl -o ~/f ~ ~\n", ["curl", "-o", "/home/ada/f", "/home/ada", "/home/ada"]),
            ("curl '~/f' \"~/f\" \\~/f @~/f a~ ''~/f", ["curl", "~/f", "~/f", "~/f", "@~/f", "a~", "~/f"]),
        ])
    func `words are split as in a shell`(text: String, words: [String]) throws {
        #expect(try ShellWords.split(text, variables: Variables(["X": "v", "HOME": "/home/ada"])) == words)
    }

    @Test(
        arguments: [
            ("curl http://h/ | jq .", "'|' is shell syntax, which is not executed"),
            ("curl 'open", "the command has an opening ' without"),
            ("curl \"open", "the command has an opening \" without"),
            ("curl $(date)", "$() is shell syntax, which is not executed"),
            ("curl $UNSET", "the environment variable 'UNSET' is not set"),
            ("curl ~/f", "the environment variable 'HOME' is not set"),
            ("curl ~bob/f", "a name after '~' is shell syntax"), ("curl ~+", "a name after '~' is shell syntax"),
            ("curl a\ncurl b", "the command has a second line"),
            ("curl ^\"http://h/^\" ^\n  -H ^\"A: b^\"", "the command is written for the command prompt of Windows"),
            ("curl.exe http://h/ ^\r\n  -I", "the command is written for the command prompt of Windows"),
            ("curl $'\\xe9'", "the bytes in $'...' are not UTF-8 text"),
            ("curl $'\\ud83d'", "an escape in $'...' is not a character"),
            ("curl $'\\777'", "are not UTF-8 text"), ("curl $'open\\'", "an opening ' without"),
            ("wget http://h/", "standard input does not begin with"), ("", "standard input is empty"),
        ])
    func `shell syntax beyond a command is an error`(text: String, message: String) async {
        let run = await command("-", in: world(pasting: text))
        #expect(run.status == 2 || run.status == 3)
        #expect(run.errors.contains(message), "\(run.errors)")
    }

    @Test func `a pasted command is sent`() async throws {
        try await withServer {
            .ok("\($0.method) \($0.text) \($0["Authorization"] ?? "")")
        } _: { server in
            let text = """
                $ curl -X PUT \(server.url("/items")) \\
                    -H "Authorization: Bearer $TOKEN" \\
                    -d '{
                  "a": 1
                }'
                """
            let run = await runTool("curl", "-", in: world(pasting: text, variables: ["TOKEN": "t"]))
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.output == "PUT {\n  \"a\": 1\n} Bearer t")
        }
    }

    @Test(arguments: ["curl", "/usr/bin/curl", "curl.exe", "CURL.EXE", "C:\\Windows\\System32\\curl.exe"])
    func `the name of the program may be a path or that of Windows`(name: String) async {
        let run = await command("-", in: world(pasting: "\(name) -A ^a http://h/^x"))
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("http://h/^x"), "\(run.output)")
    }

    // The command of afcli
}
