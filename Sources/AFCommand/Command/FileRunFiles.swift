internal import AFExpressions
internal import AFJSON
internal import FoundationEssentials
internal import Glibc

/// The files that a run of several files writes: its reports, the commands of curl, the cookies and the bodies.
struct FileRunFiles {
    private let arguments: FileRunArguments
    private let environment: Environment

    init(_ arguments: FileRunArguments, _ environment: Environment) {
        (self.arguments, self.environment) = (arguments, environment)
    }

    /// Checks that all files can be written: after the requests it would be too late.
    ///
    /// - Throws: ``FileProblem`` or ``UsageError`` with the option.
    func check() throws {
        for (format, path) in arguments.reports {
            switch format {
            case .junit:
                try createDirectory(path.directoryPath, for: path, "--report-junit")
                _ = try contents([FileRunResult]().junit, addedTo: path, "--report-junit")
            case .tap:
                try createDirectory(path.directoryPath, for: path, "--report-tap")
                _ = try contents([FileRunResult]().tap, addedTo: path, "--report-tap")
            case .json:
                try createDirectory("\(path)/store", for: path, "--report-json")
                _ = try earlierResults(in: "\(path)/report.json")
                try checkWritable("\(path)/report.json", "--report-json")
            case .html:
                try createDirectory(path, for: path, "--report-html")
                try checkWritable("\(path)/index.html", "--report-html")
            }
        }
        if let path = arguments.cookieJar { try checkWritable(path, "--cookie-jar") }
        if let path = arguments.curlFile { try checkWritable(path, "--curl") }
        if let path = arguments.output, path != "-" { try checkWritable(path, "--output") }
    }

    /// Writes the outputs and the cookies of all files, the reports and the commands.
    ///
    /// - Throws: The first error, after all files that can be written.
    func write(_ results: [FileRunResult]) throws {
        var failure: (any Error)?
        func attempt(_ write: () throws -> Void) {
            do { try write() } catch { failure = failure ?? error }
        }
        attempt { try writeOutput(of: results.filter(arguments.shows)) }
        if let path = arguments.cookieJar, results.contains(where: { $0.cookies != nil }) {
            let bytes = CurlCookies.jar(of: results.cookies(after: CurlCookies.lines(of: arguments.cookies)))
            attempt { try environment.write(bytes, to: path, isPrivate: true, option: "--cookie-jar") }
        }
        for (format, path) in arguments.reports { attempt { try write(results, as: format, to: path) } }
        if let path = arguments.curlFile { attempt { try writeCommands(of: results, to: path) } }
        if let failure { throw failure }
    }

    private func writeOutput(of results: [FileRunResult]) throws {
        guard let path = arguments.output, path != "-", !arguments.printsJSON, !results.isEmpty else { return }
        let bytes = results.flatMap { Array($0.head.utf8) + $0.output }
        try environment.write(bytes, to: path, option: "--output")
    }

    private func write(_ results: [FileRunResult], as format: FileRunArguments.ReportFormat, to path: String) throws {
        switch format {
        case .junit: try write(contents(results.junit, addedTo: path, "--report-junit"), to: path, "--report-junit")
        case .tap: try write(contents(results.tap, addedTo: path, "--report-tap"), to: path, "--report-tap")
        case .json: try writeJSON(results, to: path)
        case .html: try write(FileRunPage(results).text, to: "\(path)/index.html", "--report-html")
        }
    }

    private func writeCommands(of results: [FileRunResult], to path: String) throws {
        let commands = results.flatMap { result in
            result.records.map { result.variables.redacted($0.command) + "\n" }
        }
        try environment.write(Array(commands.joined().utf8), to: path, isPrivate: true, option: "--curl")
    }

    private func checkWritable(_ path: String, _ option: String) throws {
        try ReportTarget.checkWritable(path, option: option, hint: "name another file")
    }

    private func write(_ text: String, to path: String, _ option: String) throws {
        try environment.write(Array(text.utf8), to: path, option: option)
    }

    /// Returns the contents of a report with the results of this run.
    ///
    /// - Parameter adding: Returns a report that starts with another one, or `nil` if that is none.
    private func contents(
        _ adding: (_ report: String?) -> String?, addedTo path: String, _ option: String
    ) throws -> String {
        try checkWritable(path, option)
        guard let text = adding(try text(ofReport: path)) else {
            throw UsageError(
                "'\(path)' is not a report of this format", argument: option,
                hint: "name another file, or remove it")
        }
        return text
    }

    /// Returns a report to which results are added; `nil` if the file is missing or empty.
    private func text(ofReport path: String) throws -> String? {
        guard let status = FileStatus(path), status.isRegular, status.size > 0 else { return nil }
        return String(decoding: try environment.files.read(path, .text), as: UTF8.self)
    }

    private func earlierResults(in report: String) throws -> [JSONText] {
        guard let text = try text(ofReport: report) else { return [] }
        guard let elements = (try? JSONText(text))?.elements else {
            throw UsageError("'\(report)' is not a JSON report", argument: "--report-json")
        }
        return elements
    }

    /// Adds the results to the list in a folder, and the bodies to its folder `store`.
    private func writeJSON(_ results: [FileRunResult], to folder: String) throws {
        let report = "\(folder)/report.json"
        var list = try earlierResults(in: report)
        for result in results {
            var paths: [Int: String] = [:]
            for (index, record) in result.records.enumerated() where !record.body.isEmpty {
                let name = "\(UUID().uuidString.lowercased())_response"
                let body = result.variables.redacted(record.body)
                try environment.write(body, to: "\(folder)/store/\(name)", option: "--report-json")
                paths[index] = "store/\(name)"
            }
            list.append(result.json { paths[$0] })
        }
        try write(JSONText.array(list).compactText + "\n", to: report, "--report-json")
    }

    /// Creates a directory with its parents.
    ///
    /// - Throws: ``FileProblem`` with the typed path.
    private func createDirectory(_ path: String, for typed: String, _ option: String) throws {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        if let status = FileStatus(path), status.isDirectory { return }
        let parent = path.directoryPath
        if parent != path, parent != "." { try createDirectory(parent, for: typed, option) }
        guard mkdir(path, 0o777) == 0 || errno == EEXIST && FileStatus(path)?.isDirectory == true else {
            throw FileProblem.creation(of: typed, errno, argument: option, hint: "name another folder")
        }
    }
}

extension FileRunArguments {
    /// Whether the output of a file is shown or saved.
    func shows(_ result: FileRunResult) -> Bool {
        !isTest && !hidesOutput && !isCheck && (result.isSuccess || result.showsFailedResponse || showsCommands)
    }
}

extension [FileRunResult] {
    /// Returns the cookies of all files, as the lines of a cookie file: a later file changes those of the files before it.
    ///
    /// - Parameter initial: The cookies at the start of each file.
    fileprivate func cookies(after initial: [String]) -> [String] {
        var lines = initial
        let known = Set(initial)
        for own in compactMap(\.cookies) {
            let changed = own.filter { !known.contains($0) }
            let removed = Set(initial.map(\.cookieIdentity)).subtracting(own.map(\.cookieIdentity))
            let replaced = removed.union(changed.map(\.cookieIdentity))
            lines.removeAll { replaced.contains($0.cookieIdentity) }
            lines += changed
        }
        return lines
    }
}

extension String {
    /// The domain, the path and the name in a line of a cookie file.
    fileprivate var cookieIdentity: [Substring] {
        let fields = split(separator: "\t", omittingEmptySubsequences: false)
        return [0, 2, 5].compactMap { fields.indices.contains($0) ? fields[$0] : nil }
    }
}
