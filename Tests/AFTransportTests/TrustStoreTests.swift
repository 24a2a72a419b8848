import Glibc
import TestSupport
import Testing

@testable import AFTransport

struct TrustStoreTests {
    private func store(
        _ variables: [String: String] = [:],
        directories: [String] = [],
        bundles: [String] = []
    ) -> TrustStore {
        TrustStore(environment: { variables[$0] }, directories: directories, bundles: bundles)
    }

    @Test func `a directory of hashed names is preferred to the bundle`() throws {
        let folder = try ScratchFolder()
        try folder.write("", to: "certs/3513523f.0")
        let bundle = try folder.write("", to: "bundle.crt")
        let store = store(directories: [folder.file("none"), folder.file("certs")], bundles: [bundle])
        #expect(store == TrustStore(directory: folder.file("certs")))
    }

    @Test func `Fedora's bundle is preferred to the hashed links beside it`() throws {
        let folder = try ScratchFolder()
        try folder.write("", to: "certs/3513523f.0")
        let bundle = try folder.write("", to: "certs/ca-bundle.crt")
        let store = store(directories: [folder.file("certs")], bundles: [bundle])
        #expect(store == TrustStore(file: bundle))
    }

    @Test(arguments: ["ca.pem", "3513523f.pem", "3513523f0", "3513523.0", "3513523f.", "g513523f.0"])
    func `the bundle is used if the directory has no hashed names`(name: String) throws {
        let folder = try ScratchFolder()
        try folder.write("", to: "certs/\(name)")
        let bundle = try folder.write("", to: "bundle.crt")
        let store = store(directories: [folder.file("certs")], bundles: [folder.file("none"), bundle])
        #expect(store == TrustStore(file: bundle))
    }

    @Test func `environment variables override the default store, alone or together`() throws {
        let folder = try ScratchFolder()
        try folder.write("", to: "certs/3513523f.0")
        let directories = [folder.file("certs")]
        #expect(store(["SSL_CERT_FILE": "/f"], directories: directories) == TrustStore(file: "/f"))
        #expect(store(["SSL_CERT_DIR": "/d"], directories: directories) == TrustStore(directory: "/d"))
        #expect(
            store(["SSL_CERT_FILE": "/f", "SSL_CERT_DIR": "/d"], directories: directories)
                == TrustStore(file: "/f", directory: "/d")
        )
        #expect(store(["CURL_CA_BUNDLE": "/b"], directories: directories) == TrustStore(file: "/b"))
        #expect(store(["CURL_CA_BUNDLE": "/b", "SSL_CERT_FILE": "/f"]) == TrustStore(file: "/f"))
        #expect(store(["SSL_CERT_FILE": ""], directories: directories) == TrustStore(directory: directories[0]))
    }

    @Test func `without a default store nothing is trusted, and the message lists the searched paths`() {
        let store = store(directories: ["/nowhere"], bundles: ["/nowhere/too"])
        #expect(store == TrustStore())
        #expect(store.absence?.contains("/etc/pki/tls/certs/ca-bundle.crt") == true)
        #expect(TrustStore(file: "/f").absence == nil)
    }

    /// OpenSSL uses the selected store, in a process that starts with these variables.
    @Test func `a server is trusted with the store set by each environment variable`() async {
        await #expect(processExitsWith: .success) {
            try await expectTrust("SSL_CERT_FILE") { $0.root }
        }
        await #expect(processExitsWith: .success) {
            try await expectTrust("CURL_CA_BUNDLE") { $0.root }
        }
        await #expect(processExitsWith: .success) {
            try await expectTrust("SSL_CERT_DIR") { $0.rootFolder }
        }
    }
}

private func expectTrust(_ variable: String, _ path: (TestCertificates) -> String) async throws {
    let certificates = try await TestCertificates.shared
    // The environment of the tests may set these variables.
    for name in ["SSL_CERT_FILE", "CURL_CA_BUNDLE", "SSL_CERT_DIR"] { unsetenv(name) }
    setenv(variable, path(certificates), 1)
    let nginx = try await NginxServer()
    #expect(try await CurlTransport().fetch(nginx.secureURL("/sink")).status == 200)
    nginx.stop()
}
