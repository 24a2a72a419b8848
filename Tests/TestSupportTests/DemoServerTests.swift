import Testing

@testable import TestSupport

@Suite(.timeLimit(.minutes(5))) struct DemoServerTests {
    @Test func `the demo server reports its port and ends with its input`() async throws {
        let folder = try ScratchFolder()
        let script = """
            #!/bin/sh
            echo "listening on http://127.0.0.1:4711"
            /bin/cat
            echo "$1" > "\(folder.path)/arguments"
            """
        let path = try folder.write(script, to: "demo-server", permissions: 0o755)
        let server = try await DemoServer(path: path)
        #expect(server.url("/get") == "http://127.0.0.1:4711/get")
        server.stop()
        #expect(try folder.text(of: "arguments") == "--until-eof\n")
    }

    @Test func `a missing demo server is an error with the build command`() {
        let failure = #expect(throws: MissingProgram.self) {
            try MissingProgram.find("demo-server", at: ["/nowhere/demo-server"], else: "make test")
        }
        #expect(failure?.description == "demo-server is missing (looked for /nowhere/demo-server): make test")
    }

    @Test func `afcli is found beside the tests`() throws {
        #expect(try Program.afcliPath().hasSuffix("/afcli"))
    }
}
