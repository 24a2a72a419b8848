import TestSupport
import Testing

@testable import AFCommand

/// Configuration files of curl.
extension CurlModeTests {
    @Test func `configuration files that include each other are an error`() async throws {
        let folder = try ScratchFolder()
        for (name, text) in [
            ("self", "config = \"self\"\n"), ("a", "config = b\n"), ("b", "config = a\n"),
            ("twice", "-K twice\n-K twice\n"),
        ] {
            try folder.write(
                text.replacing("self", with: folder.file("self")).replacing("twice", with: folder.file("twice"))
                    .replacing("= a\n", with: "= \(folder.file("a"))\n").replacing(
                        "= b\n", with: "= \(folder.file("b"))\n"), to: name)
        }
        for name in ["self", "a", "twice"] {
            let run = await runTool("curl", "-K", folder.file(name), "http://h/")
            #expect(run.status == 2)
            #expect(run.errors.contains("the files include each other"), "\(run.errors)")
        }
        for number in 1...9 { try folder.write("config = \"\(folder.file("\(number + 1)"))\"\n", to: "\(number)") }
        try folder.write("user-agent = deep\n", to: "10")
        let run = await command("-K", folder.file("1"), "http://h/")
        #expect(run.status == 0 && run.output.contains("User-Agent: deep"), "\(run.errors)")
    }

    @Test(arguments: [
        ("data==x", "--raw x"), ("data = = x", "--raw x"), ("data : = x", "--raw x"), ("user = \":t\"", "--auth :t"),
        ("--data = x", "--raw '='"), ("next\nuser-agent = x", "User-Agent: x"), ("-sd a=1", "--raw 'a=1'"),
    ])
    func `lines of a configuration file are read as by curl`(line: String, words: String) async throws {
        let folder = try ScratchFolder()
        try folder.write("\(line)\nurl = \"http://h/\"\n", to: "config")
        let run = await command("-K", folder.file("config"))
        #expect(run.status == 0 && run.output.contains(words), "\(run.output)\(run.errors)")
    }

    @Test(arguments: ["location = true", "silent = http://other/", "silent = --insecure", "-s x"])
    func `a value of a flag in a configuration file is an error`(line: String) async throws {
        let folder = try ScratchFolder()
        try folder.write("\(line)\n", to: "config")
        let run = await command("-K", folder.file("config"), "http://h/")
        #expect(run.status == 26 && run.errors.contains("takes no argument"), "\(run.output)\(run.errors)")
    }

    @Test func `the line of a configuration file is reported`() async throws {
        let folder = try ScratchFolder()
        try folder.write("# comment\nurl = \"http://h/\"\nno-such-option\n", to: "c")
        let run = await runTool("curl", "-K", folder.file("c"))
        #expect(run.status == 26)
        #expect(run.errors.contains("line 3 of \(folder.file("c"))"), "\(run.errors)")
    }

    @Test func `an invalid line of ~/.curlrc is a warning, except for a refused option`() async throws {
        let folder = try ScratchFolder()
        let home = { ToolWorld().with(variables: ["HOME": folder.path]) }
        for line in ["bogus", "silent = x", "header", "header = X-A:1 x"] {
            try folder.write("\(line)\nheader = \"X-Home: 1\"\n", to: ".curlrc")
            let run = await command("http://h/", in: home())
            #expect(run.status == 0 && run.output.contains("X-Home"), "\(run.errors)")
            #expect(
                line.hasPrefix("silent") || run.errors.contains("line 1 of \(folder.file(".curlrc"))"), "\(run.errors)")
        }
        try folder.write("silent\nbogus\n", to: ".curlrc")
        #expect(await command("http://h/", in: home()).errors.isEmpty)
        try folder.write("libcurl = x\n", to: ".curlrc")
        let run = await command("http://h/", in: home())
        #expect(run.status == 2 && run.errors.contains("--libcurl: line 1 of"), "\(run.errors)")
    }

    @Test func `~/.curlrc is read, unless -q comes first`() async throws {
        let folder = try ScratchFolder()
        try folder.write("header = \"X-Home: 1\"\n", to: ".curlrc")
        let home = { ToolWorld().with(variables: ["HOME": folder.path]) }
        #expect(await command("http://h/", in: home()).output.contains("X-Home"))
        let quiet = await runTool("curl", "-q", "--show-command-long", "http://h/", in: home())
        #expect(quiet.status == 0)
        #expect(!quiet.output.contains("X-Home"))
    }
}
