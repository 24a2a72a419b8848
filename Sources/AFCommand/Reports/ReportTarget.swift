internal import Glibc

/// A report and its file.
struct ReportTarget: Equatable, Sendable {
    /// The formats in the order in which they are written.
    enum Format: CaseIterable, Sendable { case json, junit, har }

    let format: Format
    /// The path; `-` for standard output.
    var path: String

    var option: String { format == .har ? "--har" : "--report" }

    /// Returns the contents of the report.
    func text(of run: RunRecord, _ redaction: Redaction) -> String {
        switch format {
        case .json: Report(run: run, redaction: redaction).text
        case .junit: JUnitReport(run: run, redaction: redaction).text
        case .har: HARLog(run: run, redaction: redaction).text
        }
    }

    /// Checks that the file can be created: after the run it would be too late.
    func check() throws {
        if path == "-" { return }
        if path.isEmpty { throw UsageError("expected the name of a file", argument: option) }
        if let status = FileStatus(path) {
            guard !status.isDirectory else { throw problem(.isDirectory) }
            if !status.isRegular { return }
        } else if errno == ENAMETOOLONG {
            throw problem(.system(errno))
        }
        guard access(path.directoryPath, W_OK | X_OK) == 0 else { throw problem(.system(errno)) }
    }

    private func problem(_ reason: FileProblem.Reason) -> FileProblem {
        FileProblem(
            path: path,
            reason: reason,
            argument: option,
            purpose: .writing,
            hint: "name another file, or - for standard output"
        )
    }
}
