internal import AFCore
internal import AFHTTP
internal import AFSigning

extension SessionConfiguration {
    /// Creates the settings of a session whose first request goes to `url`.
    ///
    /// - Throws: ``UsageError`` if libcurl lacks a feature, or for an invalid proxy.
    init(
        _ invocation: Invocation,
        url: HTTPURL,
        login: AuthenticationPlan?,
        tls: TLSOptions,
        proxyAuthorities: TLSOptions.Authorities?,
        _ environment: Environment
    ) throws(UsageError) {
        let isRefused = invocation.assignments.cancelled.contains("--follow")
        var redirects = RedirectPolicy(
            invocation.redirects, isDownload: invocation.download.isDownload && !isRefused)
        let behavior = invocation.curlBehavior
        redirects.schemes = behavior.redirectSchemes
        redirects.sendsReferer = behavior.sendsReferer
        redirects.followsAllCodes = behavior.followsAllRedirects
        redirects.changesEveryMethod = behavior.changesEveryMethod
        redirects.encodesLikeCurl = behavior.encodesLikeCurl
        redirects.headersKeptWithoutBody = behavior.keptHeaders
        let requestsMore = invocation.pages.isUsed || invocation.upload.isResumed || invocation.download.resume != nil
        try self.init(
            invocation.network, redirects, url: url,
            mayLeaveOrigin: redirects.isFollowing || redirects.trustsOtherOrigins && requestsMore, login: login,
            tls: tls, proxyAuthorities: proxyAuthorities, proxyCredential: behavior.proxyCredential, environment)
        if behavior.limitsAttempts { timeouts.total = invocation.network.totalTimeout?.limit }
        if behavior.liftsHeaderLimits {
            (limits.headLines, limits.headBytes, limits.interimResponses) = (nil, nil, 1000)
        }
        (messages.omitsBody, messages.keepsHTTP10) = (behavior.omitsBody, behavior.keepsHTTP10)
        messages.spellings = behavior.spellings
        network.sharesUnknownConnections = !behavior.connectsAtOnce
        network.keepAliveTime = behavior.keepAliveTime
        self.tls.resumesSessions = behavior.resumesTLS
        httpShouldSetCookies = behavior.handlesCookies
        limits.bodyBytes = invocation.validation.maximumFileSize?.bytes
        expectContinue = invocation.request.expectContinue ?? .automatic
    }

    /// Creates the settings of the session for token requests; `nil` if none are needed.
    init?(
        forTokensOf login: AuthenticationPlan?,
        of url: HTTPURL,
        _ invocation: Invocation,
        tls: TLSOptions,
        proxyAuthorities: TLSOptions.Authorities?,
        _ environment: Environment
    ) throws(UsageError) {
        guard case .oauth2(let client, _) = login else { return nil }
        try self.init(
            invocation, url: client.tokenURL, login: nil, tls: tls, proxyAuthorities: proxyAuthorities, environment)
        self.tls.readsCertificates = false
        guard client.tokenURL.origin != url.origin else { return }
        // The socket, client certificate and pin apply to the requested origin only.
        network.unixSocketPath = nil
        self.tls.clientCertificate = nil
        self.tls.pinnedPublicKey = nil
    }
}

extension Plan {
    /// The file from which a retry drops what earlier attempts have printed; `nil` if the output cannot be restarted.
    var restartedFile: PrintedFile? {
        printedFile.flatMap { output.restartsFile && $0.isRewindable ? $0 : nil }
    }

    /// Returns the file that is restarted after a response; `nil` for none. As in curl, headers without a body stay.
    func restartedFile(after response: HTTPURLResponse?) -> PrintedFile? {
        let hasBody = response.map { $0.statusCode < 400 || !output.hidesErrorBodies } ?? true
        return hasBody && request.method != .head && response?.expectedContentLength != 0 ? restartedFile : nil
    }
}
