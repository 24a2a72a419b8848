import AFHTTP
import AFTransport
import Synchronization
import TestSupport
import Testing

/// The server's certificates in the metrics and the events, whether the handshake succeeds or not.
@Suite(.timeLimit(.minutes(5))) struct CertificateChainTests {
    /// The events of a test.
    final class Events: Sendable {
        private let seen = Mutex<[TransferEvent]>([])
        var handler: TransferEventHandler {
            TransferEventHandler([.certificates]) { event in self.seen.withLock { $0.append(event) } }
        }

        var urls: [String?] { seen.withLock { $0.map(\.url) } }
        var chains: [[Certificate]] { seen.withLock { $0.map { Certificate.certificates(in: $0.bytes) } } }
    }

    let transport = CurlTransport()
    let events = Events()

    private func fetch(
        _ url: String,
        configure: (inout TransferOptions) -> Void = { _ in }
    ) async throws -> Collector.Record {
        let root = try await TestCertificates.shared.root
        return try await transport.fetch(url) { options in
            options.tls.authorities = .file(root)
            options.tls.readsCertificates = true
            options.eventHandler = events.handler
            configure(&options)
        }
    }

    private func chain(_ record: Collector.Record) -> [Certificate] {
        (record.outcome?.metrics.certificates ?? []).compactMap(Certificate.init(derBytes:))
    }

    @Test(arguments: TrustTests.versions)
    func `the chain is reported once per request, on new and reused connections`(
        version: HTTPVersion
    ) async throws {
        let identity = try await TestCertificates.shared.chained
        let nginx = try await NginxServer(identity: identity)
        for round in 0..<3 {
            let record = try await fetch(nginx.secureURL("/sink")) { $0.httpVersion = version }
            #expect(record.status == 200)
            #expect(record.outcome?.metrics.isReusedConnection == (round > 0))
            #expect(chain(record) == (try identity.chain))
        }
        #expect(events.chains == Array(repeating: try identity.chain, count: 3))
        #expect(events.urls == Array(repeating: nginx.secureURL("/sink"), count: 3))
    }

    @Test func `the chain is reported if its verification fails`() async throws {
        let certificates = try await TestCertificates.shared
        let identities = [
            certificates.expired, certificates.wrongHost, certificates.selfSigned, certificates.missingIntermediate,
            certificates.mismatchedChain, certificates.forged,
        ]
        for version in [TLSOptions.Version.tls1_2, .tls1_3] {
            for identity in identities {
                let server = try LocalServer { _ in .ok() }
                let front = try TLSFront(to: server.port, identity: identity)
                let record = try await fetch("https://localhost:\(front.port)/") {
                    ($0.tls.minimumVersion, $0.tls.maximumVersion) = (version, version)
                }
                #expect(record.failure?.kind == .untrustedCertificate)
                #expect(chain(record) == (try identity.chain))
                #expect(record.outcome?.metrics.tlsVersion == (version == .tls1_2 ? "TLSv1.2" : "TLSv1.3"))
                #expect(server.requests.isEmpty)
            }
        }
        #expect(events.chains.count == 2 * identities.count)
    }

    @Test func `the chain is reported without verification, for a wrong pin and for a rejected server`() async throws {
        let certificates = try await TestCertificates.shared
        let nginx = try await NginxServer(identity: certificates.selfSigned)
        let expected = try certificates.selfSigned.chain
        let configurations: [(TransferFailure.Kind?, @Sendable (inout TransferOptions) -> Void)] = [
            (nil, { _ in }),
            (.pinMismatch, { $0.tls.pinnedPublicKey = certificates.server.pin }),
            (.trustRefused, { $0.tls.evaluation = TrustTests.Judge(accepts: false).evaluation() }),
        ]
        for (kind, configure) in configurations {
            let record = try await fetch(nginx.secureURL("/sink")) { options in
                (options.tls.verifiesChain, options.tls.verifiesHost) = (false, false)
                configure(&options)
            }
            #expect(record.failure?.kind == kind)
            #expect(chain(record) == expected)
        }
    }

    @Test func `the chain is reported if the server requires a client certificate, with and without it`() async throws {
        let certificates = try await TestCertificates.shared
        let server = try LocalServer { _ in .ok() }
        let front = try TLSFront(to: server.port, identity: certificates.server, clientAuthority: certificates.root)
        let client = ClientCertificate(
            certificatePath: certificates.client.certificate, keyPath: certificates.client.key)
        for certificate in [nil, client] {
            let record = try await fetch("https://localhost:\(front.port)/") { $0.tls.clientCertificate = certificate }
            #expect(record.status == (certificate == nil ? nil : 200))
            // The server also sends the root, which it has for its clients' certificates.
            #expect(chain(record).first == (try certificates.server.chain.first))
        }
        #expect(events.chains.count == 2)
    }

    @Test func `in a tunnel the chain is the server's, and a TLS proxy's chain is a separate event`() async throws {
        let certificates = try await TestCertificates.shared
        let tunnel = try TunnelProxy()
        let front = try TLSFront(to: tunnel.port, identity: certificates.server)
        let nginx = try await NginxServer(identity: certificates.chained)
        let plain = try await fetch(nginx.secureURL("/sink")) { $0.proxy = ProxyOptions(url: tunnel.url) }
        #expect(chain(plain) == (try certificates.chained.chain))
        #expect(events.urls == [nginx.secureURL("/sink")])

        let proxy = "https://localhost:\(front.port)"
        let encrypted = try await fetch(nginx.secureURL("/sink")) { $0.proxy = ProxyOptions(url: proxy) }
        #expect(encrypted.status == 200)
        #expect(chain(encrypted) == (try certificates.chained.chain))
        #expect(events.urls.dropFirst() == [proxy, nginx.secureURL("/sink")])
        #expect(events.chains.dropFirst() == [try certificates.server.chain, try certificates.chained.chain])
    }

    @Test func `the chain of an untrusted TLS proxy is reported for the proxy, not for the server`() async throws {
        let certificates = try await TestCertificates.shared
        let tunnel = try TunnelProxy()
        let front = try TLSFront(to: tunnel.port, identity: certificates.selfSigned)
        let proxy = "https://localhost:\(front.port)"
        let record = try await fetch("https://localhost:1/") { $0.proxy = ProxyOptions(url: proxy) }
        #expect(record.failure != nil)
        #expect(chain(record).isEmpty)
        #expect(events.urls == [proxy])
        #expect(events.chains == [try certificates.selfSigned.chain])
    }

    @Test func `no certificates are reported unless they are requested`() async throws {
        let nginx = try await NginxServer()
        let record = try await fetch(nginx.secureURL("/sink")) { $0.tls.readsCertificates = false }
        #expect(record.status == 200)
        #expect(chain(record).isEmpty)
        #expect(events.chains.isEmpty)
    }
}
