extension ResultsPage {
    /// Of each kind: how many fell where they were to fall, and what they cost.
    var killTable: String {
        let lines = results.kills.map { tally in
            let again = tally.hits.map(\.again).sorted()
            let median = again.isEmpty ? "–" : again[again.count / 2].grouped
            let litter = tally.hits.count(where: \.hasLitter)
            return "| \(tally.kind.rawValue) | \(tally.hits.count) of \(tally.wanted) | \(tally.misses.count) "
                + "| \(tally.story) | \(median) | \(again.last?.grouped ?? "–") | \(litter) |"
        }
        return """
            ## SIGKILL, then the rest

            \(results.killCount) kills of afcli, \(results.killsInBody) of them between the first and the last byte of the body \
            (\(results.neededInBody) are needed): some bytes were on the disk when the process was dead, and some had not yet \
            left the server, which counts them. A body of 3 MiB takes 2.6 s, \
            and so does one of 12 MiB in four segments, at least two of which were under way when the process was killed, so that the record is renewed on the way; "fetched again" is what the next attempt fetched though the \
            server had sent it before, its last piece on the way included. Every second kill of the first two kinds falls into \
            an attempt that goes on already. "While the record is written" and "while the file gets its name" are places, not \
            moments: strace kills the process as it makes a certain system call. What misses is repeated.

            | killed | kills | missed | in the end | fetched again: median | most | left a temporary file |
            |---|---|---|---|---|---|---|
            \(lines.joined(separator: "\n"))
            """
    }

    /// Where in the body the kills fell, in tenths of it.
    var offsetTable: String {
        let head = (0..<10).map { "\($0 * 10) %" }.joined(separator: " | ")
        let lines = results.kills.filter { $0.kind == .body || $0.kind == .segments }.map { tally in
            var tenths = [Int](repeating: 0, count: 10)
            for kill in tally.hits {
                // The room for segments is taken at once.
                let place = tally.kind == .segments ? kill.sent : kill.held
                tenths[min(9, place * 10 / max(1, kill.size))] += 1
            }
            return "| \(tally.kind.rawValue) | " + tenths.map(String.init).joined(separator: " | ") + " |"
        }
        return """
            Where in the body, in tenths of it (bytes on the disk; of segments, bytes that had left the server):

            | from | \(head) |
            |---|---|---|---|---|---|---|---|---|---|---|
            \(lines.joined(separator: "\n"))
            """
    }

    /// The kills of other clients.
    var otherKills: String {
        let lines = results.series.filter { $0.client != .afcli }.flatMap { series in
            series.tallies.map { tally in
                let again = tally.hits.map(\.again).sorted()
                let median = again.isEmpty ? "–" : again[again.count / 2].grouped
                return "| \(series.client.rawValue) | \(tally.kind.rawValue) | \(tally.hits.count) | \(tally.story) "
                    + "| \(median) |"
            }
        }
        guard !lines.isEmpty else { return "" }
        return """
            The same with the others, from a server that has the same resource all the time. They keep no record: they begin \
            where the file ends.

            | client | killed | kills | in the end | fetched again: median |
            |---|---|---|---|---|
            \(lines.joined(separator: "\n"))
            """
    }

    /// Every kill.
    var offsets: String {
        let lines = results.kills.flatMap { tally in
            ["", "\(tally.kind.rawValue):"] + tally.hits.sorted { $0.sent < $1.sent }.map { "  " + $0.line }
        }
        return "## Every kill\n\n```\n\(lines.dropFirst().joined(separator: "\n"))\n```"
    }
}

extension KillSeries.Tally {
    /// The results of the downloads.
    var story: String {
        if verdicts.keys.contains(.unavailable) { return "FAILED: this afcli has no such option" }
        let parts = verdicts.sorted { $0.value > $1.value }.map { "\($0.value) × \($0.key.text)" }
        let errors = faults.isEmpty ? [] : ["\(faults.count) FAILED"]
        return (parts + errors).joined(separator: "; ")
    }
}

extension Int {
    /// With a space between thousands.
    var grouped: String {
        let digits = Array(String(self))
        return digits.indices.map { index in
            let rest = digits.count - index
            return (index > 0 && rest % 3 == 0 ? " " : "") + String(digits[index])
        }.joined()
    }
}
