internal import AFHTTP

/// The headers of a request while they are put together: defaults in their slots, then what was typed.
struct HeaderList: Equatable, Sendable {
    private struct Line: Equatable, Sendable {
        var header: HTTPHeader
        var isDefault: Bool
    }

    private var lines: [Line]
    /// Names that are not to be sent, not even by the transport.
    private(set) var removed: [String] = []

    init(defaults: [HTTPHeader]) {
        lines = defaults.map { Line(header: $0, isDefault: true) }
    }

    /// The first line of a name takes the slot of its default; the others follow in the order they were typed.
    mutating func apply(_ edit: HeaderEdit) {
        switch edit {
        case .add(let header):
            removed.removeAll { $0.isSameFieldName(as: header.name) }
            let slot = lines.firstIndex { $0.isDefault && $0.header.name.isSameFieldName(as: header.name) }
            if let slot {
                lines[slot] = Line(header: header, isDefault: false)
            } else {
                lines.append(Line(header: header, isDefault: false))
            }
        case .remove(let name):
            lines.removeAll { $0.header.name.isSameFieldName(as: name) }
            if !removed.contains(where: { $0.isSameFieldName(as: name) }) { removed.append(name) }
        }
    }

    /// Replaces values where they stand.
    mutating func rewrite(_ name: String, _ change: (String) -> String) {
        for index in lines.indices where lines[index].header.name.isSameFieldName(as: name) {
            let header = lines[index].header
            lines[index].header = HTTPHeader(name: header.name, value: change(header.value))
        }
    }

    var headers: HTTPHeaders { HTTPHeaders(repeating: lines.map(\.header)) }
}
