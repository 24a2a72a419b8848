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
        if steps.allSatisfy(\.isSingle) {
            var cursor = document
            miss = cursor.enter(steps)
            positions = miss == nil ? [cursor.position] : []
            return
        }
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

    /// Moves to the value that steps select; returns the value that lacks it, or `nil`.
    ///
    /// - Parameter steps: Steps that select at most one value.
    package mutating func enter(_ steps: [JSONStep]) -> JSONSelection.Miss? {
        for (index, step) in steps.enumerated() {
            let start = position
            if !enter(step) { return JSONSelection.Miss(step: index, position: start) }
        }
        return nil
    }

    private mutating func enter(_ step: JSONStep) -> Bool {
        switch step {
        case .member(let name): return enterMember(named: name)
        case .elements(let range): return enterElement(range.lowerBound)
        case .fromEnd(let place):
            guard kind == .array, case let count = elementCount, place <= count else { return false }
            return enterElement(count - place)
        case .all, .descendants, .matching: return false
        }
    }

    /// Appends the positions of the values that a step selects; returns `false` if the value lacks them.
    fileprivate mutating func select(_ step: JSONStep, into positions: inout [Int]) -> Bool {
        switch step {
        case _ where step.isSingle:
            guard enter(step) else { return false }
            positions.append(position)
        case .elements(let range):
            guard kind == .array else { return false }
            var index = 0
            forEach {
                if range.contains(index) { positions.append($0.position) }
                $0.skipValue()
                index += 1
            }
        case .all: return selectAll(into: &positions) { _ in true }
        case .matching(let condition): return selectAll(into: &positions, where: condition.isMet)
        case .descendants(let name): return selectDescendants(named: name, into: &positions)
        case .member, .fromEnd: return false
        }
        return true
    }

    /// Appends the elements or members that meet a condition; returns `false` if the value is no container.
    private mutating func selectAll(into positions: inout [Int], where isSelected: (JSONCursor) -> Bool) -> Bool {
        let isObject = kind == .object
        guard isObject || kind == .array else { return false }
        forEach {
            if isObject { $0.skipName() }
            if isSelected($0) { positions.append($0.position) }
            $0.skipValue()
        }
        return true
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
