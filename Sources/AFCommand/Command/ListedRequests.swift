internal import AFCore
internal import AFFormatting
internal import AFHTTP

/// The requests to the URLs of a list, whose responses are shown.
struct ListedRequests: Sendable {
    /// The command line without the list.
    private let typed: Invocation
    private let method: String
    private let items: [String]
    /// The method and the items that all requests share, with the URL of the first one.
    private let positionals: Positionals
    private let settings: ListSettings?

    /// - Throws: ``UsageError`` for options that are invalid with a list.
    init(_ typed: Invocation, firstURL: String) throws(UsageError) {
        settings = typed.listSettings
        method = typed.listMethod
        var items = typed.positionals[...]
        if typed.hasMethodWord { items.removeFirst() }
        for item in items { try Self.check(item) }
        self.items = Array(items)
        positionals = try Positionals(url: firstURL, items: self.items, method: method)
        var typed = typed
        typed.download.input = nil
        self.typed = typed
    }

    /// Checks an item.
    ///
    /// - Throws: ``UsageError`` for a URL.
    static func check(_ item: String) throws(UsageError) {
        let scheme = item.prefix { $0.isLetter }
        guard item.dropFirst(scheme.count).hasPrefix("://") || item.isWebURL || (try? RequestItem(item)) == nil else {
            return
        }
        throw UsageError(
            "is not an item", argument: Redaction(revealsSecrets: false).url(item),
            hint: "with --input the URLs are in the file")
    }

    /// Checks the URLs, and creates the plan of the first one of each origin.
    ///
    /// - Throws: ``UsageError`` with the line, and the errors of ``Plan``.
    func check(_ list: DownloadList, _ environment: Environment) throws {
        var origins: Set<String> = []
        for entry in list.entries {
            let url: HTTPURL
            do throws(UsageError) {
                guard entry.name == nil else {
                    throw UsageError(
                        "names the file '\(entry.name ?? "")', but the responses are shown",
                        hint: "--download saves them; without it, a line is a URL")
                }
                url = try invocation(entry.url).target.address.url
            } catch {
                throw error.inLine(entry.line, of: list.source)
            }
            guard origins.insert("\(url.scheme)://\(url.host):\(url.port)").inserted else { continue }
            _ = try environment.inTurn { try plan(entry, environment) }
        }
    }

    /// Returns the plan of a request.
    ///
    /// - Throws: The errors of ``Plan``.
    func plan(_ entry: DownloadList.Entry, _ environment: Environment) throws -> Plan {
        var invocation = try invocation(entry.url)
        invocation.limitProgress()
        let plan = try Plan(invocation, environment)
        guard plan.webSocket == nil else {
            throw UsageError("is not possible for a WebSocket URL", argument: "--input")
        }
        return plan
    }

    /// Returns the command line of a URL, with the configuration's settings for its host.
    private func invocation(_ url: String) throws(UsageError) -> Invocation {
        var own = typed
        own.positionals = [url] + items
        own.request.method = method
        if let settings {
            own = try settings.invocation(own)
            if let option = own.hostOptionForFiles {
                throw own.locating(
                    UsageError(
                        "is for files, but the responses to the list are shown", argument: option,
                        hint: "add --download to save them"))
            }
            own.download.input = nil
            own.positionals = [url] + items
            own.request.method = method
            if own.knownTarget != nil { return own }
        }
        own.knownTarget = try RequestTarget(positionals, url: url, method: method)
        return own
    }
}

extension Invocation {
    /// The option of the settings for the host that is for files; `nil` if the settings have no such option.
    fileprivate var hostOptionForFiles: String? {
        assignments.all.first { assignment in
            var values = Invocation()
            assignment.store(&values)
            return assignment.source.isHost && values.download.concernsFiles
        }?.name
    }
}

/// The sources of options for the URLs of a list.
struct ListSettings: Sendable {
    let configuration: Configuration
    /// The options for all requests.
    let assignments: Assignments
    /// The command line.
    let line: ParsedArguments

    /// Returns the values for a request, with the settings for its host and the alias in its URL expanded.
    func invocation(_ typed: Invocation) throws(UsageError) -> Invocation {
        var assignments = assignments
        let invocation = try configuration.invocation(&assignments, line, for: typed).values
        do throws(UsageError) {
            try invocation.assignments.checkRelations(invocation)
        } catch {
            throw invocation.locating(error)
        }
        return invocation
    }
}
