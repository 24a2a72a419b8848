import NIOHTTP1

/// A received request, whose body is not read yet.
struct Request {
    let head: HTTPRequestHead
    let body: RequestBody
    /// The path as it was sent, still percent-encoded.
    let path: Substring
    /// The fields of the query in the order sent.
    let query: [FormField]
    /// The path components that match `:name` in the route's pattern.
    var parameters: [String: String] = [:]

    init(head: HTTPRequestHead, body: RequestBody) {
        let target = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        self.head = head
        self.body = body
        self.path = target.first ?? ""
        self.query = target.count > 1 ? FormField.parse(target[1]) : []
    }

    /// The value of a query field or path parameter as a number.
    ///
    /// - Throws: ``RequestError`` when it is missing without a default, not a number, or outside the limits.
    func number<Number: LosslessStringConvertible & Comparable>(
        _ name: String,
        default fallback: Number? = nil,
        in limits: ClosedRange<Number>
    ) throws -> Number {
        guard let text = parameters[name] ?? text(name) else {
            guard let fallback else { throw RequestError("\(name) is missing") }
            return fallback
        }
        guard let number = Number(text), limits.contains(number) else {
            throw RequestError("\(name) must be a number from \(limits.lowerBound) to \(limits.upperBound)")
        }
        return number
    }

    /// The value of the first query field of that name.
    func text(_ name: String) -> String? {
        query.first { $0.name == name }?.value
    }
}

/// A request that the server refuses, with the reason.
struct RequestError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
