import Testing

@testable import AFCommand

@Suite struct ColorDecisionTests {
    @Test(
        arguments: [
            (.always, false, ["NO_COLOR": "1", "TERM": "dumb"], true),
            (.never, true, ["FORCE_COLOR": "1"], false),
            (.auto, true, [:], true),
            (.auto, false, [:], false),
            (.auto, true, ["TERM": "dumb"], false),
            (.auto, true, ["NO_COLOR": "1", "FORCE_COLOR": "1"], false),
            (.auto, true, ["NO_COLOR": ""], true),
            (.auto, false, ["FORCE_COLOR": "1"], true),
            (.auto, false, ["CLICOLOR_FORCE": "1", "TERM": "dumb"], true),
            (.auto, false, ["CLICOLOR_FORCE": "0"], false),
            (.auto, true, ["FORCE_COLOR": "0"], false),
        ] as [(OutputArguments.Color, Bool, [String: String], Bool)])
    func `the option, then the environment, then the terminal decide`(
        option: OutputArguments.Color, isTerminal: Bool, environment: [String: String], expected: Bool
    ) {
        let variables = Variables(environment)
        let decision = ColorDecision.isColored(option, isTerminal: isTerminal, environment: variables)
        #expect(decision == expected)
    }
}

@Suite struct MessageColorTests {
    @Test func `the kind of a message is colored on a terminal`() async {
        let run = await runTool("--style", "nonesuch", "--bogus", "localhost", in: .terminal())
        #expect(run.errors.hasPrefix("afcli: \u{1B}[1;31merror:\u{1B}[0m --bogus: unknown option\n"))
        let offline = await runTool("--offline", "--style", "nonesuch", "localhost", in: .terminal())
        #expect(offline.errors.hasPrefix("afcli: \u{1B}[1;35mwarning:\u{1B}[0m unknown style 'nonesuch'"))
    }

    @Test(
        arguments: [
            (["--color", "never"], [:], true), ([], ["NO_COLOR": "1"], true), ([], ["TERM": "dumb"], true),
            (["--color", "auto"], [:], false),
        ] as [([String], [String: String], Bool)])
    func `options and the environment disable the colors of messages`(
        options: [String], variables: [String: String], isTerminal: Bool
    ) async {
        let world = isTerminal ? ToolWorld.terminal(variables: variables) : ToolWorld()
        let run = await runTool(options + ["--max-redirects", "x", "localhost"], in: world)
        #expect(run.errors.hasPrefix("afcli: error: "))
    }

    @Test func `a typed color is for messages, too`() async {
        let run = await runTool("--color", "always", "--max-redirects", "x", "localhost")
        #expect(run.errors.hasPrefix("afcli: \u{1B}[1;31merror:\u{1B}[0m "))
    }

    @Test func `options of run color messages`() async {
        let words = ["--variable", "a=1", "--secret", "a=2", "s.hurl"]
        let plain = await runTool(["run", "--no-color"] + words, in: .terminal())
        #expect(plain.errors.hasPrefix("afcli: error: --secret: "), "\(plain.errors)")
        let colored = await runTool(["run", "--color"] + words)
        #expect(colored.errors.hasPrefix("afcli: \u{1B}[1;31merror:\u{1B}[0m --secret: "), "\(colored.errors)")
    }

    @Test func `messages of curl have no colors`() async {
        let run = await runTool("curl", "--bogus", "localhost", in: .terminal())
        #expect(run.errors.hasPrefix("curl: ") && !run.errors.contains("\u{1B}"), "\(run.errors)")
    }
}
