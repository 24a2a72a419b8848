internal import AFHTTP

extension Transfer {
    /// Whether the response has no body, regardless of its header.
    var omitsBody: Bool { options.messages.omitsResponseBody(to: method, hasBody: body != nil) }

    /// Checks that the request can be sent as described; transports call this themselves.
    ///
    /// - Throws: ``TransferFailure/Kind/invalidRequest`` for a request that cannot be sent or would be misinterpreted,
    ///   ``TransferFailure/Kind/bodyUnreadable`` for a body whose file cannot be read.
    public func validate() throws(TransferFailure) {
        let body: BodyReader? = if let body { try BodyReader(body, announcedLength: announcedLength) } else { nil }
        try validate(bodyLength: body?.length)
    }

    /// Checks the request with a known body length.
    ///
    /// - Parameter bodyLength: The length of the body in bytes, or ``announcedLength``; `nil` if it is unknown.
    func validate(bodyLength: Int64?) throws(TransferFailure) {
        guard method.isValid else {
            throw TransferFailure(.invalidRequest, "'\(method.rawValue.escaped)' is not a method")
        }
        for header in headers {
            guard header.isValid else {
                throw TransferFailure(
                    .invalidRequest, "the header '\(header.name.escaped)' contains an invalid character")
            }
            // libcurl 8.14 silently omits a longer field; see `Curl_add_custom_headers`.
            guard header.value.utf8.count <= 300 * 1024 || header.name.isSameFieldName(as: "Cookie") else {
                throw TransferFailure(
                    .invalidRequest, "the header '\(header.name)' is longer than the 300 KiB that libcurl sends")
            }
        }
        for name in options.removedHeaders where !HTTPHeader(name: name, value: "").isValid {
            throw TransferFailure(.invalidRequest, "'\(name.escaped)' is not the name of a header")
        }
        guard options.textsForLibrary.allSatisfy({ $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }) else {
            throw TransferFailure(.invalidRequest, "an option or a credential contains a control character")
        }
        guard method != .head || body == nil else {
            throw TransferFailure(.invalidRequest, "a HEAD request cannot have a body")
        }
        guard body == nil || upgradeStream == nil else {
            throw TransferFailure(.invalidRequest, "a request that upgrades the connection cannot have a body")
        }
        try validateFraming(bodyLength: bodyLength)
    }

    /// Returns the name to resolve, for connections of this group; `nil` if the connection needs no lookup.
    func lookupName(group: UInt32) -> ResolverThrottle.Name? {
        if options.network.unixSocketPath != nil { return nil }
        // libcurl parses the proxy's URL; here any spelling of it will do.
        if let proxy = options.proxy, !proxy.isBypassed(for: url) {
            return ResolverThrottle.Name(group: group, host: proxy.url, port: 0)
        }
        if url.hasAddressHost || url.host == "localhost" { return nil }
        return ResolverThrottle.Name(group: group, host: url.host, port: url.port)
    }

    /// Whether an HTTP proxy gets the request itself, with the complete URL (RFC 9112 §3.2.2), and no tunnel.
    var isForwardedByProxy: Bool {
        guard let proxy = options.proxy, url.scheme == .http, upgradeStream == nil, !proxy.tunnelsAll else {
            return false
        }
        return !proxy.url.lowercased().hasPrefix("socks") && !proxy.isBypassed(for: url)
    }

    /// The host that cookies are for: that of an explicit `Host` field, or else of the URL.
    var cookieHost: String { url.cookieHost(withField: headers.value(for: "Host")) }

    /// Whether the body is sent together with the header.
    var hasSmallBody: Bool {
        guard case .bytes(let bytes) = body else { return false }
        return bytes.count <= 64 * 1024 && options.expectContinue != .always
    }

    /// Whether libcurl sets `Transfer-Encoding: chunked` by itself.
    ///
    /// For authentication, it may send a first request without the body, and frames that by itself; an explicit field
    /// would announce chunks that are never sent.
    var leavesChunksToLibrary: Bool {
        guard options.authentication != nil || options.proxy?.credential != nil, !hasSmallBody else { return false }
        return headers.values(for: "Transfer-Encoding").map { $0.lowercased() } == ["chunked"]
    }

    /// Whether libcurl may follow this response with another request by itself.
    func mayStartAuthenticationRound(after response: HTTPURLResponse) -> Bool {
        switch response.statusCode {
        case 401: options.authentication.map { $0.kinds != .basic } ?? false
        // The first request of NTLM has no body: if it needs no credentials, libcurl sends the body with another one.
        case 200..<300: options.authentication?.kinds == .ntlm && body != nil
        case 407: options.proxy?.credential != nil
        default: false
        }
    }

    /// Whether libcurl requests HTTP/2 with `Upgrade`, so that a 101 precedes the response.
    var upgradesToHTTP2: Bool {
        options.httpVersion == .http2 && url.scheme == .http && upgradeStream == nil
    }

    /// Whether the request has `Expect: 100-continue`.
    ///
    /// libcurl sends it with every upload over HTTP/1.1, unless ``HeaderLines`` suppresses it, and over HTTP/2 only the
    /// caller's field.
    ///
    /// - Parameter version: As in the response's status line, such as `HTTP/1.1`.
    func sendsExpect(bodyLength: Int64?, over version: String) -> Bool {
        guard body != nil, options.httpVersion != .http1_0,
            !options.removedHeaders.contains(where: "Expect".isSameFieldName)
        else { return false }
        let fields = headers.values(for: "Expect")
        if !fields.isEmpty { return fields.contains { $0.lowercased().contains("100-continue") } }
        return switch options.expectContinue {
        case .automatic:
            Safety.requires("25-expectation", version.hasPrefix("HTTP/1") && HeaderLines.expectsContinue(bodyLength))
        case .always: true
        case .never: false
        }
    }
}

extension TransferOptions {
    /// The strings that libcurl receives and may write into a request.
    fileprivate var textsForLibrary: [String] {
        var texts = network.resolve + network.connectTo
        for credential in [authentication?.credential, proxy?.credential] {
            if let credential { texts += [credential.user, credential.password] }
        }
        if let proxy { texts += [proxy.url, proxy.precedingProxy].compactMap(\.self) + proxy.headerLines }
        texts += [network.interface, network.dohURL, messages.requestTarget].compactMap(\.self)
        return texts
    }
}

extension String {
    /// The text with control characters and quotes escaped, for messages.
    fileprivate var escaped: String {
        unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? $0.escaped(asASCII: true) : String($0) }.joined()
    }
}
