/// A position in JSON text that was checked: a value, or the end of a container.
///
/// Nothing is copied, and nothing is checked again: containers are entered and skipped by their punctuation.
package struct JSONCursor: Sendable {
    /// The maximum depth of text whose values are read recursively.
    package static let maximumDepthOfValues = 512

    private let bytes: [UInt8]
    package private(set) var position = 0

    /// Creates a cursor at the value of a text, which may be between a byte order mark and white space.
    ///
    /// - Parameters:
    ///   - isSingle: Whether there must be one text; otherwise the cursor is at the first one.
    ///   - acceptsGuard: Whether a guard may precede the value, such as `)]}',`.
    ///   - maximumDepth: The maximum number of open containers.
    /// - Throws: ``JSONSyntaxError`` if the bytes are not JSON.
    package init(
        _ bytes: [UInt8],
        isSingle: Bool = true,
        acceptsGuard: Bool = false,
        maximumDepth: Int = ContainerStack.maximumDepth
    ) throws(JSONSyntaxError) {
        var checker = JSONChecker(
            tokenizer: JSONTokenizer(isSingle: isSingle, acceptsGuard: acceptsGuard, maximumDepth: maximumDepth))
        try bytes.withUnsafeBufferPointer { bytes throws(JSONSyntaxError) in try checker.read(bytes) }
        self.bytes = bytes
        position = checker.tokenizer.markLength + checker.tokenizer.guardLength
        while skipIf({ $0.isJSONSpace || $0 == Self.recordSeparator }) {}
    }

    /// Returns a cursor at each text of a sequence, such as JSON lines.
    ///
    /// - Throws: ``JSONSyntaxError`` if the bytes are not JSON texts.
    package static func sequence(_ bytes: [UInt8]) throws(JSONSyntaxError) -> [JSONCursor] {
        var cursor = try JSONCursor(bytes, isSingle: false, acceptsGuard: true)
        var texts: [JSONCursor] = []
        while cursor.next != nil {
            texts.append(cursor)
            cursor.skipValue()
            while cursor.skipIf({ $0.isJSONSpace || $0 == recordSeparator }) {}
        }
        return texts
    }

    /// The byte before each text of a sequence (RFC 7464).
    private static let recordSeparator: UInt8 = 0x1E

    /// Creates a cursor at the value of a text that was checked, without space before it.
    package init(checked text: String) { self.init(checked: Array(text.utf8)) }

    package init(checked bytes: [UInt8]) { self.bytes = bytes }

    /// The type of the value at the current position.
    package var kind: JSONText.Kind { JSONText.Kind(firstByte: next) }

    /// The text of the value at the current position.
    package var valueText: String {
        var cursor = self
        return text(cursor.skipValue())
    }

    /// The bytes of the value at the current position without white space between tokens.
    package var compactBytes: [UInt8] {
        var (cursor, compact) = (self, [UInt8]())
        let end = cursor.skipValue().upperBound
        cursor.move(to: position)
        while case let start = cursor.position, start < end {
            if cursor.next == UInt8(ascii: "\"") {
                cursor.skipString()
            } else {
                while cursor.position < end, cursor.skipIf({ $0 != UInt8(ascii: "\"") && !$0.isJSONSpace }) {}
            }
            compact += bytes[start..<cursor.position]
            cursor.skipSpace()
        }
        return compact
    }

    package func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    package func bytes(_ range: Range<Int>) -> ArraySlice<UInt8> { bytes[range] }

    /// Continues at the start of another value.
    package mutating func move(to position: Int) { self.position = position }

    /// Returns the cursor at the start of another value.
    package func moved(to position: Int) -> JSONCursor {
        var cursor = self
        cursor.position = position
        return cursor
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }
}

extension JSONCursor {
    /// Enters the container at the current position; returns `false` and skips the container if it is empty.
    package mutating func enter() -> Bool {
        position += 1
        skipSpace()
        return !skipIf { $0 == UInt8(ascii: "}") || $0 == UInt8(ascii: "]") }
    }

    /// Moves from the end of a value to the next element or name; returns `false` and skips the end of the container if
    /// it was the last one.
    package mutating func advance() -> Bool {
        skipSpace()
        let hasNext = next == UInt8(ascii: ",")
        position += 1
        if hasNext { skipSpace() }
        return hasNext
    }

    /// Skips a container, and calls a closure with the cursor at each element or name, which it must move to the end of
    /// the value.
    package mutating func forEach<Failure: Error>(_ read: (inout JSONCursor) throws(Failure) -> Void) throws(Failure) {
        var hasNext = enter()
        while hasNext {
            try read(&self)
            hasNext = advance()
        }
    }

