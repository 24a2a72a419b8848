import TestSupport
import Testing

@testable import AFCommand

/// The relations that options declare, each option in turn.
@Suite(.timeLimit(.minutes(5))) struct OptionRelationsTests {
    private static let all = Invocation.options.all

    private static func names(where isListed: (Option<Invocation>) -> Bool) -> [String] {
        all.filter(isListed).map(\.entry.name)
    }

    private func option(_ name: String) throws -> Option<Invocation> {
        try #require(Invocation.options.option(named: name))
    }

    /// Returns the error about the relations of a command line.
    private func failure(_ words: [String]) throws -> UsageError? {
        let invocation = try Invocation(parsing: words)
        do throws(UsageError) {
            try invocation.assignments.checkRelations(invocation)
            return nil
        } catch {
            return error
        }
    }

    @Test func `relations name options of the table`() {
        let names = Set(Invocation.options.entries.map(\.name))
        for option in Self.all {
            let others = option.relations.excludes + option.relations.yieldsTo
            #expect(names.isSuperset(of: others), "\(option.entry.name)")
        }
    }

    @Test(arguments: names { $0.requirement.map { $0.dependsOn != .scheme } ?? false })
    func `an option without its requirement is an error`(name: String) async throws {
        let words = try option(name).entry.exampleWords()
        let failure = try #require(try self.failure(words))
        #expect(failure.argument == name)
        #expect(failure.problem.hasPrefix("requires "))
        let run = await runTool(words + ["example.invalid"])
        #expect(run.status == 64)
        #expect(run.messages.first == "afcli: error: \(failure.message)")
    }

    @Test(arguments: names { $0.requirement?.dependsOn == .scheme })
    func `an option for WebSockets requires such a URL`(name: String) async throws {
        let run = await runTool(try option(name).entry.exampleWords() + ["example.invalid"])
        #expect(run.status == 64)
        #expect(run.messages.first == "afcli: error: \(name): requires a ws:// or wss:// URL")
    }

    @Test(arguments: names { !$0.relations.excludes.isEmpty })
    func `an option that excludes another is an error beside it, in both orders`(name: String) async throws {
        let option = try self.option(name)
        let own = try option.entry.exampleWords()
        for excluded in option.relations.excludes {
            let other = try self.option(excluded).entry.exampleWords()
            for words in [own + other, other + own] {
                let failure = try #require(try self.failure(words))
                #expect(failure.argument == excluded)
                #expect(failure.problem == "cannot be combined with \(name)")
                #expect(failure.hint == nil && failure.isSelfExplanatory)
            }
        }
    }

    @Test func `a contradiction names the option of the configuration`() async throws {
        let folder = try ScratchFolder()
        try folder.write(#"{"default_options": ["--all"]}"#, to: "c")
        let run = await runTool("--config", folder.file("c"), "--input", "/dev/null")
        #expect(run.status == 64)
        #expect(
            run.messages == [
                "afcli: error: --all in '\(folder.file("c"))': cannot be combined with --input", "  add --no-all",
            ])
    }

    @Test(arguments: names(where: \.relations.isCopiedToCurl))
    func `a curl command has an option of curl as it was typed`(name: String) async throws {
        let option = try self.option(name)
        let words = try option.entry.exampleWords()
        let run = await runTool(["--curl-long", "--show-secrets"] + words + ["https://h/"])
        #expect(run.status == 0, "\(run.errors)")
        let spelling = try #require(option.relations.curl.first).name ?? String(name.dropFirst(2))
        #expect(run.output.contains(" --\(spelling) "), "\(run.output)")
        for argument in words.dropFirst() { #expect(run.output.contains(argument), "\(run.output)") }
        #expect(!run.errors.contains(name), "\(run.errors)")
    }

    @Test(arguments: names { !$0.relations.isForWebSockets })
    func `an option that is not for WebSockets is an error`(name: String) async throws {
        let run = await runTool(try option(name).entry.exampleWords() + ["ws://example.invalid"])
        #expect(run.status == 64)
        #expect(run.messages.first == "afcli: error: \(name): is not possible for a WebSocket URL")
    }

    @Test func `a WebSocket URL in a list is an error`() async throws {
        let folder = try ScratchFolder()
        try folder.write("ws://127.0.0.1:1/a\n", to: "list")
        let run = await runTool("--input", folder.file("list"))
        #expect(run.status == 64)
        #expect(run.errors.contains("is not possible for a WebSocket URL"), "\(run.errors)")
    }

    @Test(arguments: names { $0.relations.repetition != nil })
    func `a repeated option that names a file or a body is an error`(name: String) async throws {
        let words = try option(name).entry.exampleWords()
        let run = await runTool(words + words + ["example.invalid"])
        #expect(run.status == 64)
        #expect(run.messages.first == "afcli: error: \(name): cannot be repeated")
        #expect(run.messages.count <= 2)
        // The command line replaces the configuration.
        var assignments = Assignments()
        let source = AssignmentSource.configuration(path: "f", key: "default_options")
        assignments.add(Invocation.parsed(words, from: source))
        assignments.add(Invocation.parsed(words))
        let complete = Invocation(assignments)
        do throws(UsageError) {
            try complete.assignments.checkRelations(complete)
        } catch {
            // The example has no other options.
            #expect(error.problem.hasPrefix("requires ") && Invocation.options.option(named: name)?.requirement != nil)
        }
    }

    @Test func `each option that names a file is an error if it is repeated, or adds up`() {
        for option in Self.all where option.relations.repetition == nil {
            switch option.entry.argument?.hint {
            case .file, .directory, .fileOr:
                #expect(["--upload-file", "--checksum"].contains(option.entry.name), "\(option.entry.name)")
            default: break
            }
        }
    }

    @Test func `a repeated setting takes the last, and reports add up`() throws {
        #expect(try failure(["--timeout=1", "--timeout=2"]) == nil)
        #expect(try failure(["--verify=no", "--verify", "a", "--verify=yes", "--verify=no"]) == nil)
        #expect(try failure(["--report", "a", "--report", "junit:b"]) == nil)
        #expect(try failure(["--report", "junit:a", "--report", "junit:b"]) == nil)
        #expect(try failure(["--report", "junit:a", "--report", "junit:a"])?.problem == "cannot be repeated")
    }

    /// The options whose argument is the name of a file that they write.
    private static let writers = names { $0.relations.writes != nil }

    /// Returns the argument with which an option writes a file.
    private func argument(of name: String, for path: String) -> String {
        name == "--write-out" ? "%output{\(path)}x" : path
    }

    @Test(arguments: writers)
    func `a file that cannot be written is an error before the first request`(name: String) async throws {
        let folder = try ScratchFolder()
        try folder.write("", to: "file")
        try await withServer { _ in
            .ok()
        } _: { server in
            for spelling in try option(name).entry.spellings {
                let run = await runTool(spelling, argument(of: name, for: folder.file("file/x.hurl")), server.url())
                #expect(run.status == 16)
                #expect(run.errors.hasPrefix("afcli: error: \(spelling): "), "\(run.errors)")
            }
            #expect(server.requests.isEmpty)
        }
    }

    @Test(arguments: writers)
    func `a file of two options is an error before the first request`(name: String) async throws {
        let folder = try ScratchFolder()
        let other = name == "--har" ? "--report" : "--har"
        try await withServer { _ in
            .ok()
        } _: { server in
            let file = folder.file("x")
            let run = await runTool(other, file, name, argument(of: name, for: file), server.url())
            #expect(run.status == 64)
            let relation = name == "--write-out" ? "is the file of" : "names the same file as"
            #expect(run.errors.contains("\(relation) \(other): '"), "\(run.errors)")
            #expect(server.requests.isEmpty && folder.list().isEmpty)
        }
    }

    @Test(arguments: names { $0.relations.curl.contains { !$0.isTranslated } })
    func `an option of curl with the same meaning is translated`(name: String) async throws {
        let option = try self.option(name)
        let argument = Array(try option.entry.exampleWords().dropFirst())
        for spelling in option.relations.curl where !spelling.isTranslated {
            let typed = spelling.name ?? String(name.dropFirst(2))
            // curl ignores a key without its certificate, and the parameters of TLS without TLS.
            let others = name == "--cert-key" ? ["-E", "/dev/null"] : []
            let words = ["curl", "--show-command-long", "--show-secrets", "--\(typed)"] + argument + others
            let run = await runTool(words + ["-o", "f", "https://h/"])
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.output.contains(" \(name) "), "\(run.output)")
        }
    }

    @Test func `each name of curl is an option of curl, once`() {
        for option in Self.all {
            for spelling in option.relations.curl {
                let name = spelling.name ?? String(option.entry.name.dropFirst(2))
                #expect(CurlOption.all.count { $0.name == name } == 1, "\(name)")
            }
        }
    }

    @Test(arguments: names { $0.relations.secrets != nil })
    func `a secret is hidden in ps, reports, --curl and errors`(name: String) async throws {
        let option = try self.option(name)
        let arguments = [
            "ada:s3cret", "X-Api-Key: s3cret", "password=s3cret", "http://ada:s3cret@127.0.0.1:1/",
            "https://127.0.0.1:1/?token=s3cret", #"token == "s3cret""#,
            "socks5://ada:s3cret@127.0.0.1:1", #"[?token == "s3cret"]"#, #"at==[?token == "s3cret"].b"#,
        ]
        let argument = try #require(
            arguments.first { argument in
                (try? option.effect.parse(argument)) != nil
                    && option.relations.secrets?.ranges(argument).isEmpty == false
            })
        var listed = Array(argument.utf8)
        for part in Invocation.parsed([name, argument]).secrets {
            #expect(part.word == 1)
            for index in part.bytes { listed[index] = UInt8(ascii: "*") }
        }
        #expect(!String(decoding: listed, as: UTF8.self).contains("s3cret"))
        let folder = try ScratchFolder()
        let url = "http://127.0.0.1:1/"
        let command = await runTool(name, argument, "--curl", url)
        let files = ["json", "junit", "har"].map(folder.file)
        let run = await runTool(
            name, argument, "--report", files[0], "--report", "junit:\(files[1])", "--har", files[2], url)
        #expect(run.status != 0)
        for text in [command.output, command.errors, run.output, run.errors]
            + (try folder.list().map { try folder.text(of: $0) })
        {
            #expect(!text.contains("s3cret") && !text.contains("YWRhOnMzY3JldA"), "\(text)")
        }
    }

    @Test(arguments: names { !$0.relations.yieldsTo.isEmpty })
    func `an option of a later source replaces those that yield to it`(name: String) throws {
        let option = try self.option(name)
        for other in option.relations.yieldsTo {
            var assignments = Assignments()
            let source = AssignmentSource.configuration(path: "f", key: "default_options")
            assignments.add(Invocation.parsed(try option.entry.exampleWords(), from: source))
            #expect(assignments.last(name) != nil)
            assignments.add(Invocation.parsed(try self.option(other).entry.exampleWords()))
            #expect(assignments.last(name)?.source == (name == other ? .typed : nil))
        }
    }
}

