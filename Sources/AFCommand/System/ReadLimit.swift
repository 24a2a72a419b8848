/// The maximum size of a file that is read completely, by its purpose.
///
/// A device such as `/dev/zero` would otherwise fill the memory. `Documentation/limits.md` lists the limits.
enum ReadLimit: CaseIterable, Sendable {
    case secret, header, certificates, configuration, session, list, text
    /// A report of an earlier run.
    case report

    var bytes: Int {
        switch self {
        case .report: 256 << 20
        case .secret: 64 << 10
        case .header: 1 << 20
        case .certificates, .configuration: 16 << 20
        case .session: 64 << 20
        case .list, .text: 256 << 20
        }
    }

    /// The purpose as the end of a sentence: "the limit for a header".
    private var noun: String {
        switch self {
        case .secret: "a secret"
        case .header: "a header or a query parameter"
        case .certificates: "certificates and keys"
        case .configuration: "configuration, netrc files and templates"
        case .session: "sessions and cookies"
        case .list: "lists"
        case .report: "a report that is extended"
        case .text: "text in a body"
        }
    }

    /// Returns the problem of a file that exceeds the limit.
    func problem(_ path: String) -> FileProblem {
        FileProblem(
            path: path,
            reason: .other("it is longer than \(HumanUnits.limit(Int64(bytes))), the limit for \(noun)"),
            hint: self == .text
                ? "send it as it is: --raw @FILE, or --form name@FILE" : "check that it is the file that was meant"
        )
    }
}
