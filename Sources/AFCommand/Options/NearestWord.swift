/// Returns the word that a misspelled one is nearest to; `nil` if more than a third of its characters would change.
func nearestWord<Word: StringProtocol>(to typed: some StringProtocol, in words: some Sequence<Word>) -> Word? {
    let nearest = words.map { (word: $0, distance: editDistance($0, typed)) }.min { $0.distance < $1.distance }
    guard let nearest, nearest.distance <= max(1, typed.count / 3) else { return nil }
    return nearest.word
}

/// Returns the number of insertions, deletions, replacements and transpositions of adjacent characters between two
/// words.
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
