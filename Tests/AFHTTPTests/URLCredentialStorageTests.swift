import AFHTTP
import Testing

struct URLCredentialStorageTests {
    private let storage = URLCredentialStorage()
    private let ada = URLCredential(user: "ada", password: "1")
    private let bob = URLCredential(user: "bob", password: "2")
    private let server = URLProtectionSpace(host: "a.test", port: 443, protocol: "https")
    private let one = URLProtectionSpace(
        host: "a.test", port: 443, protocol: "https", realm: "one", authenticationMethod: .digest)
    private let two = URLProtectionSpace(
        host: "a.test", port: 443, protocol: "https", realm: "two", authenticationMethod: .basic)

    @Test func `the credential that was set last is the default`() {
        #expect(storage.defaultCredential(for: one) == nil)
        storage.set(ada, for: one)
        storage.set(bob, for: one)
        #expect(storage.defaultCredential(for: one) == bob)
        storage.setDefaultCredential(ada, for: one)
        #expect(storage.defaultCredential(for: one) == ada)
        #expect(storage.credentials(for: one) == ["ada": ada, "bob": bob])
        #expect(storage.allCredentials == [one: ["ada": ada, "bob": bob]])
    }

    @Test func `credentials belong to a realm, and a space without a realm covers the entire server`() {
        storage.set(ada, for: one)
        storage.set(bob, for: two)
        #expect(storage.defaultCredential(for: one) == ada)
        #expect(storage.defaultCredential(for: two) == bob)
        #expect(storage.defaultCredential(for: server) == bob)
        #expect(storage.credentials(for: server)?.count == 2)
        storage.set(ada, for: server)
        #expect(storage.defaultCredential(for: two) == ada)
    }

    @Test(arguments: [
        URLProtectionSpace(host: "b.test", port: 443, protocol: "https"),
        URLProtectionSpace(host: "a.test", port: 8443, protocol: "https"),
        URLProtectionSpace(host: "a.test", port: 443, protocol: "http"),
        URLProtectionSpace(host: "x.a.test", port: 443, protocol: "https"),
    ])
    func `a different origin has no credentials`(space: URLProtectionSpace) {
        storage.set(ada, for: server)
        #expect(storage.defaultCredential(for: space) == nil)
        #expect(storage.credentials(for: space) == nil)
    }

    @Test func `a credential without persistence is not stored, and stored credentials can be removed`() {
        storage.set(URLCredential(user: "eve", password: "3", persistence: .none), for: one)
        #expect(storage.allCredentials.isEmpty)
        storage.set(ada, for: one)
        storage.set(bob, for: two)
        storage.remove(ada, for: server)
        #expect(storage.allCredentials == [two: ["bob": bob]])
        storage.set(URLCredential(user: "bob", password: "new"), for: two)
        #expect(storage.defaultCredential(for: two)?.password == "new")
        #expect(storage.credentials(for: two)?.count == 1)
        storage.removeAll()
        #expect(storage.credentials(for: server) == nil)
        #expect(URLCredentialStorage.shared.credentials(for: server) == nil)
    }

    @Test func `a protection space can be created from an origin`() throws {
        let origin = try HTTPURL(parsing: "https://A.test/x").origin
        #expect(URLProtectionSpace(origin: origin) == server)
        #expect(URLProtectionSpace(origin: origin, realm: "one", authenticationMethod: .digest) == one)
    }
}
