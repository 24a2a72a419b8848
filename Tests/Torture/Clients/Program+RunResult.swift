import Glibc
import TestSupport

extension Program {
    /// Runs the program; after the limit it is killed and overdue. Its children end with it.
    func result(within limit: Duration) async throws -> RunResult {
        var program = self
        program.endsWithTests = true
        let running = try program.start()
        return try await running.result(within: limit)
    }
}

extension RunningProgram {
    func result(within limit: Duration, sentSignal: Int32? = nil) async throws -> RunResult {
        do {
            return RunResult(try await waitForEnd(within: limit), sentSignal: sentSignal)
        } catch is DeadlinePassed {
            // `waitForEnd(within:)` has killed it.
            _ = try await waitForEnd(within: .seconds(20))
            return .overdue
        }
    }
}
