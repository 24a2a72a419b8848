internal import AFHTTP

/// The header fields of a request: defaults in fixed positions, then typed ones.
struct HeaderList: Equatable, Sendable {
    private(set) var headers: HTTPHeaders
    /// The names that must not be sent, not even by the transport.
    let removed: [String]

    /// Creates a list from default fields and edits.
    ///
    /// The first added field of a name replaces the default in place; further fields are appended in order. A removal
    /// applies to the default and to fields added before it.
    init(defaults: [HTTPHeader], _ edits: [HeaderEdit]) {
        // The last removal of each name, so that the time is not proportional to lines times removals.
        var removals: [String: Int] = [:]
        for (index, edit) in edits.enumerated() {
            if case .remove(let name) = edit { removals[name.lowercased()] = index }
        }
        func isSent(_ header: HTTPHeader, typedAt index: Int) -> Bool {
            removals.isEmpty || removals[header.name.lowercased()].map { $0 < index } ?? true
        }
        var lines = defaults.filter { isSent($0, typedAt: -1) }
        var openSlots = Array(lines.indices)
        for (index, edit) in edits.enumerated() {
            guard case .add(let header) = edit, isSent(header, typedAt: index) else { continue }
            if let slot = openSlots.firstIndex(where: { lines[$0].name.isSameFieldName(as: header.name) }) {
                lines[openSlots.remove(at: slot)] = header
            } else {
                lines.append(header)
            }
            if !removals.isEmpty { removals[header.name.lowercased()] = nil }
        }
        headers = HTTPHeaders(repeating: lines)
        removed = edits.enumerated().compactMap { index, edit in
            guard case .remove(let name) = edit, removals[name.lowercased()] == index else { return nil }
            return name
        }
    }

    /// Replaces the values of a name in place.
    mutating func rewrite(_ name: String, _ change: (String) -> String) {
        headers = HTTPHeaders(
            repeating: headers.map { header in
                guard header.name.isSameFieldName(as: name) else { return header }
                return HTTPHeader(name: header.name, value: change(header.value))
            })
    }
}
