import AFHTTP
import AFTransport
import TestSupport
import Testing

/// Names that are looked up over HTTPS.
@Suite(.timeLimit(.minutes(5))) struct SecureLookupTests {
    let transport = CurlTransport()

    private func fetch(_ url: String, _ names: SecureNameServer, root: String) async throws -> Collector.Record {
        try await transport.fetch(url) {
            $0.network.dohURL = names.url
            $0.tls.authorities = .file(root)
            $0.timeouts.connect = 10
        }
    }

    @Test func `a name is resolved with the chosen DoH server, only for that transfer`() async throws {
        let certificates = try await TestCertificates.shared
        let names = try SecureNameServer(["name.invalid": "127.0.0.1"], identity: certificates.server)
        let server = try LocalServer { .ok($0["Host"] ?? "") }
        let url = "http://name.invalid:\(server.port)/"
        #expect(try await fetch(url, names, root: certificates.root).text == "name.invalid:\(server.port)")
        #expect(names.names.contains("name.invalid"))
        // The address is not cached for transfers without that server.
        let other = try await transport.fetch(url) { $0.timeouts.connect = 10 }
        #expect(other.failure?.kind == .unresolvedHost)
    }

    @Test func `a name that the DoH server does not know is an unresolved host`() async throws {
        let certificates = try await TestCertificates.shared
        let names = try SecureNameServer([:], identity: certificates.server)
        let record = try await fetch("http://name.invalid/", names, root: certificates.root)
        #expect(record.failure?.kind == .unresolvedHost)
        #expect(names.names.contains("name.invalid"))
    }

    @Test(arguments: [NetworkOptions.AddressFamily.any, .ipv4])
    func `a name that has only an alias is an unresolved host`(family: NetworkOptions.AddressFamily) async throws {
        let certificates = try await TestCertificates.shared
        let names = try SecureNameServer([:], aliases: ["alias.invalid"], identity: certificates.server)
        for proxy in [nil, ProxyOptions(url: "http://alias.invalid:3128")] {
            let record = try await transport.fetch("http://alias.invalid/") {
                $0.network.dohURL = names.url
                $0.network.addressFamily = family
                $0.tls.authorities = .file(certificates.root)
                $0.timeouts.connect = 10
                $0.proxy = proxy
            }
            #expect(record.failure?.kind == (proxy == nil ? .unresolvedHost : .unresolvedProxy))
            #expect(record.failure?.detail == "the response of the DNS-over-HTTPS server has no address")
        }
        #expect(names.names.contains("alias.invalid"))
        let unknown = try await transport.fetch("http://unknown.invalid/") {
            $0.network.dohURL = names.url
            $0.network.addressFamily = family
            $0.tls.authorities = .file(certificates.root)
        }
        #expect(unknown.failure?.kind == .unresolvedHost)
    }

    @Test func `an untrusted DoH server is not used`() async throws {
        let certificates = try await TestCertificates.shared
        let names = try SecureNameServer(["name.invalid": "127.0.0.1"], identity: certificates.selfSigned)
        let server = try LocalServer { _ in .ok() }
        let record = try await fetch("http://name.invalid:\(server.port)/", names, root: certificates.root)
        #expect(record.failure?.kind == .unresolvedHost)
        #expect(names.names.isEmpty)
        #expect(server.requests.isEmpty)
    }
}
