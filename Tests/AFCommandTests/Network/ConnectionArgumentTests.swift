import TestSupport
import Testing

@testable import AFCommand

@Suite(.timeLimit(.minutes(5))) struct ConnectionArgumentTests {
    @Test(arguments: ["127.0.0.1", "127.0.0.1,::1", "[::1],127.0.0.1", "fe80::1%eth0"])
    func `an address of --resolve may be of either family`(addresses: String) throws {
        #expect(try ConnectionArgument.resolve("a:80:\(addresses)") == "a:80:\(addresses)")
    }

    @Test(arguments: ["notanip", "127.0.0.1,b", "127.1", "[127.0.0.1]", "::1]"])
    func `--resolve takes addresses only`(addresses: String) {
        let error = #expect(throws: UsageError.self) { try ConnectionArgument.resolve("a:80:\(addresses)") }
        #expect(error?.problem.hasSuffix("is not an IP address") == true)
        #expect(error?.hint == "--connect-to takes another host name")
    }

    @Test func `the hosts of rules are spelled as in URLs`() async throws {
        #expect(try ConnectionArgument.resolve("+Bücher.test:80:::1") == "+xn--bcher-kva.test:80:::1")
        #expect(try ConnectionArgument.resolve("-bücher.test:80") == "-xn--bcher-kva.test:80")
        #expect(try ConnectionArgument.resolve("*:80:127.0.0.1") == "*:80:127.0.0.1")
        #expect(try ConnectionArgument.resolve("[0::1]:80:127.0.0.1") == "[::1]:80:127.0.0.1")
        #expect(try ConnectionArgument.connectTo("ä.test::ö.test:") == "xn--4ca.test::xn--nda.test:")
        #expect(try ConnectionArgument.connectTo(":80::81") == ":80::81")
        let error = UsageError("'b ü' is not a host name or address")
        #expect(throws: error) { try ConnectionArgument.resolve("b ü:80:127.0.0.1") }
        #expect(throws: error) { try ConnectionArgument.connectTo("a:80:b ü:81") }
        try await withServer {
            .ok($0["Host"] ?? "")
        } _: { server in
            let url = "http://bücher.test:\(server.port)/"
            let resolved = await runTool("--resolve", "bücher.test:\(server.port):127.0.0.1", url)
            #expect(resolved.output == "xn--bcher-kva.test:\(server.port)", "\(resolved.errors)")
            let connected = await runTool("--connect-to", "BÜCHER.test::127.0.0.1:", url)
            #expect(connected.output == "xn--bcher-kva.test:\(server.port)", "\(connected.errors)")
        }
    }

    @Test func `addresses of --resolve and --connect-to are used`() async throws {
        try await withServer {
            .ok($0["Host"] ?? "")
        } _: { server in
            let resolved = await runTool(
                "--resolve", "name.invalid:\(server.port):127.0.0.1", "http://name.invalid:\(server.port)/")
            #expect(resolved.output == "name.invalid:\(server.port)")
            let connected = await runTool(
                "--connect-to", "name.invalid:80:127.0.0.1:\(server.port)", "http://name.invalid/")
            #expect(connected.output == "name.invalid")
            #expect(await runTool("-4", "--interface", "127.0.0.1", server.url()).status == 0)
            let unknown = await runTool("--interface", "nonesuch0", server.url())
            #expect(unknown.status == 11)
            #expect(unknown.messages.first == "afcli: error: could not bind to 'nonesuch0'")
            let used = await runTool("--local-port", "\(server.port)", server.url())
            let sentence = "could not bind to the local port \(server.port)\n  another program may use it"
            #expect(used.errors.contains(sentence), "\(used.errors)")
        }
    }
}
