internal import AFFormatting
internal import AFJSON

/// The values that `--filter` selects.
///
/// A path has the syntax of ``JSONPath``. It may also contain `[]` or `[*]` for each element, `[?a>1]` for those that meet a
/// condition, `[1:3]` for the elements 1 and 2, and `..name` for a member at any depth. It may end with a row: `[].{a,b}`.
/// Commas separate paths.
struct BodyFilter: Equatable, Sendable, ArgumentValue {
    /// The paths as typed.
    let typed: String
    let paths: [[JSONStep]]
    /// The row of each value of the only path; `nil` if the values are written.
    let row: JSONRow?

    /// Whether a condition compares with a secret.
    var holdsSecret: Bool { paths.joined().holdSecret }

    /// The paths for messages.
    var shown: String { holdsSecret ? Redaction.mask : typed.shortened }

    init(argument: String) throws(UsageError) {
        guard !argument.isEmpty else {
            throw UsageError("the argument is empty", hint: "'.' is the complete body")
        }
        typed = argument
        if argument.hasPrefix("$.") || argument.hasPrefix("$[") {
            let path = argument.dropFirst(argument.hasPrefix("$.") && !argument.hasPrefix("$..") ? 2 : 1)
            throw UsageError(
                "'$' is not supported",
                hint: path.isEmpty ? nil : "omit the $: --filter \(ShellWord.quoted(String(path)))")
        }
        var reader = JSONPathReader(
            argument,
            separatesPaths: true,
            countsFromEnd: false,
            hint:
                "a path is a.b, a[0], a[].b, a[1:3], a[?b>1], ..b or a[].{b,c}; a backslash escapes a dot, a comma or a bracket"
        )
        var paths = [try reader.path().map(\.step)]
        while reader.skipSeparator() { paths.append(try reader.path().map(\.step)) }
        let columns = reader.columns
        if paths.count > 1, let empty = paths.firstIndex(of: []), columns.isEmpty {
            throw reader.problem("a path is empty", at: empty == 0 ? 0 : reader.starts[empty])
        }
        self.paths = paths
        row = columns.isEmpty ? nil : JSONRow(columns.map { JSONRow.Column(named: $0.name, $0.steps) })
        let hasCondition = paths.joined().contains { if case .matching = $0 { true } else { false } }
        if paths.count > 1, hasCondition || row != nil {
            throw UsageError(
                "a path with a condition or a row must be the only one",
                hint: "a row has several values: [?a>1].{b,c}")
        }
        guard paths.joined().count <= JSONFilter.maximumStepCount else {
            throw UsageError(
                "at most \(known: JSONFilter.maximumStepCount) names and indices are possible",
                hint: "select a value further outside, and filter the output again"
            )
        }
    }
}
