/// The values that the steps of a path select from a document, each once and in the order of the document.
///
/// If a member is repeated, the last one counts, as in most parsers.
package struct JSONSelection: Equatable, Sendable {
    /// A value from which a step selects nothing.
    package struct Miss: Equatable, Sendable {
        /// The index of the step.
        package let step: Int
        /// The position of the value.
        package let position: Int
    }

    package private(set) var positions: [Int]
    /// The first value that lacks the member or element of a step, or is no container; an empty container is none.
    package private(set) var miss: Miss?

    /// Selects values.
    ///
    /// - Parameter document: A cursor at the value of a text.
    package init(_ steps: [JSONStep], in document: JSONCursor) {
        positions = [document.position]
        for (index, step) in steps.enumerated() { advance(step, index, document) }
        positions.sort()
    }

    private mutating func advance(_ step: JSONStep, _ index: Int, _ document: JSONCursor) {
        var selected: [Int] = []
        let isRecursive = if case .descendants = step { true } else { false }
        if isRecursive { positions.sort() }
        var (cursor, end) = (document, 0)
        // Values inside a value that was searched at any depth are not searched again.
        for position in positions where !isRecursive || position >= end {
            cursor.move(to: position)
            if isRecursive { end = cursor.valueEnd }
            if !cursor.select(step, into: &selected), miss == nil { miss = Miss(step: index, position: position) }
        }
        positions = selected
    }
}

extension JSONCursor {
    /// The position after the value at the current position.
    fileprivate var valueEnd: Int {
        var cursor = self
        return cursor.skipValue().upperBound
    }

    /// Appends the positions of the values that a step selects; returns `false` if the value lacks them.
    fileprivate mutating func select(_ step: JSONStep, into positions: inout [Int]) -> Bool {
        switch step {
        case .member(let name): return append(enterMember(named: name), to: &positions)
        case .elements(let range) where range.count == 1:
            return append(enterElement(range.lowerBound), to: &positions)
        case .elements(let range):
            guard kind == .array else { return false }
            var index = 0
            forEach {
                if range.contains(index) { positions.append($0.position) }
                $0.skipValue()
                index += 1
            }
        case .fromEnd(let place):
            guard kind == .array, case let count = elementCount, place <= count else { return false }
            return append(enterElement(count - place), to: &positions)
        case .all:
            let isObject = kind == .object
            guard isObject || kind == .array else { return false }
            forEach {
                if isObject { $0.skipName() }
                positions.append($0.position)
                $0.skipValue()
            }
        case .descendants(let name): return selectDescendants(named: name, into: &positions)
        }
        return true
    }

    private func append(_ isFound: Bool, to positions: inout [Int]) -> Bool {
        if isFound { positions.append(position) }
        return isFound
    }

    /// Appends the members with a name at any depth; returns `false` if there are none.
    private mutating func selectDescendants(named name: [UInt8], into positions: inout [Int]) -> Bool {
        let (count, end) = (positions.count, valueEnd)
        // Strings before a colon are names, so that no stack is needed.
        while position < end {
            guard let string = skipToString(before: end) else { break }
            if skipColon(), JSONEscape.unescaped(bytes(string)) == name { positions.append(position) }
        }
        return positions.count > count
    }
}
