internal import AFExpressions
internal import AFHTTP
internal import AFTransport

/// The log of an entry with `--verbose`, in the form of Hurl: `*` for notes, `>` for requests, `<` for responses.
struct FileRunLog: Sendable {
    private(set) var text = "* \(String(repeating: "-", count: 78))\n"

    init(_ record: FileRunRecord) {
        add(notes: ["Executing entry \(record.index)", ""])
        add(notes: ["Request can be run with the following curl command:", record.command, ""])
        for hop in record.hops {
            let fields = record.headers.map { "\($0.name): \($0.value)" }
            let sent = Self.lines(hop.requestHead)
            let request = sent.isEmpty ? ["\(hop.method.rawValue) \(hop.url)"] + fields : sent
            add(request + [""], mark: ">")
            guard let response = hop.response else { continue }
            let time = Int64(hop.responseEnd * 1000)
            add(notes: ["Response: (received \(hop.responseBodyBytes) bytes in \(time) ms)", ""])
            add(Self.lines(response.rawHead) + [""], mark: "<")
            add(notes: [""])
        }
    }

    private mutating func add(notes: [String]) { add(notes, mark: "*") }

    private mutating func add(_ lines: [String], mark: String) {
        for line in lines { text += line.isEmpty ? "\(mark)\n" : "\(mark) \(line)\n" }
    }

    private static func lines(_ head: [UInt8]) -> [String] {
        head.split { $0 == 0x0A || $0 == 0x0D }.map { String(decoding: $0, as: UTF8.self) }
    }
}
