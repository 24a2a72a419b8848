internal import AFHTTP
internal import AFTransport

/// What a task needs to know of its session and its request to turn hops into transfers.
struct TransferSettings: Sendable {
    let configuration: SessionConfiguration
    let credential: URLCredential?

    var redirects: RedirectPolicy { configuration.redirects }

    func transfer(for hop: Hop) -> Transfer {
        Transfer(
            method: hop.request.method ?? .get,
            url: hop.url,
            headers: headers(for: hop),
            body: hop.body,
            options: options(for: hop)
        )
    }

    private func headers(for hop: Hop) -> HTTPHeaders {
        var headers = hop.request.headers
        for header in configuration.headers where headers.value(for: header.name) == nil {
            if hop.carriesCredentials || !header.holdsSecret { headers.append(header) }
        }
        return headers
    }

    private func options(for hop: Hop) -> TransferOptions {
        var options = TransferOptions()
        options.httpVersion = configuration.httpVersion
        options.timeouts = configuration.timeouts
        if let timeout = hop.request.timeout { options.timeouts.idle = timeout > 0 ? timeout : nil }
        options.proxy = configuration.proxy
        options.tls = configuration.tls
        options.network = configuration.network
        options.limits = configuration.limits
        options.decodesContent = configuration.decodesContent
        options.handlesCookies = configuration.httpShouldSetCookies && hop.request.httpShouldHandleCookies
        options.expectContinue = configuration.expectContinue
        options.receiveBufferSize = configuration.receiveBufferSize
        options.eventHandler = configuration.eventHandler
        if hop.carriesCredentials {
            options.authentication = credential.map {
                AuthenticationOptions(credential: $0, kinds: configuration.authenticationKinds)
            }
        } else {
            options.tls.clientCertificate = nil
        }
        return options
    }
}
