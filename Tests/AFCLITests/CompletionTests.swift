import TestSupport
import Testing

/// Shell completions, tested in the shells themselves.
@Suite(.timeLimit(.minutes(5))) struct CompletionTests {
    /// The text before the completion key, and the resulting words.
    ///
    /// `DIR` is a directory with the files `cat.jpg`, `two words.txt` and `semi;colon.txt` and the directory `photos`.
    static let completions: [(typed: String, words: [String])] = [
        ("--max-redir", ["--max-redirects"]),
        ("--connect-ti", ["--connect-timeout"]),
        ("--color alw", ["--color", "always"]),
        ("--color=alw", ["--color=always"]),
        ("--pretty for", ["--pretty", "format"]),
        ("-X PAT", ["-X", "PATCH"]),
        ("--help=max-redir", ["--help=max-redirects"]),
        ("-o DIR/ca", ["-o", "DIR/cat.jpg"]),
        ("--output=DIR/ca", ["--output=DIR/cat.jpg"]),
        ("--cert DIR/ca", ["--cert", "DIR/cat.jpg"]),
        ("-o DIR/tw", ["-o", "DIR/two words.txt"]),
        ("--raw @DIR/ca", ["--raw", "@DIR/cat.jpg"]),
        ("--verify DIR/ca", ["--verify", "DIR/cat.jpg"]),
        ("-H Content-Ty", ["-H", "Content-Type:"]),
        ("DEL", ["DELETE"]),
        ("example.org If-None-M", ["example.org", "If-None-Match:"]),
        ("example.org photo@DIR/ca", ["example.org", "photo@DIR/cat.jpg"]),
        ("example.org text=@DIR/ca", ["example.org", "text=@DIR/cat.jpg"]),
        ("put example.org @DIR/ca", ["put", "example.org", "@DIR/cat.jpg"]),
        ("-F photo=@DIR/ca", ["-F", "photo=@DIR/cat.jpg"]),
        ("-F photo=@DIR/tw", ["-F", "photo=@DIR/two words.txt"]),
        ("example.org photo@DIR/tw", ["example.org", "photo@DIR/two words.txt"]),
        ("--header=Content-Ty", ["--header=Content-Type:"]),
        ("-HContent-Ty", ["-HContent-Type:"]),
        ("--no-trust", ["--no-trust-redirects"]),
        ("--no-conf", ["--no-config"]),
        ("-soc", ["-socean"]),
        ("-vsoc", ["-vsocean"]),
        ("-vo DIR/ca", ["-vo", "DIR/cat.jpg"]),
        ("-o DIR/cat.jpg DEL", ["-o", "DIR/cat.jpg", "DELETE"]),
        ("-vo DIR/cat.jpg DEL", ["-vo", "DIR/cat.jpg", "DELETE"]),
        ("--style auto DEL", ["--style", "auto", "DELETE"]),
        ("--no-follow DEL", ["--no-follow", "DELETE"]),
        ("run --report-ju", ["run", "--report-junit"]),
        ("run --error-format lo", ["run", "--error-format", "long"]),
        ("run --header Content-Ty", ["run", "--header", "Content-Type:"]),
        ("run --variables-file DIR/ca", ["run", "--variables-file", "DIR/cat.jpg"]),
        ("run --test DIR/ca", ["run", "--test", "DIR/cat.jpg"]),
    ]

    /// Completions that only bash supports.
    static let completionsInBash: [(typed: String, words: [String])] = [
        ("-s=oc", ["-s=ocean"]),
        ("-oDIR/ca", ["-oDIR/cat.jpg"]),
        ("-vsauto DEL", ["-vsauto", "DELETE"]),
        ("-F photo=@DIR/se", ["-F", "photo=@\"DIR/semi;colon.txt\""]),
        ("-F 'photo=@DIR/se", ["-F", "photo=@\"DIR/semi;colon.txt\""]),
        ("-F 'photo=@DIR/tw", ["-F", "photo=@DIR/two words.txt"]),
        ("-Fphoto=@DIR/se", ["-Fphoto=@\"DIR/semi;colon.txt\""]),
        ("--part=photo=@DIR/se", ["--part=photo=@\"DIR/semi;colon.txt\""]),
    ]

    /// Types every line and the completion key on a terminal, and checks the arguments of a stand-in for the tool.
    private func complete(
        _ completions: [(typed: String, words: [String])] = Self.completions,
        with shell: Program,
        _ preparation: String
    ) async throws {
        let folder = try ScratchFolder()
        try folder.write("", to: "cat.jpg")
        try folder.write("", to: "two words.txt")
        try folder.write("", to: "semi;colon.txt")
        try folder.folder("photos")
        var program = shell.onTerminal(.init(columns: 300))
        program.environment = ["TERM": "dumb", "HOME": folder.path, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"]
        program.workingDirectory = folder.path
        let running = try program.start()
        defer { running.kill() }
        running.write(preparation + "\nprintf '%s-%s\\n' ready to-type\n")
        try await running.waitForText("ready-to-type")
        for (number, completion) in completions.enumerated() {
            // The number distinguishes the results of the lines.
            let typed = completion.typed.replacing("DIR", with: folder.path)
            let words = completion.words.map { $0.replacing("DIR", with: folder.path) }
            running.write("afcli \(typed)\t\n")
            let expected = "\(number):" + words.map { "<\($0)>" }.joined()
            try await running.waitForText(expected)
        }
    }

    @Test func `bash completes options, values, files and headers`() async throws {
        try await complete(
            Self.completions + Self.completionsInBash,
            with: .installed("bash", package: "bash", ["--norc", "--noprofile", "-i"]),
            """
            number=0; PS1='> '; bind 'set enable-bracketed-paste off'; bind 'set bell-style none'; \
            source '\(Repository.path("completions/afcli.bash"))'
            afcli() { printf '%s:' "$number"; printf '<%s>' "$@"; echo; number=$((number + 1)); }
            """
        )
    }

    @Test func `zsh completes options, values, files and headers`() async throws {
        try await complete(
            with: .installed("zsh", package: "zsh", ["-f", "-i"]),
            """
            number=0; PS1='> '; setopt no_beep; unsetopt prompt_cr prompt_sp; \
            fpath=('\(Repository.path("completions"))' $fpath); autoload -Uz compinit; compinit -u -D
            afcli() { printf '%s:' $number; printf '<%s>' "$@"; echo; number=$((number + 1)) }
            """
        )
    }

    @Test func `fish completes options, values, files and headers`() async throws {
        let folder = try ScratchFolder()
        try folder.write("", to: "cat.jpg")
        try folder.write("", to: "two words.txt")
        for completion in Self.completions {
            let typed = completion.typed.replacing("DIR", with: folder.path)
            let script =
                "source '\(Repository.path("completions/afcli.fish"))'; complete --do-complete 'afcli \(typed)'"
            var program = try Program.installed("fish", package: "fish", ["--no-config", "-c", script])
            program.environment = ["HOME": folder.path, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"]
            let result = try await program.run()
            let offered = result.text.split(separator: "\n").map { $0.prefix { $0 != "\t" } }
            let expected = try #require(completion.words.last).replacing("DIR", with: folder.path)
            #expect(offered.map(String.init) == [expected], "\(typed): \(result.errorText)")
        }
    }

    @Test func `fish shows the summaries of options`() async throws {
        let script = "source '\(Repository.path("completions/afcli.fish"))'; complete --do-complete 'afcli --'"
        let result = try await Program.installed("fish", package: "fish", ["--no-config", "-c", script]).run()
        #expect(result.text.contains("--follow\tFollow redirects\n"))
    }

    @Test(arguments: [("afcli", "Messages are written to standard error"), ("afcli-run", "Write a JUnit report")])
    func `mandoc reports no problem in the manual pages`(name: String, sentence: String) async throws {
        let page = Repository.path("man/\(name).1")
        let result = try await Program.installed("mandoc", package: "mandoc", ["-Tlint", "-Wall", page]).run()
        #expect(result.status == 0)
        #expect(result.text + result.errorText == "")
        let text = try await Program.installed("mandoc", package: "mandoc", ["-Tutf8", page]).run().text
        #expect(text.contains(sentence))
    }
}
