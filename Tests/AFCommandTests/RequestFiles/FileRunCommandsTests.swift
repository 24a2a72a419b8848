import TestSupport
import Testing

@testable import AFCommand

/// `afcli run --show`.
@Suite(.timeLimit(.minutes(1))) struct FileRunCommandsTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    @Test(arguments: [
        ("a.hurl", "GET http://127.0.0.1:1/a\n", "\nafcli 127.0.0.1:1/a\n"),
        ("a.hurl", "GET {{host}}/a\nX: y\n", #"afcli "$host"/a X:y"#),
        ("a.hurl", "GET http://h.invalid/{{a-b}}\n", #"afcli h.invalid/"$a_b""#),
        ("a.hurl", "POST {{host}}/\n{\"a\": \"{{x}} y\"}\n", #""$host"/ 'a='"$x"' y'"#),
        (
            "a.hurl", "POST {{host}}/\n{\"a\": \"C:\\\\d\", \"b\": 1.0, \"c\": \"{{x}}\"}\n",
            #"--raw '{"a": "C:'\\'\d", "b": 1.0, "c": "'"$x"'"}' post "$host"/"#
        ),
        ("a.hurl", "POST {{host}}/\n{\"a\": \"{{x}}\"}\n", "\"$host\"/ 'a='\"$x\"\n"),
        (
            "a.hurl", "POST {{host}}/\nContent-Type: application/json\n`a`\n",
            #"--raw a post "$host"/ Content-Type:application/json"#
        ),
        (
            "a.hurl", "GET {{host}}/\nHTTP 200\n[Asserts]\nstatus == 200\n",
            "--expect-status 200\n# expected: status == 200"
        ),
        ("a.hurl", "GET {{host}}/\nHTTP 200\n[Captures]\nt: body\n", "# then: t: body"),
        ("a.hurl", "GET http://h.invalid/{{newUuid}}\n", "# $newUuid: {{newUuid}}\n"),
        ("a.hurl", "GET http://h.invalid/\n[BasicAuth]\nada: {{pw}}\n", #"-a ada:"$pw""#),
        ("a.http", "@p = x\nGET {{host}}/{{p}}\n", #"afcli -L "$host"/x"#),
        (
            "a.http", "# @name one\nGET http://h.invalid/\n###\nGET http://h.invalid/{{one.response.body.$.t}}\n",
            "# $one_response_body_t: {{one.response.body.$.t}}\n"
        ),
        ("a.http", "GET http://h.invalid/?{{$randomInt 1 5}}\n", #"?'"$randomInt""#),
    ])
    func `an entry is a command of afcli`(name: String, text: String, expected: String) async throws {
        let run = await runTool("run", "--show", try folder.write(text, to: name))
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains(expected), "\(run.output)")
        #expect(run.output.hasPrefix("# line "), "\(run.output)")
    }

    @Test func `known variables are filled in, and secrets are not`() async throws {
        let path = try folder.write("GET {{host}}/{{token}}\n", to: "a.hurl")
        let run = await runTool(
            "run", "--show", "--variable", "host=http://h.invalid", "--secret", "token=s3cret", path)
        #expect(run.output.contains(#"h.invalid/"$token""#) && !run.output.contains("s3cret"), "\(run.output)")
    }

    @Test(arguments: [
        (
            "POST http://127.0.0.1:1/\nhex,00ff;\n",
            #"printf '\000\377' | afcli --raw @- post 127.0.0.1:1/ Content-Type:"#
        ),
        ("POST http://127.0.0.1:1/\n`a`\n", "afcli --raw a post 127.0.0.1:1/ Content-Type:"),
        ("POST http://127.0.0.1:1/\n[Multipart]\n", "afcli post 127.0.0.1:1/"),
        (
            "POST http://127.0.0.1:1/\n{\"a\": \"\\u0000\"}\n", #"afcli --raw '{"a": "\u0000"}' post 127.0.0.1:1/"#
        ),
        ("POST http://127.0.0.1:1/\n{\"a\": 1}\n", "afcli post 127.0.0.1:1/ 'a:=1'"),
        (
            "GET http://127.0.0.1:1/\n[Options]\ndelay: 2s\nretry: 3 # times\nlocation: true\n",
            "# option: delay: 2s\n# option: retry: 3 # times\nafcli -L 127.0.0.1:1/"
        ),
    ])
    func `a command has the body and the options of the entry`(text: String, expected: String) async throws {
        let run = await runTool("run", "--show", try folder.write(text, to: "a.hurl"))
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output == "# line 1\n\(expected)\n")
    }

    @Test func `an entry that cannot be a command is an error, and the other ones are shown`() async throws {
        let text = "GET http://127.0.0.1:1/\n\nGET ftp://h.invalid/\n\nGET http://127.0.0.1:1/c\n"
        let run = await runTool("run", "--show", try folder.write(text, to: "a.hurl"))
        #expect(run.status == 3 && run.errors.contains("ftp"), "\(run.errors)")
        #expect(run.output == "# line 1\nafcli 127.0.0.1:1/\n\n# line 5\nafcli 127.0.0.1:1/c\n")
    }
}
