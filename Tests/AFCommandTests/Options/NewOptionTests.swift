import Testing

@testable import AFCommand
@testable import afcli_docs

/// A new option touches one file: everything about this one is in its definition.
@Suite struct NewOptionTests {
    fileprivate struct SealArguments: Equatable, Sendable {
        var key: String?
        var isStrict = false

        @OptionList<Self> static var options: [Option<Self>] {
            Option(
                "-K", "--seal-key",
                summary: "Write the seal with this key",
                details: "A path, or `text:KEY`.",
                excludes: ["--strict"],
                repetition: .error(hint: "one key is enough"),
                writes: WrittenFiles { argument, _ in argument.hasPrefix("text:") ? [] : [.init(path: argument)] },
                secrets: ArgumentSecrets { $0.hasPrefix("text:") ? [5..<$0.utf8.count] : [] },
                variables: .ofDefault("SEAL_KEY") { $0.key = "of the variable" },
                effect: .argument("KEY", sets: \.key)
            )

            Option(
                "--strict",
                summary: "Fail without a seal",
                requires: OptionRequirement { $0.key == nil ? UsageError("requires --seal-key") : nil },
                yieldsTo: ["--seal-key"],
                effect: .flag(\.isStrict, sets: true)
            )
        }
    }

    private let table = OptionTable(all: SealArguments.options.map { Option($0, of: { \.seal }, in: "Seals") })

    private func parse(_ words: [String], _ source: AssignmentSource = .typed) -> ParsedArguments {
        var parser = Parser(words, table, source)
        return parser.parse()
    }

    private func check(_ layers: ParsedArguments...) throws -> Invocation {
        var assignments = Assignments()
        for layer in layers { assignments.add(layer) }
        let values = Invocation(assignments)
        try assignments.checkRelations(values)
        return values
    }

    private let file = AssignmentSource.configuration(path: "f", key: "default_options")

    @Test func `it is parsed, negated, abbreviated and stored`() throws {
        let values = try check(parse(["a", "-Kk", "b"]))
        #expect(values.seal == SealArguments(key: "k"))
        #expect(values.positionals == ["a", "b"])
        #expect(try check(parse(["--seal=k", "--no-seal-key"])).seal.key == nil)
        #expect(parse(["--seal-kee=k"]).error?.hint == "did you mean --seal-key?")
    }

    @Test(arguments: [
        (["--strict"], "--strict: requires --seal-key"),
        (["--strict", "-K", "k"], "--strict: cannot be combined with --seal-key"),
        (["-K", "k", "--seal-key=l"], "--seal-key: cannot be repeated"),
    ])
    func `its relations are checked`(words: [String], message: String) {
        let error = #expect(throws: UsageError.self) { try check(parse(words)) }
        #expect(error?.message == message)
    }

    @Test func `sources take precedence over each other`() throws {
        #expect(try check(parse(["--strict"], file), parse(["-K", "k"])).seal == SealArguments(key: "k"))
        let variables = ParsedArguments(Variables(["SEAL_KEY": "x"]), table)
        #expect(variables.assignments.map(\.source) == [.variable("SEAL_KEY")])
        #expect(try check(parse(["-K", "k"], file), variables).seal.key == "of the variable")
        #expect(try check(variables, parse(["-K", "k"])).seal.key == "k")
    }

    @Test func `its secrets and its files are known`() {
        let line = parse(["-Ktext:s3cret"])
        let secrets = line.assignments.flatMap { assignment in
            assignment.option.relations.secrets?.ranges(of: assignment.value ?? "", at: assignment.position) ?? []
        }
        #expect(secrets == [WordRange(word: 0, bytes: 7..<13)])
        var assignments = Assignments()
        assignments.add(parse(["-K", "/tmp/same", "--seal-key", "/tmp/same"]))
        let known = assignments
        #expect(throws: Never.self) { try known.checkFiles(.system(homeDirectory: nil)) }
    }

    @Test func `help, manual and completions describe it`() {
        let help = HelpScreen(table.entries, width: 80).text(about: .option("--seal-key"))
        #expect(help.contains("Write the seal with this key"))
        for document in GeneratedDocument.allCases where document != .runMan {
            #expect(document.text(about: table.entries).contains("seal"), "\(document)")
        }
    }
}

extension Invocation {
    /// The property of the new subject, in place of a stored one.
    fileprivate var seal: NewOptionTests.SealArguments {
        get { .init(key: request.boundary, isStrict: request.isChunked) }
        set { (request.boundary, request.isChunked) = (newValue.key, newValue.isStrict) }
    }
}
