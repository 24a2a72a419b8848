/// JSON as it is kept in files: taken apart by name, and written in HTTPie's layout.
extension JSONText {
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
            guard scanner.isAtEnd else { throw scanner.problem("nothing more") }
            self = .raw(scanner.text(value))
        } catch {
            throw JSONFileProblem(error, in: bytes)
        }
    }

    /// The members of an object; `nil` for any other value.
    var members: [Member]? {
        if case .object(let members) = opened { members } else { nil }
    }

    /// The elements of an array; `nil` for any other value.
    var elements: [JSONText]? {
        if case .array(let elements) = opened { elements } else { nil }
    }

    /// What a string means; `nil` for any other value.
    var string: String? {
        guard case .raw(let text) = self, text.utf8.first == UInt8(ascii: "\"") else { return nil }
        return Self.unquoted(text)
    }

    /// `nil` for anything but a number.
    var number: Double? {
        guard case .raw(let text) = self, typeName == "number" else { return nil }
        return Double(text)
    }

    var isTrue: Bool { self == .raw("true") }

    static func number(_ value: Double) -> JSONText {
        .raw(Int64(exactly: value).map { "\($0)" } ?? "\(value)")
    }

    static func flag(_ value: Bool) -> JSONText { .raw(value ? "true" : "false") }

    /// An object of these members, without those that are `nil`.
    static func object(_ members: KeyValuePairs<String, JSONText?>) -> JSONText {
        .object(members.compactMap { name, value in value.map { Member(name, $0) } })
    }

    /// The member of an object; of several with one name the last, as everybody reads them.
    ///
    /// Set to `nil` it is removed; what is no object becomes one.
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

    /// Indented by four, members sorted by name, ASCII alone, with a line end: as HTTPie writes its files.
    var fileContent: [UInt8] {
        let output = MemoryOutput()
        // Memory takes everything.
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

/// Why a file is not the JSON that it should be, as the end of a sentence.
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
    /// JSON text with everything beyond ASCII as `\uXXXX`.
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
