internal import AFHTTP

/// The headers of a request: defaults in their slots, then what was typed.
struct HeaderList: Equatable, Sendable {
    private(set) var headers: HTTPHeaders
    /// Names that are not to be sent, not even by the transport.
    let removed: [String]

    /// The first line of a name takes the slot of its default; the others follow in the order they were typed. A removal
    /// affects the default and the lines before it.
    init(defaults: [HTTPHeader], _ edits: [HeaderEdit]) {
        // The last removal of each name. The time must not grow with lines times removals.
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
            if let place = openSlots.firstIndex(where: { lines[$0].name.isSameFieldName(as: header.name) }) {
                lines[openSlots.remove(at: place)] = header
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

    /// Replaces the values of a name where they stand.
    mutating func rewrite(_ name: String, _ change: (String) -> String) {
        headers = HTTPHeaders(
            repeating: headers.map { header in
                guard header.name.isSameFieldName(as: name) else { return header }
                return HTTPHeader(name: header.name, value: change(header.value))
            })
    }
}
