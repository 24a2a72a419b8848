/// How many characters must be added, dropped, replaced or swapped with their neighbour to turn one word into the other.
func editDistance(_ first: some StringProtocol, _ second: some StringProtocol) -> Int {
    let (left, right) = (Array(first), Array(second))
    guard !left.isEmpty, !right.isEmpty else { return max(left.count, right.count) }
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in 1...left.count {
        var current = [row]
        for column in 1...right.count {
            let replaced = last[column - 1] + (left[row - 1] == right[column - 1] ? 0 : 1)
            var best = min(last[column] + 1, current[column - 1] + 1, replaced)
            if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
                best = min(best, beforeLast[column - 2] + 1)
            }
            current.append(best)
        }
        (beforeLast, last) = (last, current)
    }
    return last[right.count]
}
