// torture [--short] [--seed NUMBER] [--results FILE] [--only TEXT] [AFCLI]
//
// Downloads with afcli, curl and wget from a server that sends truncated, wrong and changed responses, kills the clients,
// and checks that the bytes are identical or the failure is clear; see RESULTS.md. Exits with 1 if afcli was wrong.
// The short form runs the cases with afcli only, most of them once, and with few kills.

import Glibc
import TestSupport

do {
    let torture = try Torture(try Options(Array(CommandLine.arguments.dropFirst())))
    let options = torture.options
    printLine("torture: \(options.isShort ? "the short form" : "the complete form"), seed \(options.seed)")
    let results = try await torture.run()
    if let file = options.results {
        let text = ResultsPage(results: results).text
        guard let folder = file.lastIndex(of: "/").map({ String(file[..<$0]) }) ?? Optional("."),
            access(folder, W_OK) == 0
        else { throw Options.Usage(description: "cannot write \(file)") }
        let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        let bytes = Array(text.utf8)
        guard descriptor >= 0, write(descriptor, bytes, bytes.count) == bytes.count, close(descriptor) == 0 else {
            throw Options.Usage(description: "cannot write \(file)")
        }
    }
    results.faults.forEach { printLine("FAILED: \($0)") }
    printLine(
        "torture: \(options.isShort ? "the short form, " : "")\(results.rows.count) cases, \(results.killCount) kills "
            + "(\(results.killsInBody) in the body), \(results.duration.components.seconds) s: "
            + (results.faults.isEmpty ? "no faults" : "\(results.faults.count) FAILED"))
    exit(results.faults.isEmpty ? 0 : 1)
} catch let usage as Options.Usage {
    printLine("torture: \(usage)")
    exit(64)
} catch {
    printLine("torture: \(error)")
    exit(2)
}
