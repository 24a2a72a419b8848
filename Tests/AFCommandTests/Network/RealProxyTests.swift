import TestSupport
import Testing

@testable import AFCommand

/// Requests through proxy servers of other projects.
@Suite(.timeLimit(.minutes(5))) struct RealProxyTests {
    @Test func `tinyproxy forwards requests and opens tunnels with credentials`() async throws {
        let proxy = try await RealProxy.tinyproxy(login: "ada:s3cret")
        try await withNginx(files: ["x": .text("inside")]) { nginx in
            let login = "http://ada:s3cret@\(proxy.authority)"
            let clear = await runTool("--proxy", login, "-p", "hb", nginx.url("/x"))
            #expect(clear.status == 0, "\(clear.errors)")
            #expect(clear.output.hasSuffix("inside"))
            #expect(clear.output.contains("\r\nVia: 1.1 "))
            let tunnel = await runTool("--proxy", login, "--cacert", nginx.root, nginx.secureURL("/x"))
            #expect(tunnel.status == 0, "\(tunnel.errors)")
            #expect(tunnel.output == "inside")
            let asked = nginx.finalRequests()
            #expect(asked.map(\.version) == ["HTTP/1.1", "HTTP/2.0"])
        }
    }

    @Test func `tinyproxy rejects other credentials, and the message names it`() async throws {
        let proxy = try await RealProxy.tinyproxy(login: "ada:s3cret")
        try await withNginx(files: ["x": .text("inside")]) { nginx in
            for address in [proxy.authority, "http://ada:wrong@\(proxy.authority)"] {
                let tunnel = await runTool("--proxy", address, "--cacert", nginx.root, nginx.secureURL("/x"))
                #expect(tunnel.status == 11, "\(tunnel.errors)")
                // It responds with 401 to other credentials.
                let problem =
                    address.contains("@") ? "refused the connection to" : "requires Basic authentication (407)"
                #expect(tunnel.errors.contains("'http://\(proxy.authority)' \(problem)"), "\(tunnel.errors)")
                #expect(!tunnel.errors.contains("wrong"))
                #expect(await runTool("--proxy", address, nginx.url("/x")).status == 4)
            }
            #expect(nginx.finalRequests().isEmpty)
        }
    }

    @Test(arguments: ["socks5", "socks5h"])
    func `microsocks opens connections as a SOCKS proxy`(scheme: String) async throws {
        let proxy = try await RealProxy.microsocks(login: "ada:s3cret")
        try await withNginx(files: ["x": .text("inside")]) { nginx in
            let login = "\(scheme)://ada:s3cret@\(proxy.authority)"
            let clear = await runTool("--proxy", login, nginx.url("/x"))
            #expect(clear.output == "inside", "\(clear.errors)")
            // By address: microsocks may find the other address of localhost, where nginx does not listen.
            let secureURL = "https://127.0.0.1:\(nginx.securePort)/x"
            let secure = await runTool("--proxy", login, "--cacert", nginx.root, secureURL)
            #expect(secure.output == "inside", "\(secure.errors)")
            let wrong = await runTool("--proxy", "\(scheme)://ada:no@\(proxy.authority)", nginx.url("/x"))
            #expect(wrong.status == 11, "\(wrong.errors)")
            #expect(wrong.messages.last?.contains("--proxy") == true, "\(wrong.errors)")
            #expect(nginx.finalRequests().count == 2)
        }
    }

    @Test func `a name that only the proxy knows is resolved there`() async throws {
        let proxy = try await RealProxy.microsocks()
        let here = await runTool("--proxy", "socks5://\(proxy.authority)", "http://name.invalid/")
        #expect(here.status == 10, "\(here.errors)")
        let there = await runTool("--proxy", "socks5h://\(proxy.authority)", "http://name.invalid/")
        #expect(there.status == 11, "\(there.errors)")
    }
}
