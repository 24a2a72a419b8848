internal import AFHurl

extension HurlRequest {
    /// The path of the option `output`; `nil` without it.
    var outputRange: SourceRange? {
        guard case .text(let path)? = options.last(where: { $0.name == .output })?.value else { return nil }
        return path.range
    }
}

extension HurlEntry {
    /// Whether a capture or an assert is about the certificate of the server.
    var queriesCertificate: Bool {
        let queries = (response?.captures.map(\.query) ?? []) + (response?.asserts.map(\.query) ?? [])
        return queries.contains { query in
            if case .certificate = query.content { true } else { false }
        }
    }
}

extension SourceRange {
    /// Whether a part is the same one, or begins in the line that the range is.
    func includes(_ other: SourceRange) -> Bool {
        start.column == 0 ? start.line == other.start.line : self == other
    }
}
