internal import AFHTTP

extension Transfer {
    /// The length of a stream of unknown length according to the header.
    ///
    /// Not 0: libcurl does not read a body that is announced as empty, so that a longer one would go unnoticed.
    var announcedLength: Int64? {
        guard case .stream(_, nil) = body, let length = headers.contentLength, length > 0 else { return nil }
        return length
    }

    /// Checks that `Content-Length` and `Transfer-Encoding` describe the body that is sent.
    ///
    /// Otherwise the server would interpret a part of the body as the next request on the connection, or the next
    /// request as a part of the body (RFC 9112 §6.3, §11.2).
    ///
    /// - Parameter bodyLength: The length of the body in bytes, or ``announcedLength``; `nil` if it is unknown.
    func validateFraming(bodyLength: Int64?) throws(TransferFailure) {
        let codings = headers.values(for: "Transfer-Encoding")
        let lengths = headers.values(for: "Content-Length")
        if Safety.refuses("25-transfer-encoding", !codings.isEmpty) { try validateCodings(codings, beside: lengths) }
        if Safety.refuses("25-content-length", !lengths.isEmpty) { try validateLength(lengths, bodyLength) }
        // A proxy removes the fields that Connection names (RFC 9110 §7.6.1). Split at every comma, unlike other lists: a
        // proxy may ignore quotes, which no name has.
        for option in headers.values(for: "Connection").flatMap({ $0.split(separator: ",") }) {
            let name = option.filter { $0 != " " && $0 != "\t" }
            guard Safety.refuses("25-connection", name.framesBody) else { continue }
            throw TransferFailure(.invalidRequest, "Connection cannot name \(name), which proxies would remove")
        }
    }

    private func validateCodings(_ codings: [String], beside lengths: [String]) throws(TransferFailure) {
        guard codings.count == 1, codings[0].lowercased() == "chunked" else {
            let typed = codings.joined(separator: ", ")
            throw TransferFailure(.invalidRequest, "Transfer-Encoding '\(typed)' is not supported, only 'chunked' is")
        }
        guard body != nil else {
            throw TransferFailure(.invalidRequest, "Transfer-Encoding announces a body, and the request has none")
        }
        guard lengths.isEmpty else {
            throw TransferFailure(.invalidRequest, "Content-Length and Transfer-Encoding exclude each other")
        }
        guard options.httpVersion != .http1_0 else {
            throw TransferFailure(.invalidRequest, "HTTP/1.0 has no Transfer-Encoding")
        }
    }

    private func validateLength(_ lengths: [String], _ bodyLength: Int64?) throws(TransferFailure) {
        let first = lengths[0]
        guard let length = headers.contentLength else {
            throw TransferFailure(.invalidRequest, "Content-Length '\(first)' is not a number of bytes")
        }
        guard lengths.allSatisfy({ $0 == first }) else {
            let values = lengths.joined(separator: " and ")
            throw TransferFailure(.invalidRequest, "Content-Length has different values: \(values)")
        }
        guard body != nil else {
            guard length > 0 else { return }
            throw TransferFailure(.invalidRequest, "Content-Length is \(length), but the request has no body")
        }
        guard let bodyLength else {
            let reason = "but the length of the body is not known before it is sent"
            throw TransferFailure(.invalidRequest, "Content-Length is \(length), \(reason)")
        }
        guard length == bodyLength else {
            throw TransferFailure(.invalidRequest, "Content-Length is \(length), but the body has \(bodyLength) bytes")
        }
    }
}

extension String {
    /// Whether a field of this name indicates the end of the body.
    package var framesBody: Bool {
        isSameFieldName(as: "Content-Length") || isSameFieldName(as: "Transfer-Encoding")
    }
}
