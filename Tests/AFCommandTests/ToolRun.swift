import Dispatch
import Synchronization
import TestSupport

@testable import AFCommand
@testable import AFFormatting

/// The result of a run of the tool in this process.
struct ToolRun: Sendable {
    let status: Int32
    let outputBytes: [UInt8]
    let errors: String

    var output: String { String(decoding: outputBytes, as: UTF8.self) }

    /// The lines of standard error.
    var messages: [String] { errors.split(separator: "\n").map(String.init) }
}

/// The outside world of such a run.
struct ToolWorld: Sendable {
    var variables: [String: String] = ["LANG": "C.UTF-8"]
    var standardInput = StandardInput.fixed(.nullDevice)
    /// The width of the terminal that standard output is; `nil` for a pipe.
    var outputColumns: Int?
    /// The width of the terminal that standard error is; `nil` for a pipe.
    var errorColumns: Int?
    var output: any ByteOutput = MemoryOutput()
    let errors = MemoryOutput()
    /// Replies to prompts.
    var answers: @Sendable (_ question: String, _ isSecret: Bool) throws -> String = { question, _ in
        throw UsageError("asked '\(question)'")
    }
    /// Called when the run begins to listen for signals.
    var onListening: @Sendable () -> Void = {}
    var homeDirectory: String?

    /// Both outputs are terminals.
    static func terminal(columns: Int = 80, variables: [String: String] = [:]) -> ToolWorld {
        ToolWorld(
            variables: ["LANG": "C.UTF-8", "TERM": "xterm"].merging(variables) { $1 },
            outputColumns: columns,
            errorColumns: columns
        )
    }

    func with(variables: [String: String]) -> ToolWorld {
        var world = self
        world.variables.merge(variables) { $1 }
        return world
    }

    var environment: Environment {
        Environment(
            variables: Variables(variables),
            standardInput: standardInput,
            files: .system(homeDirectory: homeDirectory),
            credentials: .fixed(variables: variables, answers: answers),
            output: output,
            errors: errors,
            outputTerminal: outputColumns.map { TerminalSize(columns: $0) },
            errorTerminal: errorColumns.map { TerminalSize(columns: $0) },
            outputsAreOneFile: output === errors,
            errorColumns: { [errorColumns] in errorColumns },
            now: { monotonicNow() },
            onInterrupt: { [onListening] _ in
                onListening()
                return false
            }
        )
    }
}

/// Runs the complete tool in this process.
func runTool(_ words: String..., in world: ToolWorld = ToolWorld()) async -> ToolRun {
    await runTool(words, in: world)
}

func runTool(_ words: [String], in world: ToolWorld = ToolWorld()) async -> ToolRun {
    // The tool blocks its thread, and the tests' own are few.
    let status = await withCheckedContinuation { waiter in
        DispatchQueue(label: "tool").async {
            waiter.resume(returning: Program(world.environment).run(words.map { Array($0.utf8) }))
        }
    }
    let bytes = (world.output as? MemoryOutput)?.bytes ?? []
    return ToolRun(status: status.code, outputBytes: bytes, errors: world.errors.text)
}

private func monotonicNow() -> Double {
    let elapsed = ContinuousClock.now - start
    return elapsed / .seconds(1)
}

private let start = ContinuousClock.now

extension ScratchFolder {
    /// Whether a file is there and holds exactly this.
    func holds(_ text: String, in name: String) -> Bool { holds(Array(text.utf8), in: name) }

    func holds(_ content: [UInt8], in name: String) -> Bool { (try? bytes(of: name)) == content }
}
