internal import AFExpressions
internal import AFHTTP
internal import AFTransport

/// The log of an entry with `--verbose`, in the form of Hurl: `*` for notes, `>` for requests, `<` for responses.
struct FileRunLog {
    private(set) var text = "* \(String(repeating: "-", count: 78))\n"
    private let masked: (String) -> String

    /// Creates the log of an attempt.
    ///
    /// - Parameters:
    ///   - body: The body of the last response; `nil` to log no bodies.
    ///   - masked: Returns a text without secrets. The lines of a body do not contain one of several lines.
    init(_ record: FileRunRecord, body: [UInt8]?, masked: @escaping (String) -> String) {
        self.masked = masked
        add(notes: ["Executing entry \(record.index)", ""])
        add(notes: ["Cookie store:"] + record.storedCookies + [""])
        let fields = record.request?.headers.map(Self.line) ?? []
        if let request = record.request { add(notes: ["Request:", "\(request.method) \(request.url)"] + fields) }
        let cookies = record.request?.cookies ?? []
        add(notes: (cookies.isEmpty ? [] : ["[Cookies]"]) + cookies.map(Self.line) + [""])
        add(notes: ["Request can be run with the following curl command:", record.command, ""])
        for hop in record.hops {
            let sent = Self.lines(hop.requestHead)
            let request = sent.isEmpty ? ["\(hop.method.rawValue) \(hop.url)"] + fields : sent
            add(request + [""], mark: ">")
            if body != nil, case .bytes(let sent)? = record.request?.body { add(body: sent, of: "Request") }
            guard let response = hop.response else { continue }
            let time = Int64(hop.responseEnd * 1000)
            add(notes: ["Response: (received \(hop.responseBodyBytes) bytes in \(time) ms)", ""])
            let version = response.httpVersion.replacing("/2.0", with: "/2").replacing("/3.0", with: "/3")
            let received = response.headers.map { "\($0.name): \($0.value)" }
            add(["\(version) \(response.statusCode)"] + received + [""], mark: "<")
            add(notes: [""])
        }
        if let body { add(body: body, of: "Response") }
        if record.captures.isEmpty { return }
        add(notes: ["Captures:"] + record.captures.map { "\($0.name): \($0.value.text)" } + [""])
    }

    private mutating func add(body: [UInt8], of message: String) {
        let text = String(validating: body, as: UTF8.self) ?? HurlValue.bytes(body).description
        let lines = masked(text).split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        add(notes: ["\(message) body:"])
        add(notes: lines.map { String($0) })
        add(notes: [""])
    }

    private static func line(_ field: HurlRequestValues.Field) -> String { "\(field.name): \(field.value)" }

    private mutating func add(notes: [String]) { add(notes, mark: "*") }

    private mutating func add(_ lines: [String], mark: String) {
        for line in lines { text += line.isEmpty ? "\(mark)\n" : "\(mark) \(line)\n" }
    }

    private static func lines(_ head: [UInt8]) -> [String] {
        head.split { $0 == 0x0A || $0 == 0x0D }.map { String(decoding: $0, as: UTF8.self) }
    }
}
