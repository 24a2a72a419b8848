/// The reports to write at the end of the run.
struct RecordPlan: Sendable {
    var reports: [ReportTarget] = []
    var writeOut: WriteOutTemplate?
    /// The file for the header of the response; `nil` if it is not written.
    var headerFile: String?
    /// The Hurl file to which the request is added; `nil` if it is not saved.
    var suite: String?
    var showsSecrets = false
    /// The name of the request; `nil` if its method and URL are its name.
    var name: String?
    /// The number of bytes of a response body to record.
    var bodyLimit = 0
    /// Returns an error with the place of its option.
    var locating: @Sendable (any Error) -> any Error = { $0 }

    var isNeeded: Bool { !reports.isEmpty || writeOut != nil || headerFile != nil || suite != nil }

    /// Whether expectations are reported.
    var recordsExpectations: Bool { reports.contains { $0.format == .junit } }

    /// Whether hops with their requests are reported.
    var recordsHops: Bool { reports.contains { $0.format != .junit } }
}

extension RecordPlan {
    /// Creates a plan.
    ///
    /// - Throws: ``UsageError`` for an invalid template in a file, ``FileProblem`` for an unreadable file or an
    ///   unwritable directory.
    init(_ typed: ReportArguments, _ files: FileAccess) throws {
        let har = typed.har.map { ReportTarget(format: .har, path: $0) }
        let targets = ReportTarget.Format.allCases.flatMap { format in
            (typed.report + [har].compactMap(\.self)).filter { $0.format == format }
        }
        reports = try targets.map { target in
            let value = target.argument
            var target = target
            target.path = files.expanding(target.path)
            target.appends = typed.appendsReports && target.format != .har
            try naming(target.option, value: value) { try target.check(files.waits) }
            return target
        }
        writeOut = try typed.writeOut.map { source in
            try naming("--write-out") {
                let template = try RecordPlan.template(source, files)
                try template.checkFiles(files)
                return template
            }
        }
        headerFile = try typed.headerFile.map { path in
            guard path != "-" else {
                throw UsageError("expected the name of a file", argument: "--header-file", hint: "-h shows the header")
            }
            let path = files.expanding(path)
            try ReportTarget.checkWritable(path, option: "--header-file")
            return path
        }
        suite = try typed.suite.map { path in
            guard path.hasSuffix(".hurl") else {
                throw UsageError(
                    "expected the name of a .hurl file, got '\(path)'", argument: "--save",
                    hint: "name it \(path).hurl")
            }
            let path = files.expanding(path)
            try ReportTarget.checkWritable(path, option: "--save")
            return path
        }
        showsSecrets = typed.showsSecrets
        name = typed.name
        bodyLimit = Int(typed.harBodies?.bytes ?? 0)
    }

    private static func template(_ source: WriteOutSource, _ files: FileAccess) throws -> WriteOutTemplate {
        switch source {
        case .template(let template): return template
        case .file(let path):
            return try WriteOutTemplate(try files.text(files.expanding(path), .configuration))
        }
    }
}

extension WriteOutTemplate {
    /// Checks that its files can be written: after the run it would be too late.
    ///
    /// - Throws: ``FileProblem``.
    fileprivate func checkFiles(_ files: FileAccess) throws {
        for case .destination(.file(let path, let appends)) in parts {
            try ReportTarget.checkWritable(files.expanding(path), option: "--write-out", appends: appends)
        }
    }
}