extension OptionEntry {
    /// The option with an argument that it accepts.
    func exampleWords() throws -> [String] {
        guard case .argument(let placeholder, let hint) = shape else { return [name] }
        if case .choice(let choices) = hint { return [name, try #require(choices.last)] }
        let byPlaceholder = [
            "HEADER": "A: b", "RANGES": "0-9", "DURATION": "1s", "SECONDS": "1", "NUMBER": "1", "BYTES": "1k",
            "LETTERS": "h", "PARAM==PATH": "page==next", "K/N": "1/2",
            "LIST": "404", "FILE": "/dev/null", "TYPE": "text/plain", "OPTIONS": "json.indent:2",
            "[SCHEME:]URL": "http://p:1", "PORTS": "20000-29999",
            "URL": "https://r.example/", "PHASE=DURATION": "ttfb=1s",
            "CHECKSUM": "md5:900150983cd24fb0d6963f7d28e17f72",
            "PIN": "sha256//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
        ]
        let own = ["--curves": "X25519", "--preproxy": "socks5://p:1", "--save": "/dev/null.hurl"]
        if let argument = own[name] { return [name, argument] }
        if name == "--tls13-ciphers" { return [name, "TLS_AES_128_GCM_SHA256"] }
        if placeholder == "RULE" { return [name, name == "--resolve" ? "a:80:127.0.0.1" : "a:80:b:81"] }
        return [name, byPlaceholder[placeholder] ?? "text"]
    }
}
