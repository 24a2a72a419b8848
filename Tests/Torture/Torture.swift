import Glibc
import TestSupport

/// Runs all cases with all clients and writes the results.
struct Torture {
    let options: Options
    let tools: Tools

    /// The number of concurrent cases: they mostly wait, but a machine may have only two processors.
    private let lanes = 8

    init(_ options: Options) throws {
        self.options = options
        tools = try Tools(afcli: options.afcli, withOthers: !options.isShort)
    }

    /// The clients; the short form omits the comparison.
    private var clients: [Client] { options.isShort ? [.afcli] : Client.allCases }

    func run() async throws -> Results {
        let start = ContinuousClock.now
        var results = try await emptyResults()
        results.selfChecks = try await SelfCheck.run()
        printLine("The judge rejected \(results.selfChecks) intentionally broken clients.")
        results.rows = await runCases()
        if options.includesKills {
            for client in clients {
                let series = KillSeries(
                    client: client, tools: tools, seed: options.seed, isShort: options.isShort, lanes: lanes)
                let tallies = await series.run()
                results.series.append((client, tallies))
                tallies.forEach { show($0, client) }
            }
        }
        results.duration = start.duration(to: .now)
        return results
    }

    private func emptyResults() async throws -> Results {
        var system = try await Program.installed("uname", package: "coreutils", ["-srm"]).run().text
        system.removeAll { $0 == "\n" }
        let date = try await Program.installed("date", package: "coreutils", ["-u", "+%Y-%m-%d %H:%M UTC"]).run().text
        var results = Results(
            command: (["torture"] + CommandLine.arguments.dropFirst()).joined(separator: " "),
            seed: options.seed,
            isShort: options.isShort,
            date: date.filter { $0 != "\n" },
            system: system,
            hasRealDisk: SmallDisk.isReal,
            isRoot: getuid() == 0
        )
        for client in clients { results.versions.append((client.rawValue, try await tools.version(of: client))) }
        return results
    }

    // Cases

    private struct Round: Sendable {
        let trial: Trial
        let client: Client
        let seed: UInt64
    }

    private func runCases() async -> [Row] {
        let trials = Trial.all.filter(options.includes)
        var rounds: [Round] = []
        for trial in trials {
            for client in clients where trial.clients.contains(client) {
                for time in 0..<times(trial) {
                    rounds.append(Round(trial: trial, client: client, seed: options.seed &+ UInt64(time)))
                }
            }
        }
        let tools = tools
        let results = await concurrently(rounds, lanes: lanes) { round in
            let fixture = try Fixture(round.client, tools, seed: round.seed)
            defer { fixture.stop() }
            return try await round.trial.run(fixture)
        }
        return trials.map { trial in
            var row = Row(
                group: trial.group,
                name: trial.name,
                times: times(trial),
                isCounted: trial.expectation.isCounted
            )
            for client in clients where trial.clients.contains(client) {
                let own = results.filter { $0.0.client == client && $0.0.trial.name == trial.name }
                row.cells[client] = Row.Cell(own.map(\.1), trial.expectation)
            }
            show(row)
            return row
        }
    }

    private func times(_ trial: Trial) -> Int { options.isShort ? trial.times.short : trial.times.full }

    // Progress

    private func show(_ row: Row) {
        let others = [Client.curl, .wget].compactMap { client in
            row.cells[client].map { "\n         \(client.rawValue): \($0.text)" }
        }
        printLine(
            "\(row.isRight ? "ok    " : "FAILED") \(row.name): \(row.cells[.afcli]?.text ?? "–")\(others.joined())")
    }

    private func show(_ tally: KillSeries.Tally, _ client: Client) {
        let mark = client != .afcli ? "      " : tally.isRight ? "ok    " : "FAILED"
        let counts = "\(tally.hits.count) of \(tally.required) kills, \(tally.misses.count) missed"
        printLine("\(mark) \(client.rawValue), killed \(tally.kind.rawValue): \(counts); \(tally.summary)")
        if !options.isShort || !tally.isRight {
            tally.hits.forEach { printLine("         " + $0.line) }
            tally.misses.forEach { printLine("         missed: " + $0.line) }
        }
        tally.faults.prefix(20).forEach { printLine("         \($0)") }
    }
}

extension Trial.Expectation {
    fileprivate var isCounted: Bool { if case .unknowable = self { false } else { true } }
}

/// Writes a line to standard output, unbuffered.
func printLine(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    _ = write(STDOUT_FILENO, bytes, bytes.count)
}
