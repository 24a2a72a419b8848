import TestSupport

extension ScratchFolder {
    /// Runs the built tool in this directory, without `HOME` and with these environment variables only.
    nonisolated(nonsending) func afcli(
        _ words: [String],
        variables: [String: String] = [:],
        input: Program.Input = .empty,
        within limit: Duration = Deadline.timeout
    ) async throws -> ProgramResult {
        try await tool(words, variables: variables, input: input).run(within: limit)
    }

    nonisolated(nonsending) func afcli(_ words: String...) async throws -> ProgramResult { try await afcli(words) }

    /// Returns the built tool with this working directory, not started yet.
    func tool(
        _ words: [String],
        variables: [String: String] = [:],
        input: Program.Input = .empty
    ) throws -> Program {
        var program = Program(try Program.afcliPath(), words, input: input, workingDirectory: path)
        program.environment = ["LANG": "C.UTF-8"].merging(variables) { $1 }
        return program
    }

    /// Runs the built tool on a terminal with 80 columns.
    nonisolated(nonsending) func afcliOnTerminal(_ words: String...) async throws -> ProgramResult {
        try await tool(words, variables: ["TERM": "xterm"]).onTerminal().run()
    }

    /// Whether the file exists and has exactly these contents.
    func holds(_ text: String, in name: String) -> Bool { (try? self.text(of: name)) == text }
}

extension ProgramResult {
    /// The complete output on all streams.
    var allOutput: String { text + errorText + screenText }
}
