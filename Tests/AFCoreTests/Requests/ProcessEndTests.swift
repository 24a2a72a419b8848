import TestSupport
import Testing

/// Processes that exit during a transfer.
@Suite(.timeLimit(.minutes(5))) struct ProcessEndTests {
    @Test func `nothing more is received once the process is exiting`() async throws {
        try await withScriptedServer { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\n\r\n")
            // Until the peer has closed the connection.
            while true { try connection.sendSlowly([UInt8](repeating: 1, count: 100), every: .milliseconds(1)) }
        } _: { server in
            let result = try await Program.networkProbe("end", server.url()).run()
            #expect(result.status == 0, "\(result.errorText)")
            #expect(result.text == "still\n")
        }
    }
}
