import Glibc
import TestSupport

extension Program {
    /// Runs the program; after the limit it is killed and overdue. Its children end with it.
    func endingInOrder(within limit: Duration) async throws -> Ending {
        var program = self
        program.endsWithTests = true
        let running = try program.start()
        return try await running.ending(within: limit)
    }
}

extension RunningProgram {
    func ending(within limit: Duration, sentSignal: Int32? = nil) async throws -> Ending {
        do {
            return Ending(try await waitForEnd(within: limit), sentSignal: sentSignal)
        } catch is DeadlinePassed {
            // `waitForEnd(within:)` has killed it.
            _ = try await waitForEnd(within: .seconds(20))
            return .overdue
        }
    }
}
