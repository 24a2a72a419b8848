/// The results as Markdown.
struct ResultsPage {
    let results: Results

    var text: String {
        ([head, summary] + [killTable, offsetTable, otherKills] + groups + [offsets])
            .filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
    }

    private var head: String {
        """
        # The torture table

        Written by `make torture`; do not edit. Every client downloads from the same server on loopback, which breaks
        off, sends wrong responses and changes the resource on purpose. One judge decides by the exit status and the
        files on disk: **identical bytes, or a clear failure; never a wrong file with status 0**. "Clear failure" means
        a status other than 0 (in brackets), a message, and no file under the final name except an earlier complete one.
        After a failure, the next attempt ("then …") gets correct responses. `curl` is `curl --fail --continue-at -
        --output f URL`, `wget` is `wget --continue URL`; both write to the final name, so "partial under the final
        name" is how they work. A case is named after the server's behavior or the initial state of the directory.
        """
    }

    private var summary: String {
        let versions = results.versions.map { "| \($0.name) | \($0.version.escaped) |" }
        let seconds = results.duration.components.seconds
        let verdict =
            results.faults.isEmpty
            ? "**afcli: \(results.rows.count) cases and \(results.killCount) kills, no faults.**"
            : "**afcli: \(results.faults.count) FAILED:**\n\n"
                + results.faults.map { "- \($0)" }.joined(separator: "\n")
        let wrong = results.clients.map { "\($0.rawValue) \(results.wrongFiles(of: $0))" }.joined(separator: ", ")
        return """
            | | |
            |---|---|
            | run | \(results.date), \(seconds) s, seed \(results.seed) |
            | command | `\(results.command)` |
            | system | \(results.system.escaped) |
            \(versions.joined(separator: "\n"))
            | judge | rejected \(results.selfChecks) intentionally broken clients first |
            | full disk | \(disk) |
            | another user's file | \(otherUser) |

            \(verdict)

            Cases that ended with status 0 and a wrong file: \(wrong).
            """
    }

    private var disk: String {
        results.hasRealDisk
            ? "a file system of 4 MiB" : "simulated by a limit on the size of files, as mounting is not permitted"
    }

    private var otherUser: String {
        results.isRoot
            ? "of uid 65534" : "replaced by a file of this user, as only root can create one"
    }

    private var groups: [String] {
        Trial.Group.allCases.compactMap { group in
            let rows = results.rows.filter { $0.group == group }
            guard !rows.isEmpty else { return nil }
            let names = results.clients.map(\.rawValue)
            let head = (["case"] + names).joined(separator: " | ")
            let lines = rows.map { row in
                let times = row.times > 1 ? " (\(row.times) times)" : ""
                let note = row.isCounted ? "" : " ¹"
                let cells = results.clients.map { row.cells[$0]?.text ?? "–" }
                return "| " + (["\(row.name)\(times)\(note)"] + cells).map(\.escaped).joined(separator: " | ") + " |"
            }
            let rule = "|" + String(repeating: "---|", count: names.count + 1)
            let note =
                rows.allSatisfy(\.isCounted)
                ? "" : "\n\n¹ Undetectable for every client, except with a checksum. Listed, but not counted."
            return "## \(group.rawValue)\n\n| \(head) |\n\(rule)\n\(lines.joined(separator: "\n"))\(note)"
        }
    }
}

extension String {
    /// The string for a cell of a table.
    var escaped: String { map { $0 == "|" ? "\\|" : $0 == "\n" ? " " : String($0) }.joined() }
}
