internal import AFHTTP

extension Transfer {
    /// - Throws: ``TransferFailure/Kind/invalidRequest`` where something could not be sent, or could be sent but read
    ///   in another way than it was meant.
    func validate() throws(TransferFailure) {
        guard method.isValid else {
            throw TransferFailure(.invalidRequest, "'\(method.rawValue.escaped)' is not a method")
        }
        for header in headers where !header.isValid {
            throw TransferFailure(.invalidRequest, "the header '\(header.name.escaped)' holds an illegal character")
        }
        guard method != .head || body == nil else {
            throw TransferFailure(.invalidRequest, "a HEAD request cannot have a body")
        }
    }

    /// The name to be looked up; `nil` for addresses, sockets and names given an address by hand.
    var lookupHost: String? {
        if options.network.unixSocketPath != nil { return nil }
        if let proxy = options.proxy { return proxy.url }
        return url.hasAddressHost || url.host == "localhost" ? nil : url.host
    }

    /// Whether libcurl may answer this response by itself with another request.
    func mayGoOn(after response: HTTPURLResponse) -> Bool {
        switch response.statusCode {
        case 401: options.authentication.map { $0.kinds != .basic } ?? false
        case 407: options.proxy?.credential != nil
        case 417: body != nil && options.expectContinue != .never
        default: false
        }
    }
}

extension String {
    /// Control characters and quotes as escapes, for sentences.
    fileprivate var escaped: String {
        unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? $0.escaped(asASCII: true) : String($0) }.joined()
    }
}
