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

        Written by `make torture`; not to be edited. Every client meets the same server on loopback, which breaks off, lies
        and changes its mind on purpose, and is judged by its exit status and what is on the disk, by the same judge: **the
        bytes identical, or a clear failure; never a wrong file with status 0**. "Clear failure": a status other than 0 (in
        brackets), a message, and nothing under the final name but what was whole before. Where something went wrong, the
        next attempt ("then …") met a server that behaves. `curl` is `curl --fail --continue-at - --output f URL`, `wget` is
        `wget --continue URL`; both keep what they have under the final name, so that "partial under the final name" is
        how they work. The case names what the server does, or what is there.
        """
    }

    private var summary: String {
        let versions = results.versions.map { "| \($0.name) | \($0.version.escaped) |" }
        let seconds = results.duration.components.seconds
        let verdict =
            results.faults.isEmpty
            ? "**afcli: \(results.rows.count) cases and \(results.killCount) kills, nothing wrong.**"
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
            | judge | saw through \(results.selfChecks) bad clients first |
            | full disk | \(disk) |
            | another user's file | \(otherUser) |

            \(verdict)

            Cases that ended with status 0 and a wrong file: \(wrong).
            """
    }

    private var disk: String {
        results.hasRealDisk
            ? "a file system of 4 MiB" : "no right to mount one: a limit on the size of files stands in for it"
    }

    private var otherUser: String {
        results.isRoot
            ? "of uid 65534" : "only root can make one: an own file that no download made stands in for it"
    }

    private var groups: [String] {
        Trial.Group.allCases.compactMap { group in
            let rows = results.rows.filter { $0.group == group }
            guard !rows.isEmpty else { return nil }
            let names = results.clients.map(\.rawValue)
            let head = (["case"] + names).joined(separator: " | ")
            let lines = rows.map { row in
                let times = row.times > 1 ? " (\(row.times) times)" : ""
                let note = row.isHeldAgainst ? "" : " ¹"
                let cells = results.clients.map { row.cells[$0]?.text ?? "–" }
                return "| " + (["\(row.name)\(times)\(note)"] + cells).map(\.escaped).joined(separator: " | ") + " |"
            }
            let rule = "|" + String(repeating: "---|", count: names.count + 1)
            let note =
                rows.allSatisfy(\.isHeldAgainst)
                ? "" : "\n\n¹ No client can know. It is listed, and held against nobody; a checksum tells."
            return "## \(group.rawValue)\n\n| \(head) |\n\(rule)\n\(lines.joined(separator: "\n"))\(note)"
        }
    }
}

extension String {
    /// Within a table.
    var escaped: String { map { $0 == "|" ? "\\|" : $0 == "\n" ? " " : String($0) }.joined() }
}
