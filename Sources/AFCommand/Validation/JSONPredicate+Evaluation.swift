internal import AFJSON

/// The evaluation of predicates.
extension JSONPredicate {
    /// Whether the value at a position meets the predicate.
    func isMet(at cursor: JSONCursor) -> Bool {
        switch test {
        case .comparison(.equal, let value): value.isFound(at: cursor)
        case .comparison(.unequal, let value): !value.isFound(at: cursor)
        case .comparison(.contains, let value): value.isContained(at: cursor)
        case .comparison(let operation, let value): cursor.scalar.map { operation.holds($0, value) } ?? false
        case .match(let pattern): cursor.plainText.map(pattern.isFound) ?? false
        case .membership(let values): values.contains { $0.isFound(at: cursor) }
        case .type(let type): type.matches(cursor)
        }
    }

    /// Whether a number meets the predicate.
    func isMet(by number: Int) -> Bool { isMet(at: JSONCursor(checked: "\(number)")) }

    /// Whether a number and all greater ones meet the predicate.
    func remainsMet(by number: Int) -> Bool {
        switch test {
        case .comparison(.greater, _), .comparison(.atLeast, _): isMet(by: number)
        default: false
        }
    }
}

extension JSONPredicate.ValueType {
    fileprivate func matches(_ cursor: JSONCursor) -> Bool {
        guard self == .integer else { return cursor.kind.rawValue == rawValue }
        guard case .number(let number)? = cursor.scalar else { return false }
        return number.isInteger
    }
}

extension JSONPredicate.Operator {
    /// Whether numbers or strings have this order.
    fileprivate func holds(_ found: JSONValue, _ value: JSONValue) -> Bool {
        switch (found, value) {
        case (.number(let found), .number(let value)): holds(found, value)
        case (.string(let found), .string(let value)):
            switch self {
            case .less: found.lexicographicallyPrecedes(value)
            case .greater: value.lexicographicallyPrecedes(found)
            case .atMost: !value.lexicographicallyPrecedes(found)
            case .atLeast: !found.lexicographicallyPrecedes(value)
            default: false
            }
        default: false
        }
    }

    private func holds(_ found: JSONNumber, _ value: JSONNumber) -> Bool {
        switch self {
        case .less: found < value
        case .greater: found > value
        case .atMost: found <= value
        case .atLeast: found >= value
        default: false
        }
    }
}

extension JSONValue {
    /// Whether an array has this element, a string this part, or an object a member of this name.
    fileprivate func isContained(at start: JSONCursor) -> Bool {
        var cursor = start
        switch (cursor.kind, self) {
        case (.array, _):
            var hasNext = cursor.enter()
            while hasNext {
                if isFound(at: cursor) { return true }
                cursor.skipValue()
                hasNext = cursor.advance()
            }
            return false
        case (.object, .string(let name)): return cursor.enterMember(named: name)
        case (.string, .string(let part)):
            guard case .string(let text)? = cursor.scalar else { return false }
            return text.contains(bytes: part)
        default: return false
        }
    }
}

extension JSONCursor {
    /// The value at the current position; `nil` for containers.
    fileprivate var scalar: JSONValue? {
        var cursor = self
        return kind == .array || kind == .object ? nil : try? cursor.readValue()
    }

    /// The text of a string, or the notation of another scalar; `nil` for containers.
    fileprivate var plainText: [UInt8]? {
        var cursor = self
        switch kind {
        case .array, .object: return nil
        case .string: return JSONEscape.unescaped(bytes(cursor.skipValue()), replacesSurrogates: true)
        case .number, .boolean, .null: return Array(bytes(cursor.skipValue()))
        }
    }

    /// The number of elements, members or characters of the value at the current position; `nil` for other types.
    var length: Int? {
        switch kind {
        case .array: elementCount
        case .object: nameCount
        case .string: plainText.map { String(decoding: $0, as: UTF8.self).unicodeScalars.count }
        case .number, .boolean, .null: nil
        }
    }

    /// The number of different names in the object at the current position.
    private var nameCount: Int {
        var (cursor, names) = (self, Set<[UInt8]>())
        cursor.forEach {
            names.insert($0.readName())
            $0.skipValue()
        }
        return names.count
    }
}
