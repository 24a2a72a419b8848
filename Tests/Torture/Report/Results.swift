/// The results of one run of the program.
struct Results: Sendable {
    var command: String
    var seed: UInt64
    var isShort: Bool
    var date: String
    var duration: Duration = .zero
    var versions: [(name: String, version: String)] = []
    var system: String
    var hasRealDisk: Bool
    var isRoot: Bool
    var selfChecks = 0
    var rows: [Row] = []
    var series: [(client: Client, tallies: [KillSeries.Tally])] = []

    var clients: [Client] { versions.compactMap { Client(rawValue: $0.name) } }

    var kills: [KillSeries.Tally] { series.first { $0.client == .afcli }?.tallies ?? [] }
    var killCount: Int { kills.reduce(0) { $0 + $1.hits.count } }
    /// The number of kills of any kind between the first and the last byte.
    var killsInBody: Int {
        kills.reduce(0) { sum, tally in
            sum + tally.hits.count { $0.kind == .segments ? $0.isInSegments : $0.isInBody }
        }
    }
    var neededInBody: Int { kills.isEmpty ? 0 : isShort ? 6 : 150 }

    var faults: [String] {
        var faults = rows.filter { !$0.isRight }.map { "\($0.name): \($0.cells[.afcli]?.text ?? "not run")" }
        for tally in kills where !tally.isRight {
            let summary = "\(tally.hits.count) of \(tally.required) kills \(tally.kind.rawValue)"
            if tally.verdicts.keys.contains(.unavailable) {
                faults.append("\(summary): FAILED, this afcli has no such option")
            } else {
                faults.append("\(summary); " + tally.faults.prefix(5).joined(separator: "; "))
            }
        }
        if killsInBody < neededInBody {
            faults.append("\(killsInBody) of \(neededInBody) kills between the first and the last byte")
        }
        return faults
    }

    /// Returns the number of cases that ended with status 0 and a wrong file, undetectable ones excluded.
    func wrongFiles(of client: Client) -> Int {
        rows.count { $0.isCounted && $0.cells[client]?.isWrongFile == true }
    }
}
