/// One detail of formatting, as `--format-options` spells it.
enum FormatOption: Equatable, Sendable, ArgumentValue {
    case headersSort(Bool)
    case jsonFormat(Bool)
    case jsonIndent(Int)
    case jsonSortKeys(Bool)

    init(argument: String) throws(UsageError) {
        guard let (name, value) = argument.lowercased().halves(around: ":") else {
            throw UsageError("expected NAME:VALUE, got '\(argument)'")
        }
        switch name {
        case "headers.sort": self = .headersSort(try FormatOption.truth(value, of: name))
        case "json.format": self = .jsonFormat(try FormatOption.truth(value, of: name))
        case "json.sort_keys": self = .jsonSortKeys(try FormatOption.truth(value, of: name))
        case "json.indent":
            // A wider indent than any screen would only multiply the output.
            guard value.isDecimal, let indent = Int(value), indent <= 64 else {
                throw UsageError("json.indent is a number up to 64, got '\(value)'")
            }
            self = .jsonIndent(indent)
        default:
            throw UsageError("'\(name)' is none of headers.sort, json.format, json.indent, json.sort_keys")
        }
    }

    private static func truth(_ value: Substring, of name: Substring) throws(UsageError) -> Bool {
        switch value {
        case "true": true
        case "false": false
        default: throw UsageError("\(name) is true or false, got '\(value)'")
        }
    }
}
