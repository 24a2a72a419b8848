internal import AFHTTP
internal import AFHurl
package import AFJSON

extension JSONPathExpression {
    /// The evaluation needed too many steps.
    package struct LimitError: Error, Equatable {}

    /// Returns the positions of the selected values, in order.
    ///
    /// - Parameters:
    ///   - document: A cursor at the root of a document, whose depth is limited.
    ///   - maximumSteps: The maximum number of steps, each for a node or some bytes of the text. Filters with queries of
    ///     the document are quadratic.
    /// - Throws: ``LimitError`` if more steps are needed.
    package func positions(in document: JSONCursor, maximumSteps: Int = 1 << 25) throws(LimitError) -> [Int] {
        var evaluation = JSONPathEvaluation(root: document, maximumSteps: maximumSteps)
        return try evaluation.select(segments, from: document.position)
    }
}

/// The evaluation of an expression in a document, whose nodes are positions in its text.
private struct JSONPathEvaluation {
    private let maximumSteps: Int
    private let document: JSONCursor
    private let root: Int
    private var steps = 0

    init(root document: JSONCursor, maximumSteps: Int) {
        (self.document, root) = (document, document.position)
        self.maximumSteps = maximumSteps
    }

    private func cursor(at position: Int) -> JSONCursor {
        var cursor = document
        cursor.move(to: position)
        return cursor
    }

    private mutating func count(_ steps: Int) throws(JSONPathExpression.LimitError) {
        self.steps += steps
        if self.steps > maximumSteps { throw JSONPathExpression.LimitError() }
    }

    mutating func select(
        _ segments: [JSONPathExpression.Segment], from position: Int
    ) throws(JSONPathExpression.LimitError) -> [Int] {
        var nodes = [position]
        for segment in segments {
            var selected: [Int] = []
            for node in nodes {
                for origin in try segment.isDescendant ? descendants(of: node) : [node] {
                    for selector in segment.selectors { selected += try select(selector, from: origin) }
                }
            }
            nodes = selected
        }
        return nodes
    }

    /// Returns the containers in a value, including itself, each before its children.
    private mutating func descendants(of position: Int) throws(JSONPathExpression.LimitError) -> [Int] {
        var (nodes, pending) = ([Int](), [position])
        while let node = pending.popLast() {
            nodes.append(node)
            pending += try children(of: node).filter { cursor(at: $0).isContainer }.reversed()
        }
        return nodes
    }

    /// Returns the elements of an array, or the values of the members of an object.
    private mutating func children(of position: Int) throws(JSONPathExpression.LimitError) -> [Int] {
        var cursor = cursor(at: position)
        let skip = { (cursor: inout JSONCursor) -> Int in
            defer { cursor.skipValue() }
            return cursor.position
        }
        var children: [Int] = []
        switch cursor.kind {
        case .object: children = cursor.readMembers(skip).map(\.value)
        case .array: cursor.forEach { children.append(skip(&$0)) }
        default: return []
        }
        // A step for about as many bytes as a node takes time.
        try count(children.count + (cursor.position - position) / 16 + 1)
        return children
    }

    private mutating func select(
        _ selector: JSONPathExpression.Selector, from position: Int
    ) throws(JSONPathExpression.LimitError) -> [Int] {
        let kind = cursor(at: position).kind
        switch selector {
        case .name(let name):
            var cursor = cursor(at: position)
            guard kind == .object, cursor.enterMember(named: name) else { return [] }
            try count((cursor.position - position) / 16 + 1)
            return [cursor.position]
        case .wildcard: return try children(of: position)
        case .index(let index):
            guard kind == .array else { return [] }
            let elements = try children(of: position)
            let place = index < 0 ? elements.count + index : index
            return elements.indices.contains(place) ? [elements[place]] : []
        case .slice(let start, let end, let step):
            guard kind == .array else { return [] }
            let elements = try children(of: position)
            return JSONPathSlice(start: start, end: end, step: step).indices(elements.count).map {
                elements[$0]
            }
        case .filter(let condition):
            var selected: [Int] = []
            for child in try children(of: position) where try holds(condition, at: child) {
                selected.append(child)
            }
            return selected
        }
    }

