internal import AFHTTP
internal import Synchronization

/// The plan of the latest transfer of a curl command, a copy of which is that of a later one with another URL and file.
final class CurlPlans: Sendable {
    /// A plan and its sources.
    struct Planned: Sendable {
        let invocation: Invocation
        let plan: Plan
        let records: RecordPlan
    }

    private struct Latest {
        let settings: [CurlSetting]
        let behavior: CurlBehavior
        let planned: Planned
    }

    private let latest = Mutex<Latest?>(nil)

    /// Stores the plan of a transfer if others may copy it.
    func add(_ planned: Planned, of transfer: CurlTranslation) {
        let (invocation, plan) = (planned.invocation, planned.plan)
        guard plan.isReusable, plan.warnings.isEmpty, plan.notes.isEmpty,
            invocation.assignments.filesBesideResponse(transfer.files).isEmpty,
            (try? transfer.address?.completed(invocation.addressOptions))?.url == plan.url
        else { return }
        latest.withLock {
            $0 = Latest(settings: transfer.settings, behavior: transfer.behavior, planned: planned)
        }
    }

    /// Returns the plan of a transfer; `nil` if it differs from the latest one in more than the URL and the file.
    func planned(_ transfer: CurlTranslation, _ environment: Environment) -> Planned? {
        // Without these options, the request may read standard input or a netrc file. A terminal may need a pager.
        let names = transfer.settings.map(\.name)
        guard names.contains("--ignore-stdin"), names.contains("--ignore-netrc"), environment.outputTerminal == nil,
            let latest = latest.withLock(\.self), transfer.urlError == nil, transfer.behavior == latest.behavior,
            transfer.settings.areLike(latest.settings),
            let address = try? transfer.address?.completed(latest.planned.invocation.addressOptions)
        else { return nil }
        var invocation = latest.planned.invocation
        invocation.positionals = [transfer.url]
        invocation.knownTarget = latest.planned.invocation.knownTarget.map { target in
            var positionals = target.positionals
            positionals.address = transfer.url
            return RequestTarget(positionals, address, method: target.method)
        }
        var destination: DownloadPlan?
        if let path = transfer.outputPath {
            invocation.download.output = path
            destination = try? DownloadPlan(
                invocation.download, of: address.url, environment.files, transfer.behavior.saving)
            // Its error is that of the complete plan.
            if destination == nil { return nil }
        }
        guard var plan = latest.planned.plan.of(address, savedTo: destination) else { return nil }
        plan.waits = environment.files.waits
        return Planned(invocation: invocation, plan: plan, records: latest.planned.records)
    }
}

extension CurlTranslation {
    /// The path of the body's file; `nil` for standard output.
    var outputPath: String? { settings.last { $0.name == "--output" }?.value }
}

extension [CurlSetting] {
    /// Whether the settings differ only in the argument of `--output`.
    fileprivate func areLike(_ others: [CurlSetting]) -> Bool {
        count == others.count
            && zip(self, others).allSatisfy { own, other in
                own == other || own.name == "--output" && other.name == "--output"
            }
    }
}
