/// A setting of `--format-options`.
enum FormatOption: Equatable, Sendable, ArgumentValue {
    case headersSort(Bool)
    case jsonFormat(Bool)
    case jsonIndent(Int)
    case jsonSortKeys(Bool)
    case xmlFormat(Bool)
    case xmlIndent(Int)

    private static let names = [
        "headers.sort", "json.format", "json.indent", "json.sort_keys", "xml.format", "xml.indent",
    ]

    init(argument: String) throws(UsageError) {
        guard let (name, value) = argument.lowercased().halves(around: ":") else {
            throw UsageError("expected NAME:VALUE, got '\(argument)'")
        }
        switch name {
        case "headers.sort": self = .headersSort(try FormatOption.truth(value, of: name))
        case "json.format": self = .jsonFormat(try FormatOption.truth(value, of: name))
        case "json.sort_keys": self = .jsonSortKeys(try FormatOption.truth(value, of: name))
        case "json.indent": self = .jsonIndent(try FormatOption.columns(value, of: name))
        case "xml.format": self = .xmlFormat(try FormatOption.truth(value, of: name))
        case "xml.indent": self = .xmlIndent(try FormatOption.columns(value, of: name))
        default: throw UsageError("unknown option '\(name)': use \(Self.names.joined(separator: ", "))")
        }
    }

    private static func truth(_ value: Substring, of name: Substring) throws(UsageError) -> Bool {
        switch value {
        case "true": true
        case "false": false
        default: throw UsageError("\(name) is true or false, got '\(value)'")
        }
    }

    private static func columns(_ value: Substring, of name: Substring) throws(UsageError) -> Int {
        // A larger indentation would only multiply the output.
        guard value.isDecimal, let columns = Int(value), columns <= 64 else {
            throw UsageError("\(name) is a number up to 64, got '\(value)'")
        }
        return columns
    }
}
