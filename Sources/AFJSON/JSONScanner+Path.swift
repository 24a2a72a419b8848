/// Steps into a document.
extension JSONScanner {
    /// Moves to the value of the last member of this name in an object; returns `false` if there is none.
    package mutating func enterMember(named name: String) throws(Problem) -> Bool {
        guard container == .object else { return false }
        var offset: Int?
        var hasNext = enter(.object)
        while hasNext {
            // Compared as bytes: `==` treats canonically equivalent names as equal.
            let found = JSONEscape.unescaped(bytes(try skipName()))
            if found.elementsEqual(name.utf8) { offset = position }
            try skipValue()
            hasNext = try self.hasNext(in: .object)
        }
        offset.map { move(to: $0) }
        return offset != nil
    }

    /// Moves to an element of an array; returns `false` if there is none.
    package mutating func enterElement(_ index: Int) throws(Problem) -> Bool {
        guard container == .array, enter(.array) else { return false }
        for _ in 0..<index {
            try skipValue()
            guard try hasNext(in: .array) else { return false }
        }
        return true
    }

    /// Skips the array at the current position, and returns the number of its elements.
    package mutating func countElements() throws(Problem) -> Int {
        var count = 0
        var hasNext = enter(.array)
        while hasNext {
            try skipValue()
            count += 1
            hasNext = try self.hasNext(in: .array)
        }
        return count
    }
}
