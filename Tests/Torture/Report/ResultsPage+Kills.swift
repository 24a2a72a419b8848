extension ResultsPage {
    /// The hits of each kind, their results and the bytes fetched again.
    var killTable: String {
        let lines = results.kills.map { tally in
            let again = tally.hits.map(\.refetched).sorted()
            let median = again.isEmpty ? "–" : again[again.count / 2].grouped
            let temporaryFiles = tally.hits.count(where: \.leftTemporaryFile)
            return "| \(tally.kind.rawValue) | \(tally.hits.count) of \(tally.required) | \(tally.misses.count) "
                + "| \(tally.summary) | \(median) | \(again.last?.grouped ?? "–") | \(temporaryFiles) |"
        }
        return """
            ## SIGKILL, then a resumed download

            \(results.killCount) kills of afcli, \(results.killsInBody) of them between the first and the last byte \
            of the body (\(results.neededInBody) are needed): after the kill, some bytes were on disk, and the server \
            had not yet sent some others. A body of 3 MiB takes 2.6 s, as does one of 12 MiB in four segments, at \
            least two of which were in progress at the kill, so the record is updated meanwhile. "Fetched again" is \
            the number of bytes that the next attempt fetched although the server had sent them before, including the \
            bytes in transit at the kill. Every second kill of the first two kinds hits a resumed download. "While \
            the record is written" and "while the file is finished" are system calls, not times: strace kills the \
            process before the call. Missed kills are repeated.

            | killed | kills | missed | result | fetched again: median | maximum | left a temporary file |
            |---|---|---|---|---|---|---|
            \(lines.joined(separator: "\n"))
            """
    }

    /// The positions of the kills in the body, in tenths.
    var offsetTable: String {
        let head = (0..<10).map { "\($0 * 10) %" }.joined(separator: " | ")
        let lines = results.kills.filter { $0.kind == .body || $0.kind == .segments }.map { tally in
            var tenths = [Int](repeating: 0, count: 10)
            for kill in tally.hits {
                // The space for segments is allocated at the start.
                let place = tally.kind == .segments ? kill.sent : kill.onDisk
                tenths[min(9, place * 10 / max(1, kill.size))] += 1
            }
            return "| \(tally.kind.rawValue) | " + tenths.map(String.init).joined(separator: " | ") + " |"
        }
        return """
            Position of the kills in the body, in tenths (bytes on disk; for segments, bytes sent by the server):

            | from | \(head) |
            |---|---|---|---|---|---|---|---|---|---|---|
            \(lines.joined(separator: "\n"))
            """
    }

    /// The kills of other clients.
    var otherKills: String {
        let lines = results.series.filter { $0.client != .afcli }.flatMap { series in
            series.tallies.map { tally in
                let again = tally.hits.map(\.refetched).sorted()
                let median = again.isEmpty ? "–" : again[again.count / 2].grouped
                return "| \(series.client.rawValue) | \(tally.kind.rawValue) | \(tally.hits.count) | \(tally.summary) "
                    + "| \(median) |"
            }
        }
        guard !lines.isEmpty else { return "" }
        return """
            The same for the other clients, with an unchanged resource. They store no record: they resume at the end \
            of the file.

            | client | killed | kills | result | fetched again: median |
            |---|---|---|---|---|
            \(lines.joined(separator: "\n"))
            """
    }

    /// A line for each kill.
    var offsets: String {
        let lines = results.kills.flatMap { tally in
            ["", "\(tally.kind.rawValue):"] + tally.hits.sorted { $0.sent < $1.sent }.map { "  " + $0.line }
        }
        return "## Every kill\n\n```\n\(lines.dropFirst().joined(separator: "\n"))\n```"
    }
}

extension KillSeries.Tally {
    /// The results of the downloads.
    var summary: String {
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
