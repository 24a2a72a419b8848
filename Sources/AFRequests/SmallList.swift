/// A list that most often has one element, for which it needs no array.
struct SmallList<Element: Sendable>: Sendable {
    private(set) var first: Element?
    private var others: [Element] = []

    var last: Element? { others.last ?? first }
    var count: Int { first == nil ? 0 : 1 + others.count }
    var all: [Element] { first.map { [$0] + others } ?? [] }

    mutating func append(_ element: Element) {
        if first == nil { first = element } else { others.append(element) }
    }

    subscript(index: Int) -> Element? { index == 0 ? first : others[index - 1] }

    func forEach(_ body: (Element) -> Void) {
        if let first { body(first) }
        others.forEach(body)
    }
}
