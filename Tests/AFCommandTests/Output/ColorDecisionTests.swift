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
