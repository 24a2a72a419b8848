public import AFHTTP
internal import Foundation
public import FoundationNetworking

extension AFHTTP.HTTPURLResponse {
    /// Foundation's response as one of ours.
    ///
    /// Foundation's fields have no order: they come sorted by name. It does not tell the version either: that reads
    /// `HTTP/1.1`.
    public init(_ response: FoundationNetworking.HTTPURLResponse) {
        let fields = response.allHeaderFields.map { HTTPHeader(name: "\($0.key)", value: "\($0.value)") }
        self.init(url: response.url, statusCode: response.statusCode, headers: HTTPHeaders(fields).sorted())
    }
}

extension FoundationNetworking.HTTPURLResponse {
    /// One of our responses as Foundation's; `nil` where it has no URL.
    ///
    /// Repeated fields are joined by `, `, and ``AFHTTP/HTTPURLResponse/rawHead`` stays behind.
    public convenience init?(_ response: AFHTTP.HTTPURLResponse) {
        guard let url = response.url else { return nil }
        self.init(
            url: url,
            statusCode: response.statusCode,
            httpVersion: response.httpVersion,
            headerFields: response.allHeaderFields
        )
    }
}
