/// JSON in files: accessed by name, and written in HTTPie's layout.
extension JSONText {
    /// Parses a file.
    ///
    /// - Throws: ``JSONFileProblem``
    init(file bytes: [UInt8]) throws(JSONFileProblem) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw JSONFileProblem("\(FileProblem.Reason.isNoText)")
        }
        var scanner = JSONScanner(text)
        do throws(JSONScanner.Problem) {
            scanner.skipBlanks()
            let start = scanner.position
            try scanner.skipValue()
            let value = start..<scanner.position
            scanner.skipBlanks()
            guard scanner.isAtEnd else { throw scanner.problem("the end of the JSON text") }
            self = .raw(scanner.text(value))
        } catch {
            throw JSONFileProblem(error, in: bytes)
        }
    }

    /// The members of an object; `nil` for other values.
    var members: [Member]? {
        if case .object(let members) = opened { members } else { nil }
    }

    /// The elements of an array; `nil` for other values.
    var elements: [JSONText]? {
        if case .array(let elements) = opened { elements } else { nil }
    }

    /// The value of a string; `nil` for other values.
    var string: String? {
        guard case .raw(let text) = self, text.utf8.first == UInt8(ascii: "\"") else { return nil }
        return Self.unquoted(text)
    }

    /// The value of a number; `nil` for other values.
    var number: Double? {
        guard case .raw(let text) = self, typeName == "number" else { return nil }
        return Double(text)
    }

    var isTrue: Bool { self == .raw("true") }

    static func number(_ value: Double) -> JSONText {
        .raw(Int64(exactly: value).map { "\($0)" } ?? "\(value)")
    }

    static func flag(_ value: Bool) -> JSONText { .raw(value ? "true" : "false") }

    /// Returns an object of the members that are not `nil`.
    static func object(_ members: KeyValuePairs<String, JSONText?>) -> JSONText {
        .object(members.compactMap { name, value in value.map { Member(name, $0) } })
    }

    /// The member of an object; if it is repeated, the last one.
    ///
    /// Setting `nil` removes it; setting a member replaces another value by an object.
    subscript(name: String) -> JSONText? {
        get { members?.last { $0.name == name }?.value }
        set {
            var members = members ?? []
            let place = members.lastIndex { $0.name == name }
            switch (place, newValue) {
            case (let place?, let value?): members[place].value = value
            case (nil, let value?): members.append(Member(name, value))
            case (_, nil): members.removeAll { $0.name == name }
            }
            self = .object(members)
        }
    }

    /// The contents of a file: indented by four, sorted by name, in ASCII, with a line end, as in HTTPie's files.
    var fileContent: [UInt8] {
        let output = MemoryOutput()
        // Writing to memory does not fail.
        try? writeIndented(to: output)
        let text = output.text.asciiEscaped
        return Array((text.hasSuffix("\n") ? text : text + "\n").utf8)
    }

    private func writeIndented(to output: MemoryOutput) throws(OutputFailure) {
        var buffer = OutputBuffer(output)
        var sorter = JSONSorter(limit: .max, formatter: JSONFormatter(layout: .indented(4)))
        try Array(text.utf8).withUnsafeBufferPointer { bytes throws(OutputFailure) in
            try sorter.consume(UnsafeRawBufferPointer(bytes), into: &buffer)
        }
        try sorter.finish(into: &buffer)
        try buffer.flush()
    }
}

extension JSONText.Member {
    init(_ name: String, _ value: JSONText) {
        self.init(name: name, spelling: JSONText.quoted(name), value: value)
    }
}

/// The reason why a file is not valid JSON, as the end of a sentence.
struct JSONFileProblem: Error, Equatable, Sendable {
    let reason: String

    init(_ reason: String) { self.reason = reason }

    fileprivate init(_ problem: JSONScanner.Problem, in bytes: [UInt8]) {
        let before = bytes[..<problem.offset]
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let column = String(decoding: before[start...], as: UTF8.self).count + 1
        reason = "expected \(problem.expectation) in line \(line), column \(column)"
    }
}

extension String {
    /// JSON text with all characters beyond ASCII as `\uXXXX`.
    fileprivate var asciiEscaped: String {
        guard utf8.contains(where: { $0 > 0x7E }) else { return self }
        var text = ""
        for unit in utf16 {
            if unit < 0x7F {
                text.unicodeScalars.append(UnicodeScalar(UInt8(unit)))
            } else {
                let digits = String(unit, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return text
    }
}
