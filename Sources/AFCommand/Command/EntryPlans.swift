internal import AFHTTP

/// The plans of a list's URLs.
///
/// Most URLs of an origin differ only in the URL and the file, so that their plans are copies of the first one.
struct EntryPlans: Sendable {
    /// The invocation of a download without URL and name.
    private let invocation: Invocation
    /// The method and the items that all downloads share, with the URL of the first one.
    private let positionals: Positionals
    private let environment: Environment
    private let checksums: [ChecksumSource]
    private let filesOfOptions: [DirectoryEntry: String]
    private let addressOptions: Address.Options
    /// The destination of entries without name; `nil` if they have none.
    private let destination: DownloadPlan?
    /// The plans to copy, by origin.
    private var byOrigin: [String: Plan] = [:]

    /// - Throws: The errors of ``Plan``.
    init(
        _ invocation: Invocation,
        _ environment: Environment,
        _ checksums: [ChecksumSource],
        firstURL: String
    ) throws {
        self.invocation = invocation
        self.environment = environment
        self.checksums = checksums
        positionals = try Positionals(
            url: firstURL, items: invocation.positionals, method: invocation.request.method)
        addressOptions = invocation.addressOptions
        // Without such entries, an invalid one has no effect.
        filesOfOptions = invocation.assignments.filesBesideResponse(environment.files)
        destination = try? DownloadPlan(
            invocation.download, of: nil, environment.files, checksums: checksums, filesOfOptions: filesOfOptions)
    }

    /// Returns plans for the first URL of each host, so that prompts and errors come before any request. Other URLs are
    /// only parsed.
    ///
    /// - Throws: The errors of ``Plan``, and ``UsageError`` with the line.
    mutating func probe(_ list: DownloadList) throws -> [Plan] {
        var plans: [Plan] = []
        var origins: Set<String> = []
        for entry in list.entries {
            let address: Address
            let origin: String
            do throws(UsageError) {
                address = try Address(entry.url, addressOptions)
                origin = address.origin
                guard origins.insert(origin).inserted else { continue }
            } catch {
                throw error.inLine(entry.line, of: list.source)
            }
            let plan = try completePlan(for: entry, address)
            plans.append(plan)
            // The typed query is checked, too: items may add one.
            if plan.isReusable, plan.url == address.url { byOrigin[origin] = plan }
        }
        return plans
    }

    /// Returns the plan of one download.
    ///
    /// - Throws: The errors of ``Plan``.
    func plan(for entry: DownloadList.Entry) throws -> Plan {
        guard !byOrigin.isEmpty, let address = try? Address(entry.url, addressOptions),
            let plan = byOrigin[address.origin]
        else { return try completePlan(for: entry, nil) }
        let named = entry.name == nil ? nil : invocation.download.of(entry)
        let file =
            try named.map {
                try DownloadPlan(
                    $0, of: address.url, environment.files, checksums: checksums, filesOfOptions: filesOfOptions)
            } ?? destination
        guard let file, let copy = plan.of(address, savedTo: file) else { return try completePlan(for: entry, address) }
        return copy
    }

    /// Returns the values for a URL with the configuration's settings for its host, and its alias expanded; `nil` if
    /// there is no configuration.
    private func configured(_ url: String) throws(UsageError) -> Invocation? {
        guard let settings = invocation.listSettings else { return nil }
        var typed = invocation
        typed.positionals.insert(url, at: 0)
        typed.download.input = nil
        let invocation = try settings.invocation(typed)
        do throws(UsageError) {
            try BatchPlan.check(invocation)
        } catch {
            throw invocation.locating(error)
        }
        return try BatchPlan.invocation(invocation)
    }

    /// - Parameter address: The address of the entry; `nil` if it is not parsed yet.
    private func completePlan(for entry: DownloadList.Entry, _ address: Address?) throws -> Plan {
        var invocation = try configured(entry.url) ?? invocation
        if invocation.knownTarget == nil {
            var positionals = positionals
            positionals.address = entry.url
            let method = invocation.request.method
            invocation.knownTarget =
                try address.map { RequestTarget(positionals, $0, method: method) }
                ?? RequestTarget(positionals, url: entry.url, method: method)
        }
        invocation.download = invocation.download.of(entry)
        return try Plan(invocation, environment, checksums: checksums)
    }
}

extension Address {
    /// The scheme, the host as typed and the port.
    fileprivate var origin: String { "\(url.scheme.rawValue)://\(host)" }
}
