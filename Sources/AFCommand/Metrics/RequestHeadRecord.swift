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
        let start = head.prefix { $0 != 0x0D && $0 != 0x0A }.split(separator: 0x20).map { String(octets: $0) }
        guard start.count >= 2 else { return nil }
        (method, target, version) = (start[0], start[1], start.dropFirst(2).last)
        headers = HTTPHeaders(parsingHead: head)
    }
}

extension TransferHead.Kind {
    /// The name in reports.
    var recordName: String {
        switch self {
        case .informational: "interim"
        case .tunnel: "tunnel"
        case .intermediate: "round"
        case .final: "response"
        }
    }
}
