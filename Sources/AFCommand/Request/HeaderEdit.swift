internal import AFHTTP

/// A change of the header fields of a request.
enum HeaderEdit: Equatable, Sendable {
    /// Adds a field line; the first one of its name replaces a default.
    case add(HTTPHeader)
    /// Removes the default and all earlier lines of this name.
    case remove(name: String)
}

extension HeaderEdit {
    /// Returns an edit that adds a field.
    ///
    /// - Throws: ``UsageError`` for a name that is not a token, or control characters in the value.
    static func adding(name: String, value: String) throws(UsageError) -> HeaderEdit {
        let header = HTTPHeader(name: name, value: String(octets: value.octets[...].trimmed))
        try checkName(name)
        guard header.isValid else {
            let isBroken = header.value.utf8.contains { $0 == 0x0A || $0 == 0x0D }
            throw UsageError(
                "the value of header '\(name)' contains a \(known: isBroken ? "line break" : "control character")",
                hint: isBroken ? "write each header as an item of its own, on one line" : nil
            )
        }
        return .add(header)
    }

    /// Returns an edit that removes a field.
    ///
    /// - Throws: ``UsageError`` for a name that is not a token.
    static func removing(name: String) throws(UsageError) -> HeaderEdit {
        try checkName(name)
        return .remove(name: name)
    }

    private static func checkName(_ name: String) throws(UsageError) {
        guard HTTPHeader(name: name, value: "").isValid else {
            guard !name.isEmpty else {
                throw UsageError(
                    "a header needs a name",
                    hint: "expected Name:value; for a field ':name' write '\\:name=value'"
                )
            }
            throw UsageError(
                "invalid header name '\(name)'",
                hint: "a name consists of letters, digits and !#$%&'*+-.^_`|~"
            )
        }
    }
}

extension HeaderEdit: ArgumentValue {
    static var hint: ArgumentHint { .header }

    /// Parses curl's notation: `Name: value`, `Name:` to remove, `Name;` for an empty value.
    init(argument: String) throws(UsageError) {
        if let (before, value) = argument.halves(around: ":") {
            let name = String(before)
            let isBlank = value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
            self = isBlank ? try .removing(name: name) : try .adding(name: name, value: String(value))
        } else if argument.last == ";" {
            self = try .adding(name: String(argument.dropLast()), value: "")
        } else {
            throw UsageError("expected 'Name: value', got '\(argument)'")
        }
    }
}
