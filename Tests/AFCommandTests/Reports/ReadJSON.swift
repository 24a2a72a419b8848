import Testing

@testable import AFCommand
@testable import AFJSON

/// A JSON text that a test reads, by paths.
struct ReadJSON {
    private let document: JSONCursor

    /// Fails the test where the text is no JSON.
    init(_ text: String) throws { document = try JSONCursor(Array(text.utf8)) }

    /// The raw value at a path; `nil` if there is none.
    subscript(path: String) -> String? {
        var cursor = document
        guard let path = try? JSONPath(path), path.find(in: &cursor) == nil else { return nil }
        return cursor.valueText
    }

    /// Returns the unescaped string at a path.
    func string(_ path: String) -> String? {
        self[path].flatMap { $0.hasPrefix("\"") ? JSONText.unquoted($0) : nil }
    }

    func number(_ path: String) -> Double? { self[path].flatMap(Double.init) }

    /// How many elements an array has, or names an object.
    func count(_ path: String) -> Int { names(path).count }

    /// The names of an object's members, or the indexes of an array's elements.
    func names(_ path: String) -> [String] {
        switch self[path].map({ JSONText.raw($0).opened }) {
        case .object(let members)?: members.map(\.name)
        case .array(let elements)?: elements.indices.map { "\($0)" }
        default: []
        }
    }
}

extension ToolRun {
    /// Standard output as JSON.
    var json: ReadJSON { get throws { try ReadJSON(output) } }
}
