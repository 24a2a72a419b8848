internal import Glibc

/// A report and its file.
struct ReportTarget: Equatable, Sendable {
    /// The formats in the order in which they are written.
    enum Format: CaseIterable, Sendable { case json, junit, har }

    let format: Format
    /// The path; `-` for standard output.
    var path: String
    /// Whether an existing report is extended instead of replaced.
    var appends = false

    var option: String { format == .har ? "--har" : "--report" }

    /// The argument of its option.
    var argument: String { format == .junit ? "junit:\(path)" : path }

    /// Returns the contents of the report.
    ///
    /// - Parameters:
    ///   - list: The runs of several requests; `nil` for a single one.
    ///   - old: The report to extend; empty if there is none.
    /// - Throws: ``ReportMismatch`` if the old contents are not such a report.
    func text(
        of runs: [RunRecord], _ redaction: Redaction, list: RunList? = nil, extending old: String = ""
    ) throws(ReportMismatch) -> String {
        switch format {
        case .json:
            guard old.isEmpty || Report.isReports(old) else { throw ReportMismatch() }
            return old + runs.map { Report(run: $0, redaction: redaction.knowing($0)).text }.joined()
        case .junit:
            let report = JUnitReport(runs: runs, list: list, redaction: redaction)
            return try old.isEmpty ? report.text : JUnitDocument(old).adding(report)
        case .har: return HARLog(runs: runs, redaction: redaction).text
        }
    }

    /// Writes the report.
    ///
    /// - Parameter text: Returns the contents that extend the given ones.
    func write(
        isPrivate: Bool, _ waits: WaitLimits, _ text: (_ old: String) throws(ReportMismatch) -> String
    ) throws {
        guard appends, FileStatus(path)?.isRegular != false else {
            return try AtomicFile.write(try text(""), to: path, isPrivate: isPrivate, waits: waits, option: option)
        }
        try naming(option) {
            try PrivateFile(path: path, waits: waits).whileLocked(.report) { content, isPrivateAlready in
                let extended: String
                do throws(ReportMismatch) {
                    extended = try text(String(decoding: content, as: UTF8.self))
                } catch {
                    throw mismatch
                }
                try AtomicFile.write(
                    extended, to: path, isPrivate: isPrivate || isPrivateAlready, waits: waits, option: option)
            }
        }
    }

    /// Checks that the file can be created or extended: after the run it would be too late.
    func check(_ waits: WaitLimits) throws {
        if path == "-" { return }
        try Self.checkWritable(path, option: option, hint: "name another file, or - for standard output")
        guard appends, FileStatus(path)?.isRegular == true else { return }
        let old = try naming(option) { try PrivateFile(path: path, waits: waits).read(.report) ?? [] }
        guard
            (try? text(of: [], Redaction(revealsSecrets: false), extending: String(decoding: old, as: UTF8.self)))
                != nil
        else { throw mismatch }
    }

    private var mismatch: FileProblem {
        FileProblem(
            path: path,
            reason: .content("is not a \(format == .junit ? "JUnit" : "JSON") report of afcli"),
            argument: option,
            hint: "name another file, or omit --report-append to replace it"
        )
    }

    /// Checks that a file can be created.
    ///
    /// - Parameter appends: Whether an existing file is extended in place.
    /// - Throws: ``FileProblem`` with the hint.
    static func checkWritable(_ path: String, option: String, hint: String? = nil, appends: Bool = false) throws {
        func problem(_ reason: FileProblem.Reason) -> FileProblem {
            FileProblem(path: path, reason: reason, argument: option, purpose: .writing, hint: hint)
        }
        if path.isEmpty { throw UsageError("expected the name of a file", argument: option) }
        if let status = FileStatus(path) {
            guard !status.isDirectory else { throw problem(.isDirectory) }
            if !status.isRegular { return }
            if appends {
                guard access(path, W_OK) == 0 else { throw problem(.system(errno)) }
                return
            }
        } else if errno == ENAMETOOLONG {
            throw problem(.system(errno))
        }
        guard access(path.directoryPath, W_OK | X_OK) == 0 else {
            throw FileProblem.creation(of: path, errno, argument: option, hint: hint)
        }
        try tryCreating(path.followingLinks, option: option, hint: hint)
    }

    /// Creates a file of one byte beside another one: only that shows a full disk, and a directory without files.
    private static func tryCreating(_ path: String, option: String, hint: String?) throws {
        guard let file = TemporaryFile(for: path, mode: 0o600) else {
            throw FileProblem.creation(of: path, errno, argument: option, hint: hint)
        }
        defer {
            close(file.descriptor)
            unlink(file.path)
        }
        guard Glibc.write(file.descriptor, [0], 1) == 1 else {
            throw FileProblem.creation(of: path, errno, argument: option, hint: hint)
        }
    }
}

/// The error of a file to extend that is not a report of this format.
struct ReportMismatch: Error {}
