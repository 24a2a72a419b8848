internal import AFFormatting
internal import AFHTTP

/// The list of `--input`: lines with a URL and an optional file name.
struct DownloadList: Equatable, Sendable {
    struct Entry: Equatable, Sendable {
        /// The line number, starting with 1.
        let line: Int
        /// The URL as written.
        let url: String
        /// The path relative to the run's directory; `nil` if the server or the URL determines the name.
        let name: String?
    }

    let entries: [Entry]
    /// The list in messages: its path in quotes, or standard input.
    let source: String

    /// Parses a list.
    ///
    /// - Parameter path: The path of the list, for messages.
    /// - Throws: ``UsageError`` with list and line.
    init(_ text: String, path: String) throws(UsageError) {
        let source = path == "-" ? "standard input" : "'\(path)'"
        var entries: [Entry] = []
        for (index, bytes) in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            do throws(UsageError) {
                if let entry = try Entry(Substring(bytes), line: index + 1) { entries.append(entry) }
            } catch {
                throw error.inLine(index + 1, of: source)
            }
        }
        guard !entries.isEmpty else {
            throw UsageError("there is no URL in \(source)", argument: "--input", hint: "write one on each line")
        }
        (self.entries, self.source) = (entries, source)
    }

    private init(_ entries: [Entry], of source: String) { (self.entries, self.source) = (entries, source) }

    /// Returns the URLs of a share, which may be none; of all shares if it is `nil`.
    func part(_ share: ListShare?) -> DownloadList {
        share.map { DownloadList($0.elements(of: entries), of: source) } ?? self
    }
}

extension DownloadList.Entry {
    /// Returns `nil` for an empty line.
    fileprivate init?(_ text: Substring, line: Int) throws(UsageError) {
        let text = text.trimmingBlanks
        guard let first = text.utf8.first, first != UInt8(ascii: "#") else { return nil }
        let url = text.utf8.prefix { !$0.isBlankOrReturn }
        let name = text[url.endIndex...].trimmingBlanks
        self.line = line
        self.url = String(Substring(url))
        self.name = name.isEmpty ? nil : String(name)
        if let name = self.name {
            guard !self.url.isMethod || !name.isWebURL else {
                throw UsageError(
                    "a line begins with its URL", hint: "write the method once: afcli \(self.url) --input FILE")
            }
            try Self.check(name)
        }
    }

    /// Checks a name: a list is untrusted input, so that its files must be below the chosen directory.
    private static func check(_ name: String) throws(UsageError) {
        func problem(_ reason: UsageError.Problem) -> UsageError {
            UsageError("invalid file name '\(name)': \(reason)", hint: "write a path below --output-dir")
        }
        if name.hasPrefix("/") { throw problem("it is an absolute path") }
        guard name.unicodeScalars.allSatisfy(\.isPlainlyVisible) else {
            throw problem("it contains invisible characters")
        }
        for component in name.split(separator: "/", omittingEmptySubsequences: false) {
            switch component {
            case "": throw problem("a part of it is empty")
            case ".": throw problem("a part of it is '.'")
            case "..": throw problem("'..' leaves the directory")
            case "~": throw problem("'~' means another directory")
            default: break
            }
            if component.utf8.count > 255 { throw problem("a part of it is longer than 255 bytes") }
        }
    }
}

extension UsageError {
    /// Returns the error with the list and the line.
    func inLine(_ line: Int, of source: String) -> UsageError {
        let position: Problem = "line \(known: line) of \(source)"
        let place = self.source.map { " in '\($0)'" } ?? ""
        let culprit: Problem = argument.map { "\($0)\(place): " } ?? ""
        return UsageError("\(position): \(culprit)\(statement)", argument: "--input", hint: hint)
    }
}
