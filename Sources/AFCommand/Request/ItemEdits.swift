internal import AFHTTP

/// The header edits and query parameters of items and options.
struct ItemEdits {
    var edits: [HeaderEdit] = []
    private(set) var query: [(name: String, value: String)] = []

    /// Collects them.
    ///
    /// - Parameter itemOffset: The number of positional arguments before the items.
    /// - Throws: ``UsageError`` for an invalid header field, ``FileProblem`` for an unreadable file.
    init(_ items: [RequestItem], itemOffset: Int, _ request: RequestArguments, _ input: inout InputReader) throws {
        var headers = request.headers[...]
        func take(_ positionalCount: Int) -> [HeaderEdit] {
            let next = headers.prefix { $0.precedingPositionals <= positionalCount }
            headers = headers[next.endIndex...]
            return next.map(\.edit)
        }
        edits = take(itemOffset)
        if let range = request.range {
            edits.append(.add(HTTPHeader(name: "Range", value: "bytes=\(range)")))
        }
        for (index, item) in items.enumerated() {
            edits += take(itemOffset + index)
            do {
                try add(item, &input)
            } catch {
                throw naming(item.typed, error)
            }
        }
        edits += headers.map(\.edit)
        guard request.range == nil || edits.count(where: { $0.name.isSameFieldName(as: "Range") }) == 1 else {
            throw UsageError.withoutHint("cannot be combined with a Range header", argument: "--range")
        }
    }

    /// Returns the last typed value of a field, unless the field was removed afterwards.
    func value(for name: String) -> String? {
        edits.reduce(nil) { (value, edit) in
            switch edit {
            case .add(let header): header.name.isSameFieldName(as: name) ? header.value : value
            case .remove(let removed): removed.isSameFieldName(as: name) ? nil : value
            }
        }
    }

    /// Adds edits that give way to the existing ones of the same name.
    mutating func add(defaults: [HeaderEdit]) {
        edits = defaults.filter { !mentions($0.name) } + edits
    }

    /// Whether a field was typed or removed.
    func mentions(_ name: String) -> Bool {
        edits.contains { $0.name.isSameFieldName(as: name) }
    }

    private mutating func add(_ item: RequestItem, _ input: inout InputReader) throws {
        switch item.separator {
        case .header where item.value.isEmpty: edits.append(try .removing(name: item.name))
        case .header, .emptyHeader: edits.append(try .adding(name: item.name, value: item.value))
        case .headerFromFile: edits.append(try .adding(name: item.name, value: line(item.value, &input)))
        case .query: query.append((item.name, item.value))
        case .queryFromFile: query.append((item.name, try line(item.value, &input)))
        case .text, .json, .upload, .textFromFile, .jsonFromFile: break
        }
    }

    /// Returns the contents of a file without trailing line ends.
    private func line(_ path: String, _ input: inout InputReader) throws -> String {
        let bytes = Array(try input.text(path, .header).utf8)
        let end = bytes.lastIndex { $0 != 0x0A && $0 != 0x0D }.map { $0 + 1 } ?? 0
        return String(decoding: bytes[..<end], as: UTF8.self)
    }
}
