internal import AFHTTP

/// A multipart part in curl's notation: `name=value`, `name=@file`, `name=<file`, each with attributes.
struct FormPart: Equatable, Sendable {
    enum Content: Equatable, Sendable {
        case text(String)
        /// A file that is uploaded with its name.
        case upload(path: String)
        /// A file whose contents are the text.
        case textFromFile(path: String)
    }

    let name: String
    let content: Content
    var contentType: String?
    var fileName: String?
    var headers: [HTTPHeader] = []
    /// The path of a file with additional header lines; `nil` if the part has none.
    var headerFile: String?

    /// Takes the type of header fields, unless the part has one: as in curl, the attribute `type` precedes them.
    ///
    /// - Returns: The other fields.
    mutating func takeContentType(of headers: [HTTPHeader]) -> [HTTPHeader] {
        let isType = { (header: HTTPHeader) in header.name.lowercased() == "content-type" }
        contentType = contentType ?? headers.first(where: isType)?.value
        return headers.filter { !isType($0) }
    }

    /// Parses a part.
    ///
    /// - Parameter isLiteral: Whether everything after the first `=` is the text.
    init(_ typed: String, isLiteral: Bool) throws(UsageError) {
        guard let halves = typed.halves(around: "=") else {
            throw UsageError("expected name=value, got '\(typed)'")
        }
        name = try .partName(String(halves.before))
        var rest = halves.after
        if isLiteral {
            content = .text(String(rest))
            return
        }
        rest = rest.drop(while: \.isBlank)
        let sign = rest.first
        if sign == "@" || sign == "<" { rest.removeFirst() }
        let isQuoted = rest.drop(while: \.isBlank).first == "\""
        let value = try FormPart.takeWord(&rest)
        guard isQuoted || (sign != "@" && sign != "<") || !value.contains(",") else {
            throw UsageError(
                "several files in one part are not supported",
                hint: "put a name with a comma into double quotes: name=@'\"a,b\"'")
        }
        switch sign {
        case "@": content = .upload(path: value)
        case "<": content = .textFromFile(path: value)
        default: content = .text(value)
        }
        // For curl it is a file that cannot be read.
        guard !value.isEmpty || (sign != "@" && sign != "<") else { throw UsageError("has no file name").numbered(26) }
        try takeAttributes(rest)
    }

    private mutating func takeAttributes(_ text: Substring) throws(UsageError) {
        var rest = text
        while rest.popFirst() == ";" {
            let attribute = rest.drop { $0 == " " }
            guard let (key, value) = attribute.halves(around: "=") else { throw FormPart.unknown(attribute) }
            rest = value
            switch key {
            case "type": contentType = try .mediaType(FormPart.takeMediaType(&rest))
            case "filename": fileName = try .partName(FormPart.takeWord(&rest))
            case "headers": try takeHeader(&rest)
            default: throw FormPart.unknown(attribute)
            }
        }
    }

    private mutating func takeHeader(_ rest: inout Substring) throws(UsageError) {
        if rest.first == "@" {
            rest.removeFirst()
            headerFile = try FormPart.takeWord(&rest)
        } else {
            headers.append(try FormPart.header(FormPart.takeWord(&rest)))
        }
    }

    /// Parses one header field per line. A line that begins with a blank continues the one before it; blank lines and those
    /// that begin with `#` are ignored.
    static func headers(ofText text: String) throws(UsageError) -> [HTTPHeader] {
        var lines: [String] = []
        for line in text.split(whereSeparator: \.isNewline) where line.first != "#" && !line.allSatisfy(\.isBlank) {
            let start = line.first?.isBlank == true ? lines.popLast() : nil
            lines.append((start ?? "") + line)
        }
        return try lines.map(header)
    }

    /// Parses a header field of the part: `Name: value`.
    static func header(_ line: String) throws(UsageError) -> HTTPHeader {
        guard case .add(let header) = try HeaderEdit(argument: line) else {
            throw UsageError("the header '\(line)' has no value")
        }
        return header
    }

    /// Consumes text up to a semicolon, or between double quotes with `\"` and `\\` inside.
    private static func takeWord(_ rest: inout Substring) throws(UsageError) -> String {
        rest = rest.drop(while: \.isBlank)
        guard rest.first == "\"" else {
            let word = rest.prefix { $0 != ";" }
            rest = rest[word.endIndex...]
            return String(word.trimmed)
        }
        var word = ""
        var quoted = rest.dropFirst()
        while let character = quoted.popFirst() {
            if character == "\\", let next = quoted.first, next == "\"" || next == "\\" {
                word.append(next)
                quoted.removeFirst()
            } else if character == "\"" {
                quoted = quoted.drop(while: \.isBlank)
                guard quoted.isEmpty || quoted.first == ";" else {
                    throw UsageError("has text after the closing quote: '\(quoted)'")
                }
                rest = quoted
                return word
            } else {
                word.append(character)
            }
        }
        throw UsageError("has an opening quote without a closing one")
    }

    /// Consumes a media type with its parameters: the semicolon in `text/plain;charset=utf-8` belongs to it.
    private static func takeMediaType(_ rest: inout Substring) throws(UsageError) -> String {
        if rest.first == "\"" { return try takeWord(&rest) }
        var end = rest.startIndex
        while end < rest.endIndex, !isAttribute(rest[end...]) {
            end = rest[end...].dropFirst().firstIndex(of: ";") ?? rest.endIndex
        }
        let word = rest[..<end]
        rest = rest[end...]
        return String(word.trimmed)
    }

    /// Whether the text starts with an attribute of the part: `;name=`, with optional blanks.
    private static func isAttribute(_ text: Substring) -> Bool {
        guard text.first == ";" else { return false }
        let name = text.dropFirst().drop { $0 == " " }
        return ["filename", "headers", "type"].contains { known in
            name.hasPrefix(known) && name.dropFirst(known.count).drop { $0 == " " }.first == "="
        }
    }

    private static func unknown(_ attribute: Substring) -> UsageError {
        UsageError(
            "unknown attribute '\(attribute)': use type=, filename= or headers=",
            hint: "put a value with semicolons into double quotes: name='\"a;b\"'"
        )
    }
}

extension Character {
    fileprivate var isBlank: Bool { self == " " || self == "\t" }
}