    /// Moves from a name to its value, and returns the range of the name with its quotes.
    @discardableResult
    package mutating func skipName() -> Range<Int> {
        let start = position
        skipString()
        let end = position
        _ = skipColon()
        return start..<end
    }

    /// Moves from a name to its value, and returns the unescaped name, in bytes that sort like its characters.
    package mutating func readName() -> [UInt8] { JSONEscape.unescaped(bytes[skipName()]) }

    /// Skips a value, and returns its range.
    @discardableResult
    package mutating func skipValue() -> Range<Int> {
        let start = position
        var depth = 0
        repeat {
            switch next {
            case UInt8(ascii: "{")?, UInt8(ascii: "[")?:
                depth += 1
                position += 1
            case UInt8(ascii: "}")?, UInt8(ascii: "]")?:
                depth -= 1
                position += 1
            case UInt8(ascii: "\"")?: skipString()
            case UInt8(ascii: ",")?, UInt8(ascii: ":")?: position += 1
            case let byte? where byte.isJSONSpace: skipSpace()
            case _?: while skipIf({ !$0.endsBareToken }) {}
            case nil: return start..<position
            }
        } while depth > 0
        return start..<position
    }

    /// Moves to the next string before a position, and skips it; returns its range, or `nil` if no string starts before it.
    mutating func skipToString(before end: Int) -> Range<Int>? {
        while position < end, next != UInt8(ascii: "\"") { position += 1 }
        let start = position
        guard start < end else { return nil }
        skipString()
        return start..<position
    }

    /// Skips a colon with the space around it; returns `false` without a colon.
    mutating func skipColon() -> Bool {
        skipSpace()
        guard skipIf({ $0 == UInt8(ascii: ":") }) else { return false }
        skipSpace()
        return true
    }

    private mutating func skipSpace() { while skipIf(\.isJSONSpace) {} }

    private mutating func skipIf(_ matches: (UInt8) -> Bool) -> Bool {
        guard let next, matches(next) else { return false }
        position += 1
        return true
    }

    private mutating func skipString() {
        let start = position + 1
        position = bytes.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return start }
            let end = base + bytes.count
            var place = base + start
            while place < end {
                place = place.skippingStringRun(to: end)
                guard place < end, place.pointee == UInt8(ascii: "\\") else { break }
                place += 2
            }
            return min(place - base + 1, bytes.count)
        }
    }
}

/// Steps into a document.
extension JSONCursor {
    /// Moves to the value of the last member of this name in an object; returns `false` if there is none.
    package mutating func enterMember(named name: [UInt8]) -> Bool {
        guard kind == .object else { return false }
        var found: Int?
        forEach { cursor in
            let range = cursor.skipName()
            if cursor.isName(at: range, name) { found = cursor.position }
            cursor.skipValue()
        }
        if let found { move(to: found) }
        return found != nil
    }

    /// Reads the values of an object, which it skips; returns the names, with quotes, and the values in the order of the
    /// first names. If a member is repeated, the last value counts.
    package mutating func readMembers<Value>(
        _ read: (inout JSONCursor) -> Value
    ) -> [(name: Range<Int>, value: Value)] {
        var members: [(name: Range<Int>, value: Value)] = []
        var places: [[UInt8]: Int] = [:]
        forEach { cursor in
            let name = cursor.skipName()
            let key = JSONEscape.unescaped(cursor.bytes[name])
            let value = read(&cursor)
            if let place = places[key] {
                members[place].value = value
            } else {
                places[key] = members.count
                members.append((name, value))
            }
        }
        return members
    }

    /// Whether a name with its quotes has these bytes: `String` treats canonically equivalent names as equal.
    private func isName(at range: Range<Int>, _ name: [UInt8]) -> Bool {
        // An escape is longer than its character.
        guard range.count >= name.count + 2 else { return false }
        let notation = bytes[range].dropFirst().dropLast()
        if notation.contains(UInt8(ascii: "\\")) { return JSONEscape.unescaped(bytes[range]) == name }
        return notation.elementsEqual(name)
    }

    /// Moves to an element of an array; returns `false` if there is none.
    package mutating func enterElement(_ index: Int) -> Bool {
        guard kind == .array, enter() else { return false }
        for _ in 0..<index {
            skipValue()
            guard advance() else { return false }
        }
        return true
    }

    /// The number of elements of the array at the current position.
    package var elementCount: Int {
        var (cursor, count) = (self, 0)
        cursor.forEach {
            $0.skipValue()
            count += 1
        }
        return count
    }
}

/// Checks JSON text.
private struct JSONChecker: JSONTokenReceiver {
    typealias Output = Void
    typealias Failure = Never

    var tokenizer: JSONTokenizer
}
