internal import AFCore
internal import AFHTTP

extension SessionConfiguration {
    /// What a command line asks of connections, trust and limits.
    ///
    /// - Throws: ``UsageError``, also for files of certificates that are not there.
    init(
        _ invocation: Invocation,
        url: HTTPURL,
        login: AuthenticationPlan?,
        _ environment: Environment
    ) throws {
        self.init(headers: [])
        // Whoever was not asked for a login gives none, wherever a URL names one.
        authenticationKinds = login?.answer?.kind ?? []
        let network = invocation.network
        httpVersion = try HTTPVersion(network.version)
        timeouts = Timeouts(
            connect: (network.connectTimeout ?? Seconds(30)).limit,
            idle: (network.timeout ?? Seconds(60)).limit
        )
        redirects = RedirectPolicy(invocation)
        proxies = try ProxySelection.rules(for: url, redirects, network, variables: environment.variables)
        tls = try TLSOptions(invocation.tls, environment.files)
        self.network = NetworkOptions(network)
        limits.headLines = network.maximumHeaders.map { $0 == 0 ? nil : $0 } ?? 1000
        limits.headBytes = network.maximumHeadSize.map { $0.bytes == 0 ? nil : Int($0.bytes) } ?? 256 * 1024
        limits.bodyBytes = invocation.validation.maximumFileSize?.bytes
        expectContinue =
            switch invocation.request.expectContinue {
            case .auto, nil: .automatic
            case .yes: .always
            case .no: .never
            }
    }
}

extension SessionConfiguration {
    /// For the requests that get a token; `nil` where none are made.
    init?(
        forTokensOf login: AuthenticationPlan?,
        of url: HTTPURL,
        _ invocation: Invocation,
        _ environment: Environment
    ) throws {
        guard case .oauth2(let client, _) = login else { return nil }
        try self.init(invocation, url: client.tokenURL, login: nil, environment)
        guard client.tokenURL.origin != url.origin else { return }
        // What was typed for one server is nothing to another.
        network.unixSocketPath = nil
        tls.clientCertificate = nil
        tls.pinnedPublicKey = nil
    }
}

extension HTTPVersion {
    /// - Throws: ``UsageError`` where libcurl was built without the version.
    fileprivate init(_ choice: Invocation.HTTPVersionChoice?) throws(UsageError) {
        switch choice {
        case nil: self = .automatic
        case .http1: self = .http1_1
        case .http2: self = try .http2.known(CurlFeatures.hasHTTP2, "HTTP/2", "--http2")
        case .http2PriorKnowledge:
            self = try .http2PriorKnowledge.known(CurlFeatures.hasHTTP2, "HTTP/2", "--http2-prior-knowledge")
        case .http3: self = try .http3.known(CurlFeatures.hasHTTP3, "HTTP/3", "--http3")
        }
    }

    private func known(_ isKnown: Bool, _ name: String, _ option: String) throws(UsageError) -> HTTPVersion {
        guard isKnown else {
            let library = "libcurl \(CurlFeatures.version)"
            throw UsageError("\(known: library) was built without \(known: name)", argument: option)
        }
        return self
    }
}

extension RedirectPolicy {
    fileprivate init(_ invocation: Invocation) {
        let typed = invocation.redirects
        self.init(
            isFollowing: typed.isFollowed || invocation.download.isDownload,
            limit: typed.maximum ?? 30,
            trustsOtherOrigins: typed.trustsOthers,
            allowsDowngrade: typed.allowsDowngrade
        )
        if typed.keepsPostAfter.movedPermanently { keptMethods.insert(.movedPermanently) }
        if typed.keepsPostAfter.found { keptMethods.insert(.found) }
        if typed.keepsPostAfter.seeOther { keptMethods.insert(.seeOther) }
    }
}

extension NetworkOptions {
    fileprivate init(_ network: Invocation.Network) {
        self.init()
        unixSocketPath = network.unixSocket?.text
        resolve = network.resolve.map(\.text)
        connectTo = network.connectTo.map(\.text)
        dohURL = network.resolver?.text
        interface = network.interface?.text
        addressFamily =
            switch network.addressFamily {
            case .ipv4: .ipv4
            case .ipv6: .ipv6
            case nil: .any
            }
        maximumReceiveRate = network.rateLimit?.bytes
        maximumSendRate = network.rateLimit?.bytes
    }
}

extension TLSOptions {
    fileprivate init(_ typed: Invocation.TLS, _ files: FileAccess) throws {
        self.init()
        switch typed.verification {
        case .yes, nil: break
        case .no:
            verifiesChain = false
            verifiesHost = false
        case .authorities(let path): authorities = try .init(path: path, option: "--verify", files)
        }
        if let path = typed.authorityFile { authorities = try .init(path: path, option: "--cacert", files) }
        if let path = typed.authorityDirectory {
            authorities = .directory(try files.readableFolder(path, option: "--capath"))
        }
        try typed.checkCertificate()
        if let path = typed.certificate {
            clientCertificate = ClientCertificate(
                certificatePath: try files.readable(path, option: "--cert"),
                keyPath: try typed.certificateKey.map { try files.readable($0, option: "--cert-key") },
                keyPassword: typed.certificateKeyPassword
            )
        }
        switch typed.version {
        case .auto, nil: break
        case .tls1: (minimumVersion, maximumVersion) = (.tls1_0, .tls1_0)
        case .tls1_1: (minimumVersion, maximumVersion) = (.tls1_1, .tls1_1)
        case .tls1_2: (minimumVersion, maximumVersion) = (.tls1_2, .tls1_2)
        case .tls1_3: (minimumVersion, maximumVersion) = (.tls1_3, .tls1_3)
        }
        ciphers = typed.ciphers
        if !typed.pins.isEmpty { pinnedPublicKey = typed.pins.map(\.text).joined(separator: ";") }
    }
}

extension Invocation.TLS {
    /// - Throws: ``UsageError`` for a key or a password without the certificate that it belongs to.
    fileprivate func checkCertificate() throws(UsageError) {
        guard certificate == nil else { return }
        if certificateKey != nil { throw UsageError("needs --cert", argument: "--cert-key") }
        if certificateKeyPassword != nil { throw UsageError("needs --cert", argument: "--cert-key-pass") }
    }
}

extension TLSOptions.Authorities {
    /// A directory of hashed names or a bundle, whichever stands there.
    fileprivate init(path: String, option: String, _ files: FileAccess) throws {
        let path = files.expanding(path)
        do throws(FileProblem) {
            self = .file(try files.readable(path, option: option))
        } catch {
            guard error.reason == FileProblem.isDirectory else { throw error }
            self = .directory(path)
        }
    }
}

extension FileAccess {
    /// The path, once it is known that a file can be read there.
    fileprivate func readable(_ path: String, option: String) throws(FileProblem) -> String {
        let path = expanding(path)
        do throws(FileProblem) {
            _ = try describe(path)
            return path
        } catch {
            throw error.naming(option)
        }
    }
}

extension FileAccess {
    /// The path, once it is known that a folder is there.
    fileprivate func readableFolder(_ path: String, option: String) throws(FileProblem) -> String {
        let path = expanding(path)
        do throws(FileProblem) {
            _ = try describe(path)
        } catch  where error.reason == FileProblem.isDirectory {
            return path
        } catch {
            throw error.naming(option)
        }
        throw FileProblem(path: path, reason: "it is not a directory", argument: option)
    }
}

extension Seconds {
    /// The seconds as a limit: zero lifts it.
    var limit: Double? { value > 0 ? value : nil }
}
