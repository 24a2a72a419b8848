import AFHTTP
import TestSupport
import Testing

@testable import AFCommand
@testable import AFFormatting

/// Every option with every kind of invalid argument, generated from the table of options.
///
/// A new option whose argument may be nearly anything must be added to one of the sets below.
@Suite(.timeLimit(.minutes(5))) struct BadArgumentTests {
    enum Kind: String, CaseIterable {
        case empty, malformed, endless

        var argument: String {
            switch self {
            case .empty: ""
            case .malformed: "\u{1}\u{7F} \n=:;,@%[\u{1B}[2J"
            case .endless: String(repeating: "a", count: 100_000)
            }
        }

        /// Options that accept such an argument, or whose check is not part of this test.
        var accepting: Set<String> {
            switch self {
            case .empty:
                [
                    "--raw", "--no-proxy", "--proxy", "--print", "--history-print",
                    "--write-out",
                ]
            // Names that may be anything.
            case .malformed:
                [
                    "--raw", "--output", "--unix-socket", "--cookie-jar", "--hsts", "--har", "--report",
                    "--write-out", "--expect-body", "--abstract-unix-socket", "--header-file",
                ]
            case .endless:
                [
                    "--raw", "--method", "--expect-header", "--expect-json",
                    "--expect-body", "--fail-if", "--filter", "--request-target", "--write-out",
                ]
            }
        }
    }

    static let options = Invocation.options.entries.filter { $0.argument?.isOptional == false }

    @Test(arguments: Kind.allCases)
    func `the parser rejects invalid arguments in one sentence, quickly`(kind: Kind) throws {
        for option in Self.options {
            let start = ContinuousClock.now
            do {
                _ = try Invocation(parsing: ["example.org", "\(option.name)=\(kind.argument)"])
            } catch {
                #expect(error.message.hasPrefix("\(option.name): "), "\(error.message.prefix(100))")
            }
            #expect(start.duration(to: .now) < .seconds(20), "\(option.name)")
        }
    }

    @Test(arguments: Kind.allCases)
    func `an invalid argument is reported with its option, and nothing is sent or written`(kind: Kind) async throws {
        try await withServer { _ in
            .ok("answer")
        } _: { server in
            for option in Self.options {
                let folder = try ScratchFolder()
                var program = try Program.afcli(server.url(), "\(option.name)=\(kind.argument)")
                // The directory option does not apply to arguments that are not files.
                if option.name == "--output-dir" { program.arguments.append("--download") }
                program.environment = ["HOME": folder.path]
                program.workingDirectory = folder.path
                let asked = server.requests.count
                let result = try await program.run()
                #expect(result.signal == nil, "\(option.name)")
                if kind.accepting.contains(option.name) {
                    #expect(result.status != 64 && result.status != 16, "\(option.name): \(result.errorText)")
                    continue
                }
                #expect([64, 16].contains(result.status), "\(option.name): \(result.status) \(result.errorText)")
                #expect(result.text.isEmpty, "\(option.name)")
                #expect(server.requests.count == asked, "\(option.name)")
                #expect(folder.list() == [], "\(option.name)")
                expectClear(result.errorText, naming: option)
            }
        }
    }

    @Test func `invalid UTF-8 is rejected at any position`() async throws {
        try await withServer { _ in
            .ok("answer")
        } _: { server in
            for option in Self.options {
                let errors = MemoryOutput()
                let world = ToolWorld()
                var environment = world.environment
                environment.errors = errors
                let words = [
                    Array("get".utf8), Array(server.url().utf8), Array("\(option.name)=".utf8) + [0xC3, 0x28],
                ]
                #expect(Program(environment).run(words).code == 64)
                let message = "afcli: error: \(option.name): argument 3 is not UTF-8\n"
                #expect(errors.text.hasPrefix(message), "\(errors.text)")
                #expect(errors.text.split(separator: "\n").count == 2)
            }
            #expect(server.requests.isEmpty)
        }
    }

    @Test(arguments: [
        ["password[x=s3cret"], ["a[password=s3cret"], ["password=A", "password[b]=s3cret"],
    ])
    func `the value of an invalid key with a secret name is not shown`(items: [String]) async {
        let run = await runTool(["--offline", "post", "localhost"] + items)
        #expect(run.status == 64)
        #expect(run.errors.contains("JSON key"))
        #expect(!run.errors.contains("s3cret"))
    }

    @Test func `an option without its argument is named by the program, too`() async throws {
        for option in Self.options {
            let result = try await Program.afcli("example.org", option.name).run()
            #expect(result.status == 64)
            expectClear(result.errorText, naming: option)
        }
    }

    @Test(arguments: [
        ["--" + String(repeating: "a", count: 100_000)], ["-" + String(repeating: "0", count: 100_000)],
        ["--help=" + String(repeating: "a", count: 100_000)],
        ["h", String(repeating: "a", count: 100_000)], ["h", "a" + String(repeating: "[", count: 100_000) + "=b"],
        ["h", "a:=" + String(repeating: "[", count: 100_000)], ["h", String(repeating: "ä", count: 50_000) + ":b"],
        ["http://" + String(repeating: "a", count: 100_000) + ":x/"],
    ])
    func `a very long argument is shown in part`(words: [String]) async {
        let start = ContinuousClock.now
        let run = await runTool(words)
        #expect(run.status == 64, "\(run.errors)")
        #expect((1...4).contains(run.messages.count))
        #expect(run.errors.utf8.count < 2000)
        #expect(start.duration(to: .now) < .seconds(20))
    }

    /// Checks for one sentence and one hint, in readable lines without control characters.
    ///
    /// The reason why a file cannot be used, and the kind of credentials that an option requires, need no hint.
    private func expectClear(_ errors: String, naming option: OptionEntry) {
        let lines = errors.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect(lines.first?.hasPrefix("afcli: error: ") == true, "\(option.name): \(errors)")
        #expect(option.spellings.contains { lines.first?.contains($0) == true }, "\(option.name): \(errors)")
        let needsNoHint = [": cannot read '", ": cannot write '", "requires --auth-type oauth2"].contains {
            lines.first?.contains($0) == true
        }
        #expect(((needsNoHint ? 1 : 2)...4).contains(lines.count), "\(option.name): \(errors)")
        #expect(lines.allSatisfy { $0.utf8.count < 800 }, "\(option.name)")
        #expect(errors.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0.value != 0x7F })
    }
}
