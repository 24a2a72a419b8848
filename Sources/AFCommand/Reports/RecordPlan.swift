internal import Glibc

/// The reports to write at the end of the run.
struct RecordPlan: Sendable {
    let report: String?
    /// The file of the JUnit report.
    let junit: String?
    let har: String?
    let writeOut: WriteOutTemplate?
    let showsSecrets: Bool

    /// Creates a plan.
    ///
    /// - Throws: ``UsageError`` for an invalid template in a file, ``FileProblem`` for an unreadable file or an
    ///   unwritable directory.
    init(_ typed: ReportArguments, _ files: FileAccess) throws {
        junit = try typed.report.junit.map { try RecordPlan.checked(files.expanding($0), option: "--report") }
        report = try typed.report.json.map { try RecordPlan.checked(files.expanding($0), option: "--report") }
        har = try typed.har.map { try RecordPlan.checked(files.expanding($0), option: "--har") }
        writeOut = try typed.writeOut.map { source in
            try naming("--write-out") { try RecordPlan.template(source, files) }
        }
        showsSecrets = typed.showsSecrets
    }

    private init() { (report, junit, har, writeOut, showsSecrets) = (nil, nil, nil, nil, false) }

    /// A plan without reports.
    static let none = RecordPlan()

    var isNeeded: Bool { report != nil || junit != nil || har != nil || writeOut != nil }

    /// Whether hops with their requests are reported.
    var recordsHops: Bool { report != nil || har != nil }

    private static func template(_ source: WriteOutSource, _ files: FileAccess) throws -> WriteOutTemplate {
        switch source {
        case .template(let template): return template
        case .file(let path):
            guard let text = String(validating: try files.read(files.expanding(path), .configuration), as: UTF8.self)
            else {
                throw FileProblem(path: path, reason: .isNoText)
            }
            return try WriteOutTemplate(text)
        }
    }

    /// Checks that the file can be created: after the run it would be too late.
    private static func checked(_ path: String, option: String) throws -> String {
        if path == "-" { return path }
        if path.isEmpty { throw UsageError("expected the name of a file", argument: option) }
        func problem(_ reason: FileProblem.Reason) -> FileProblem {
            FileProblem(
                path: path,
                reason: reason,
                argument: option,
                purpose: .writing,
                hint: "name another file, or - for standard output"
            )
        }
        if let status = FileStatus(path) {
            guard !status.isDirectory else { throw problem(.isDirectory) }
            if !status.isRegular { return path }
        } else if errno == ENAMETOOLONG {
            throw problem(.system(errno))
        }
        guard access(path.directoryPath, W_OK | X_OK) == 0 else { throw problem(.system(errno)) }
        return path
    }
}
