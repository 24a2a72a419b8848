import TestSupport

extension ScratchFolder {
    /// Runs the tool as it was built, in this folder and in a world that has nothing else: no home, no variables but these.
    nonisolated(nonsending) func afcli(
        _ words: [String],
        variables: [String: String] = [:],
        input: Program.Input = .empty,
        within limit: Duration = Deadline.timeout
    ) async throws -> ProgramResult {
        try await tool(words, variables: variables, input: input).run(within: limit)
    }

    nonisolated(nonsending) func afcli(_ words: String...) async throws -> ProgramResult { try await afcli(words) }

    /// The tool in this folder, not started yet.
    func tool(
        _ words: [String],
        variables: [String: String] = [:],
        input: Program.Input = .empty
    ) throws -> Program {
        var program = Program(try Program.afcliPath(), words, input: input, workingDirectory: path)
        program.environment = ["LANG": "C.UTF-8"].merging(variables) { $1 }
        return program
    }

    /// The tool on a terminal that is 80 columns wide.
    nonisolated(nonsending) func afcliOnTerminal(_ words: String...) async throws -> ProgramResult {
        try await tool(words, variables: ["TERM": "xterm"]).onTerminal().run()
    }

    /// Whether a file is there and holds exactly this.
    func holds(_ text: String, in name: String) -> Bool { (try? self.text(of: name)) == text }
}

extension ProgramResult {
    /// The complete output on all streams.
    var everything: String { text + errorText + screenText }
}
