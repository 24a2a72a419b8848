internal import AFHTTP
internal import Synchronization

/// The plan of the latest transfer of a curl command, which those after it copy: most URLs of a command differ only in the
/// URL and the file.
final class CurlPlans: Sendable {
    /// A plan with what it was made from.
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
            (try? Address(transfer.url, invocation.pathOptions))?.url == plan.url
        else { return }
        latest.withLock {
            $0 = Latest(settings: transfer.settings, behavior: transfer.behavior, planned: planned)
        }
    }

    /// Returns the plan of a transfer; `nil` if it differs from the latest one in more than the URL and the file.
    func planned(_ transfer: CurlTranslation, _ environment: Environment) -> Planned? {
        // Without --ignore-stdin, the request may read standard input, which a terminal may be.
        guard transfer.urlError == nil, transfer.settings.contains(where: { $0.name == "--ignore-stdin" }),
            environment.outputTerminal == nil, let latest = latest.withLock(\.self),
            transfer.settings.areLike(latest.settings), transfer.behavior == latest.behavior
        else { return nil }
        var (invocation, plan) = (latest.planned.invocation, latest.planned.plan)
        guard let address = try? Address(transfer.url, invocation.pathOptions), address.credential == nil,
            !address.isWebSocket, address.url.scheme == plan.url.scheme, address.host == plan.request.host
        else { return nil }
        (invocation.positionals, invocation.knownTarget) = ([transfer.url], nil)
        var destination: DownloadPlan?
        if let path = transfer.outputPath {
            invocation.download.output = path
            destination = try? DownloadPlan(
                invocation.download, of: address.url, environment.files, transfer.behavior.saving)
            // Its error is that of the complete plan.
            if destination == nil { return nil }
        }
        plan = plan.of(address.url, savedTo: destination)
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

extension Invocation {
    fileprivate var pathOptions: Address.Options { Address.Options(keepsPath: network.keepsPathAsTyped) }
}
