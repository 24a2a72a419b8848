/// The table of curl's options, for the documentation.
package enum CurlOptionTable {
    /// A line of the table.
    package struct Row: Equatable, Sendable {
        package let name: String
        package let letter: Character?
        package let takesArgument: Bool
        package let treatment: Treatment
        /// The reason for another treatment than the same; empty for the same.
        package let reason: String
    }

    /// The treatment of an option.
    package enum Treatment: String, Sendable, CaseIterable {
        case same
        case different = "differs"
        case ignored
        case ineffective = "no effect"
        case refused
    }

    /// The options in alphabetical order.
    package static let rows: [Row] = CurlOption.all.filter { !CurlOption.ofAfcli.contains("--\($0.name)") }
        .map { option in
            let (treatment, reason) = description(of: option)
            return Row(
                name: negated.contains(option.name) ? "no-\(option.name)" : option.name, letter: option.letter,
                takesArgument: option.takesArgument, treatment: treatment,
                reason: reason)
        }
        .sorted { $0.name < $1.name }

    /// The options that curl lists by their negation.
    private static let negated: Set = ["keepalive", "sessionid"]

    private static func description(of option: CurlOption) -> (Treatment, String) {
        let differences = CurlDifference.all.filter { $0.options.contains(option.name) }
        if !differences.isEmpty { return (.different, differences.map(\.subject).joined(separator: "; ")) }
        switch option.effect {
        case .foreign: return (.ignored, "as in curl: it concerns another protocol")
        case .ineffective(_, let reason): return (.ineffective, reason)
        case .unsupported(_, let reason, _): return (.refused, reason)
        default: break
        }
        if case .ignored = option.effect, !CurlOption.handledByParser.contains(option.name) {
            return (.ignored, "it changes neither the request nor the result")
        }
        return (.same, "")
    }
}
