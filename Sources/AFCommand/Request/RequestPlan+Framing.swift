internal import AFCore
internal import AFHTTP

extension RequestPlan {
    /// Checks that a typed `Content-Length` or `Transfer-Encoding` describes the body, as the transport does before it sends.
    ///
    /// - Throws: ``UsageError`` if it does not.
    func checkFraming(_ url: HTTPURL) throws {
        // To know the length of a body, its files are opened.
        let isFramed = ["Content-Length", "Transfer-Encoding"].contains { headers.value(for: $0) != nil }
        guard isFramed || headers.value(for: "Connection") != "keep-alive" else { return }
        let transfer = Transfer(method: method, url: url, headers: headers, body: try body.source())
        do throws(TransferFailure) {
            try transfer.validate()
        } catch {
            // A file that cannot be read is the transfer's error.
            guard error.kind == .invalidRequest else { return }
            throw UsageError("\(known: error.detail)", hint: "leave the field out: afcli sends the right one")
        }
    }
}
