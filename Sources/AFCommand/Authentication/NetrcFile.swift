internal import AFHTTP

/// The netrc file of a run: the one from the command line, else `$NETRC`, else `~/.netrc`.
struct NetrcFile: Sendable {
    private let path: String
    /// Whether it is from the command line, so that it must exist and be valid.
    private let isTyped: Bool
    /// Whether it is the file of curl's `--netrc`, which may be missing and must be valid.
    private let isForCurl: Bool
    private let files: FileAccess

    /// Returns `nil` if there is no path.
    init?(_ typed: String?, _ sources: SecretSources) {
        (files, isForCurl) = (sources.files, sources.isForCurl)
        isTyped = typed != nil
        if let typed {
            path = sources.files.expanding(typed)
        } else if let named = sources.credentials.variable("NETRC"), !named.isEmpty {
            path = sources.files.expanding(named)
        } else if let home = sources.files.homeDirectory {
            path = "\(home)/.netrc"
        } else {
            return nil
        }
    }

    /// Returns the credential for a host and, if given, a user; `nil` if the file has none.
    ///
    /// - Throws: ``FileProblem`` for a file from the command line.
    func login(
        for destination: CredentialDestination,
        user: String?
    ) throws(FileProblem) -> (URLCredential?, warnings: [String]) {
        do throws(FileProblem) {
            let found = try netrc().login(for: destination.names, user: user)
            guard Safety.refuses("11-warning", found != nil), try files.describe(path).isOpenToOthers else {
                return (found, [])
            }
            return (found, ["other users can read the passwords in '\(path)'; chmod 600 makes it private"])
        } catch {
            if isTyped { throw error.naming("--netrc-file") }
            if isForCurl, case .content = error.reason { throw error.naming("--netrc") }
            return (nil, error.reason == .isMissing ? [] : ["the netrc file is not used: \(error.message)"])
        }
    }

    private func netrc() throws(FileProblem) -> Netrc {
        // Comments and entries for other hosts may have any bytes.
        let bytes = try files.read(path, .configuration).withoutByteOrderMark
        do {
            return try Netrc(parsing: Array(bytes))
        } catch {
            let reason =
                switch error {
                case .unclosedQuote(let line): "unclosed quote in line \(line)"
                case .unknownWord(let line, let keyword?): "line \(line) has a misspelled '\(keyword)'"
                // The word may be the rest of a password.
                case .unknownWord(let line, nil): "line \(line) has a word that is neither a keyword nor a value"
                case .missingValue(let line, let keyword): "'\(keyword)' in line \(line) has no value"
                case .noEntry(let line, let keyword): "'\(keyword)' in line \(line) has no 'machine' before it"
                }
            let hint = "expected machine HOST login USER password PASSWORD; a value with spaces needs double quotes"
            throw FileProblem(path: path, reason: .content("is malformed: \(reason)"), hint: hint)
        }
    }
}
