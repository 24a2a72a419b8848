internal import AFHTTP

/// The netrc file that a run looks into: the one that was named, else `$NETRC`, else `~/.netrc`.
struct NetrcFile: Sendable {
    private let path: String
    /// Whether it was named on the command line, so that it must be there and be in order.
    private let isTyped: Bool
    private let files: FileAccess

    /// `nil` where there is no place for one.
    init?(_ typed: String?, _ sources: SecretSources) {
        files = sources.files
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

    /// The login of a host and, where somebody is named, of that user; `nil` where the file has none.
    ///
    /// - Throws: ``FileProblem``, for a file that was named on the command line.
    func login(
        for destination: LoginDestination,
        user: String?
    ) throws(FileProblem) -> (URLCredential?, warnings: [String]) {
        do throws(FileProblem) {
            let found = try netrc().login(for: destination.names, user: user)
            guard found != nil, try files.describe(path).isOpenToOthers else { return (found, []) }
            return (found, ["others can read the passwords in '\(path)'; chmod 600 closes it to them"])
        } catch {
            if isTyped { throw error.naming("--netrc-file") }
            return (nil, error.reason == .isMissing ? [] : ["no login is taken from it: \(error.message)"])
        }
    }

    private func netrc() throws(FileProblem) -> Netrc {
        guard let text = String(validating: try files.read(path, .configuration), as: UTF8.self) else {
            throw FileProblem(path: path, reason: .isNoText)
        }
        do {
            return try Netrc(parsing: text)
        } catch {
            throw FileProblem(path: path, reason: .other("the quote that begins in line \(error.line) has no end"))
        }
    }
}
