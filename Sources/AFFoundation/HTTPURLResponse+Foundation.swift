public import AFHTTP
internal import Foundation
public import FoundationNetworking

extension AFHTTP.HTTPURLResponse {
    /// Converts a response of Foundation.
    ///
    /// Foundation's fields have no order and are sorted by name. The version is `HTTP/1.1`, as Foundation does not
    /// expose it.
    public init(_ response: FoundationNetworking.HTTPURLResponse) {
        let fields = response.allHeaderFields.map { HTTPHeader(name: "\($0.key)", value: "\($0.value)") }
        self.init(url: response.url, statusCode: response.statusCode, headers: HTTPHeaders(fields).sorted())
    }
}

extension FoundationNetworking.HTTPURLResponse {
    /// Converts a response to Foundation's type; `nil` if it has no URL.
    ///
    /// Repeated fields are joined with `, `, and ``AFHTTP/HTTPURLResponse/rawHead`` is dropped.
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
