import AFHTTP
import Testing

@testable import AFTransport

struct TrustIdentityTests {
    private func identity(
        _ configure: (inout TransferOptions) -> Void = { _ in }
    ) -> TrustIdentity {
        var options = TransferOptions()
        configure(&options)
        return TrustIdentity(options)
    }

    @Test func `equal options share connections`() {
        #expect(identity() == identity())
        #expect(identity { $0.tls.verifiesChain = false } == identity { $0.tls.verifiesChain = false })
    }

    @Test func `options that do not concern a connection are ignored`() {
        let other = identity {
            $0.timeouts = Timeouts(connect: 1, idle: 2, total: 3)
            $0.decodesContent = false
            $0.handlesCookies = false
            $0.removedHeaders = ["Accept"]
            $0.receiveBufferSize = 1 << 20
            $0.network.maximumReceiveRate = 1
        }
        #expect(other == identity())
    }

    @Test func `each option about the server's identity or its address separates connections`() {
        let identities = [
            identity(), identity { $0.tls.verifiesChain = false },
            identity { $0.tls.verifiesHost = false }, identity { $0.tls.pinnedPublicKey = "sha256//a" },
            identity { $0.tls.ciphers = "a" }, identity { $0.proxy = ProxyOptions(url: "http://a") },
            identity { $0.proxy = ProxyOptions(url: "http://b") }, identity { $0.network.unixSocketPath = "/a" },
            identity { $0.network.interface = "host!a" }, identity { $0.network.resolve = ["a:80:127.0.0.1"] },
            identity { $0.network.dohURL = "https://a" },
        ]
        #expect(Set(identities).count == identities.count)
    }

    @Test func `credentials separate connections if they authenticate the connection`() {
        func identity(_ user: String, _ kinds: AuthenticationOptions.Kinds) -> TrustIdentity {
            self.identity {
                let credential = URLCredential(user: user, password: "p")
                $0.authentication = AuthenticationOptions(credential: credential, kinds: kinds)
            }
        }
        #expect(identity("ada", .basic) == identity("eve", .basic))
        #expect(identity("ada", .digest) == self.identity())
        #expect(identity("ada", .ntlm) != identity("eve", .ntlm))
        #expect(identity("ada", [.basic, .negotiate]) != identity("ada", .basic))
        #expect(identity("ada", .ntlm) == identity("ada", .ntlm))
    }
}
