import TestSupport
import Testing

/// The environment as the program itself looks it up.
@Suite(.timeLimit(.minutes(5))) struct VariableTests {
    private func login(_ source: String) async throws -> ProgramResult {
        var program = Program(try Program.afcliPath(), ["--offline", "-p", "H", "-a", source, "http://a.test/"])
        program.environment = ["LOGIN": "x=ada:pw"]
        return try await program.run()
    }

    @Test func `a variable has everything behind the first equals sign`() async throws {
        let run = try await login("env:LOGIN")
        // "x=ada:pw" in Base64.
        #expect(run.text.contains("Authorization: Basic eD1hZGE6cHc="), "\(run.text) \(run.errorText)")
    }

    @Test func `an equals sign is no part of a variable's name`() async throws {
        let run = try await login("env:LOGIN=x")
        #expect(run.status == 64, "\(run.text)")
        #expect(run.errorText.contains("is not set"), "\(run.errorText)")
    }
}
