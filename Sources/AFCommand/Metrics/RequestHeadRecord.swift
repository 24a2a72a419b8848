internal import AFCore
internal import AFHTTP

/// The header of a request as sent.
struct RequestHeadRecord: Sendable {
    let method: String
    let target: String
    let version: String?
    let headers: HTTPHeaders

    /// Returns `nil` without bytes, which libcurl reports only to observers.
    init?(_ head: [UInt8]) {
        let lines = String(decoding: head, as: UTF8.self).split(whereSeparator: \.isNewline)
        guard let start = lines.first?.split(separator: " "), start.count >= 2 else { return nil }
        (method, target, version) = (String(start[0]), String(start[1]), start.dropFirst(2).last.map(String.init))
        headers = HTTPHeaders(
            repeating: lines.dropFirst().compactMap { line in
                line.halves(around: ":").map { halves in
                    HTTPHeader(name: String(halves.before), value: String(halves.after.drop { $0 == " " }))
                }
            }
        )
    }
}

extension TransferHead.Kind {
    /// The name in reports.
    var recordName: String {
        switch self {
        case .informational: "interim"
        case .tunnel: "tunnel"
        case .intermediate: "round"
        case .final: "answer"
        }
    }
}
