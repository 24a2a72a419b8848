import AFHTTP
import AFTransport
import FoundationEssentials

@testable import AFUploads

/// The records and the responses of resumable uploads.
extension FuzzTarget {
    static let uploads = [
        FuzzTarget("upload-record") { bytes in
            let record = try UploadRecord(json: Data(bytes))
            require(0...record.file.size ~= record.acknowledged, "acknowledged bytes are bytes of the file")
            require(try UploadRecord(json: record.json) == record, "a record stays the same")
        },
        // Each line is a response: a status, and its fields between tabs. A line that begins with '-' is a lost one.
        FuzzTarget(text: "upload-responses") { text in
            let url = try HTTPURL(parsing: "https://example.org/files")
            let rules = UploadMachine.ResourceRules(url: url, trustsOtherOrigins: false)
            var machine = UploadMachine(.automatic, length: 1000, fileName: "f", rules)
            var isAsked = false
            for line in text.split(whereSeparator: \.isNewline) {
                let exchange = machine.nextExchange()
                require(exchange.resource?.origin ?? url.origin == url.origin, "no resource is at another origin")
                require(exchange.range?.upperBound ?? 0 <= 1000, "only bytes of the file are sent")
                require(exchange.step != .append || isAsked, "the offset is asked for")
                guard !line.starts(with: "-") else {
                    machine.interrupt()
                    isAsked = false
                    continue
                }
                let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
                let fields = parts.dropFirst().compactMap { HTTPHeader(line: $0) }
                let response = HTTPURLResponse(
                    url: nil, statusCode: Int(parts[0]) ?? 200, headers: HTTPHeaders(fields))
                if 100..<200 ~= response.statusCode {
                    _ = machine.receiveInterim(response)
                    continue
                }
                let outcome = try machine.receive(response, body: nil, isSent: true)
                isAsked = exchange.step == .query && outcome == .next(after: 0)
                require(outcome != .complete || machine.offset == 1000, "all bytes are confirmed")
                guard case .next = outcome else { return }
            }
        },
    ]
}

extension HTTPHeader {
    fileprivate init?(line: Substring) {
        guard let colon = line.firstIndex(of: ":") else { return nil }
        self.init(name: String(line[..<colon]), value: String(line[line.index(after: colon)...]))
    }
}
