internal import AFFormatting
internal import AFJSON

/// The values that `--filter` selects.
///
/// A path has the syntax of ``JSONPath``. It may also contain `[]` or `[*]` for each element, `[1:3]` for the elements 1
/// and 2, and `..name` for a member at any depth. Commas separate paths.
struct BodyFilter: Equatable, Sendable, ArgumentValue {
    /// The paths as typed.
    let typed: String
    let paths: [[JSONStep]]

    init(argument: String) throws(UsageError) {
        guard !argument.isEmpty else {
            throw UsageError("the argument is empty", hint: "'.' is the complete body")
        }
        typed = argument
        var reader = JSONPathReader(
            argument,
            separatesPaths: true,
            countsFromEnd: false,
            hint: "a path is a.b, a[0], a[].b, a[1:3] or ..b; a backslash escapes a dot, a comma or a bracket"
        )
        var paths = [try reader.path().map(\.step)]
        while reader.skipSeparator() { paths.append(try reader.path().map(\.step)) }
        if paths.count > 1, let empty = paths.firstIndex(of: []) {
            throw reader.problem("a path is empty", at: empty == 0 ? 0 : reader.starts[empty])
        }
        self.paths = paths
        guard paths.joined().count <= JSONFilter.maximumStepCount else {
            throw UsageError(
                "at most \(known: JSONFilter.maximumStepCount) names and indices are possible",
                hint: "select a value further outside, and filter the output again"
            )
        }
    }
}
