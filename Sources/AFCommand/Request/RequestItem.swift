/// An item after the URL, split at its separator.
struct RequestItem: Equatable, Sendable {
    /// The separator between name and value, which determines the kind of item.
    enum Separator: String, CaseIterable, Sendable {
        case header = ":"
        case emptyHeader = ";"
        case query = "=="
        case text = "="
        case json = ":="
        case upload = "@"
        case headerFromFile = ":@"
        case queryFromFile = "==@"
        case textFromFile = "=@"
        case jsonFromFile = ":=@"

        /// Longest first: at the same position `:=@` takes precedence over `:=`, and that over `:`.
        fileprivate static let byLength = allCases.sorted { $0.rawValue.utf8.count > $1.rawValue.utf8.count }
    }

    /// The argument as typed, for messages.
    let typed: String
    let name: String
    let separator: Separator
    let value: String

    /// Splits at the leftmost separator; a backslash before one of `:;=@` escapes it.
    ///
    /// Other backslashes are literal, including a second one in a row.
    ///
    /// - Throws: ``UsageError`` without a separator, or for text after the `;` of an empty header field.
    init(_ typed: String) throws(UsageError) {
        let (bytes, isEscaped) = RequestItem.unescaped(typed)
        guard let (position, separator) = RequestItem.firstSeparator(in: bytes, isEscaped: isEscaped) else {
            throw UsageError(
                "is not an item",
                argument: typed,
                hint: "write Name:value for a header, name==value for a query, name=value or name:=json for data"
            )
        }
        self.typed = typed
        self.separator = separator
        name = String(decoding: bytes[..<position], as: UTF8.self)
        value = String(decoding: bytes[(position + separator.rawValue.utf8.count)...], as: UTF8.self)
        guard separator != .emptyHeader || value.isEmpty else {
            throw UsageError(
                "has text after its semicolon", argument: typed, hint: "'\(name);' is a header without value")
        }
    }

    /// Whether the item is a part of the body.
    var isData: Bool {
        switch separator {
        case .text, .json, .upload, .textFromFile, .jsonFromFile: true
        case .header, .emptyHeader, .query, .headerFromFile, .queryFromFile: false
        }
    }

    /// The path of the file that the item reads; `nil` if it reads none.
    var file: String? {
        switch separator {
        case .upload: (try? UploadReference(value))?.path
        case .headerFromFile, .queryFromFile, .textFromFile, .jsonFromFile: value
        case .header, .emptyHeader, .query, .text, .json: nil
        }
    }

    /// Whether the item is the complete body: a file without a name.
    var isCompleteBody: Bool { separator == .upload && name.isEmpty }

    private static func unescaped(_ text: String) -> (bytes: [UInt8], isEscaped: [Bool]) {
        let special = Set(":;=@".utf8)
        var bytes: [UInt8] = []
        var isEscaped: [Bool] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let next = rest.popFirst() else {
                bytes.append(byte)
                isEscaped.append(false)
                continue
            }
            if !special.contains(next) {
                bytes.append(byte)
                isEscaped.append(false)
            }
            bytes.append(next)
            isEscaped.append(special.contains(next))
        }
        return (bytes, isEscaped)
    }

    private static func firstSeparator(in bytes: [UInt8], isEscaped: [Bool]) -> (Int, Separator)? {
        for position in bytes.indices where !isEscaped[position] {
            let match = Separator.byLength.first { separator in
                let end = position + separator.rawValue.utf8.count
                return end <= bytes.count && bytes[position..<end].elementsEqual(separator.rawValue.utf8)
                    && !isEscaped[position..<end].contains(true)
            }
            if let match { return (position, match) }
        }
        return nil
    }
}
