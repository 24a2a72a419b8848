package import AFHTTP
package import AFTransport
package import FoundationEssentials

/// The debug description of a response.
package struct ResponseReport {
    private var lines: [String] = []

    package init() {}

    package var text: String { lines.joined(separator: "\n") }

    package mutating func add(_ title: String, _ value: String, level: Int = 0) {
        lines.append(String(repeating: "    ", count: level) + "[\(title)]:" + (value.isEmpty ? "" : " \(value)"))
    }

    package mutating func add(_ request: URLRequest?) {
        guard let request else { return add("Request", "None") }
        add("Request", "\(request.httpMethod ?? "GET") \(request.url?.redactedDescription ?? "None")")
        add(request.headers)
        addBody(request.httpBody ?? Data(), type: request.headers["Content-Type"])
    }

    /// Adds a response.
    ///
    /// - Parameter body: The body; `nil` omits it.
    package mutating func add(_ response: HTTPURLResponse?, body: Data?) {
        guard let response else { return add("Response", "None") }
        add("Response", "")
        add("Status Code", "\(response.statusCode)", level: 1)
        add(response.headers)
        if let body { addBody(body, type: response.headers["Content-Type"]) }
    }

    package mutating func add(metrics: TransferMetrics?, serializationDuration: Double, result: String) {
        add("Network Duration", metrics.map { "\($0.duration)s" } ?? "None")
        add("Serialization Duration", "\(serializationDuration)s")
        add("Result", result)
    }

    private mutating func add(_ headers: HTTPHeaders) {
        guard !headers.isEmpty else { return add("Headers", "None", level: 1) }
        add("Headers", "", level: 1)
        addIndented(headers.sorted().map(\.redactedDescription))
    }

    private mutating func addBody(_ body: Data, type: String?) {
        guard !body.isEmpty else { return add("Body", "None", level: 1) }
        let isText = ["json", "xml", "text"].contains { type?.lowercased().contains($0) == true }
        guard isText, body.count <= 100_000 else { return add("Body", "\(body.count) bytes", level: 1) }
        add("Body", "", level: 1)
        let text = String(decoding: body, as: UTF8.self)
        addIndented(text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
    }

    private mutating func addIndented(_ texts: [String]) {
        lines += texts.map { String(repeating: "    ", count: 2) + $0 }
    }
}