    private mutating func holds(
        _ condition: JSONPathExpression.Condition, at position: Int
    ) throws(JSONPathExpression.LimitError) -> Bool {
        switch condition {
        case .or(let conditions):
            for condition in conditions where try holds(condition, at: position) { return true }
            return false
        case .and(let conditions):
            for condition in conditions where try !holds(condition, at: position) { return false }
            return true
        case .not(let condition): return try !holds(condition, at: position)
        case .exists(let query): return try !nodes(of: query, at: position).isEmpty
        case .call(let call): return try matches(call, at: position)
        case .comparison(let first, let operation, let second):
            return operation.holds(try value(of: first, at: position), try value(of: second, at: position))
        }
    }

    private mutating func nodes(
        of query: JSONPathExpression.Query, at position: Int
    ) throws(JSONPathExpression.LimitError) -> [Int] {
        try select(query.segments, from: query.isRelative ? position : root)
    }

    /// Returns `nil` for nothing.
    private mutating func value(
        of operand: JSONPathExpression.Comparable, at position: Int
    ) throws(JSONPathExpression.LimitError) -> JSONValue? {
        switch operand {
        case .literal(let value): return value
        case .query(let query): return try value(atOnly: nodes(of: query, at: position))
        case .call(let call): return try result(of: call, at: position)
        }
    }

    private mutating func value(atOnly nodes: [Int]) throws(JSONPathExpression.LimitError) -> JSONValue? {
        guard nodes.count == 1 else { return nil }
        var cursor = cursor(at: nodes[0])
        let value = try? cursor.readValue()
        try count((cursor.position - nodes[0]) / 16 + 1)
        return value
    }

    private mutating func result(
        of call: JSONPathExpression.Call, at position: Int
    ) throws(JSONPathExpression.LimitError) -> JSONValue? {
        switch (call.function, call.arguments.first) {
        case (.length, .value(let operand)?):
            switch try value(of: operand, at: position) {
            case .string(let text)?: return JSONValue("\(String(decoding: text, as: UTF8.self).unicodeScalars.count)")
            case .array(let elements)?: return JSONValue("\(elements.count)")
            case .object(let members)?: return JSONValue("\(members.count)")
            default: return nil
            }
        case (.count, .nodes(let query)?): return JSONValue("\(try nodes(of: query, at: position).count)")
        case (.value, .nodes(let query)?): return try value(atOnly: nodes(of: query, at: position))
        default: return nil
        }
    }

    private mutating func matches(
        _ call: JSONPathExpression.Call, at position: Int
    ) throws(JSONPathExpression.LimitError) -> Bool {
        guard case .value(let operand)? = call.arguments.first,
            case .string(let text)? = try value(of: operand, at: position)
        else { return false }
        try count(text.count + 1)
        switch call.arguments.last {
        case .pattern(let pattern)?: return pattern?.match(in: text) != nil
        case .value(let operand)?:
            guard case .string(let pattern)? = try value(of: operand, at: position) else { return false }
            try count(1000)
            return call.function.pattern(String(decoding: pattern, as: UTF8.self))?.match(in: text) != nil
        case .nodes?, nil: return false
        }
    }
}

extension JSONPathExpression.Operator {
    /// Whether the relation holds; `nil` is nothing, which equals only nothing.
    fileprivate func holds(_ first: JSONValue?, _ second: JSONValue?) -> Bool {
        switch self {
        case .equal: first == second
        case .notEqual: first != second
        case .less: isLess(first, second)
        case .greater: isLess(second, first)
        case .lessOrEqual: isLess(first, second) || first == second
        case .greaterOrEqual: isLess(second, first) || first == second
        }
    }

    private func isLess(_ first: JSONValue?, _ second: JSONValue?) -> Bool {
        switch (first, second) {
        case (.number(let first)?, .number(let second)?): first < second
        case (.string(let first)?, .string(let second)?): first.lexicographicallyPrecedes(second)
        default: false
        }
    }
}

/// The indexes of a slice (RFC 9535 §2.3.4.2.2).
struct JSONPathSlice {
    let start: Int?
    let end: Int?
    let step: Int

    func indices(_ count: Int) -> [Int] {
        func normal(_ index: Int) -> Int { index >= 0 ? index : count + index }
        if step > 0 {
            let lower = min(max(normal(start ?? 0), 0), count)
            let upper = min(max(normal(end ?? count), 0), count)
            return Array(Swift.stride(from: lower, to: upper, by: step))
        }
        guard step < 0 else { return [] }
        let upper = min(max(normal(start ?? count - 1), -1), count - 1)
        let lower = min(max(end.map(normal) ?? -1, -1), count - 1)
        return Array(Swift.stride(from: upper, to: lower, by: step))
    }
}

extension JSONCursor {
    fileprivate var isContainer: Bool { kind == .object || kind == .array }
}
