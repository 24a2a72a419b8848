import AFCore
import TestSupport
import Testing

@Suite("Safety 22: end of an HTTP/2 body", .timeLimit(.minutes(5)))
struct SafetyRow22HTTP2BodyEndTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// How HTTP/2 is selected: with prior knowledge, or by the TLS handshake.
    enum Negotiation: CaseIterable { case priorKnowledge, alpn }

    /// Sends frames after the request's header, one by one or together.
    private func serve(
        _ frames: [HTTP2Frame],
        isTogether: Bool = false,
        closes: Bool = false
    ) throws -> LocalServer {
        try LocalServer.scripted { connection in
            try connection.acceptHTTP2()
            if isTogether { try connection.send(frames) } else { try connection.sendApart(frames) }
            if !closes { try connection.waitForClose() }
        }
    }

    /// Runs the tool with these words and the URL of a server that sends the frames.
    private func run(
        _ words: [String],
        against frames: [HTTP2Frame],
        by negotiation: Negotiation,
        isTogether: Bool = false,
        closes: Bool = false
    ) async throws -> ProgramResult {
        let server = try serve(frames, isTogether: isTogether, closes: closes)
        guard negotiation == .alpn else {
            return try await folder.afcli(["--http2-prior-knowledge"] + words + [server.url("/f")])
        }
        let certificates = try await TestCertificates.shared
        let front = try TLSFront(to: server.port, identity: certificates.server, speaksHTTP2: true)
        return try await folder.afcli(["--cacert", certificates.root] + words + ["https://localhost:\(front.port)/f"])
    }

    @Test(arguments: Negotiation.allCases, [[], [("content-length", "6")]])
    func `a stream reset before the end of the body is an error, and no file is saved`(
        negotiation: Negotiation,
        fields: [(name: String, value: String)]
    ) async throws {
        try folder.write("old", to: "old")
        for code in HTTP2Frame.ErrorCode.allCases {
            let frames: [HTTP2Frame] = [.head(200, fields), .body("early"), .reset(code)]
            let stored = try await run(["-o", "new"], against: frames, by: negotiation)
            #expect(stored.status == 13, "\(code): \(stored.errorText)")
            #expect(!folder.has("new"))
            let replaced = try await run(["-o", "old"], against: frames, by: negotiation)
            #expect(replaced.status == 13, "\(code): \(replaced.errorText)")
            #expect(folder.holds("old", in: "old"))
            let shown = try await run(["-b"], against: frames, by: negotiation)
            #expect(shown.status == 13, "\(code): \(shown.errorText)")
        }
    }

    @Test(arguments: Negotiation.allCases)
    func `a stream reset after the header is an error`(negotiation: Negotiation) async throws {
        let run = try await run(["-o", "f"], against: [.head(200), .reset(.noError)], by: negotiation)
        #expect(run.status == 13, "\(run.errorText)")
        #expect(!folder.has("f"))
    }

    @Test(arguments: Negotiation.allCases)
    func `a connection closed before the end of the stream is an error`(negotiation: Negotiation) async throws {
        for frames in [[], [HTTP2Frame.goAway()]] {
            let run = try await run(
                ["-o", "f"], against: [.head(200), .body("early")] + frames, by: negotiation, closes: true)
            #expect(run.status == 13, "\(run.errorText)")
            #expect(!folder.has("f"))
        }
    }

    @Test(arguments: Negotiation.allCases)
    func `a violation of the protocol before the end of the stream ends the run at once`(
        negotiation: Negotiation
    ) async throws {
        for violation in HTTP2Frame.connectionErrors {
            // Waiting for the rest of the response would end with the status of a timeout.
            let run = try await run(
                ["-o", "f", "--timeout", "5"], against: [.head(200), .body("early"), violation], by: negotiation,
                isTogether: true)
            #expect(run.status == 13, "\(run.errorText)")
            #expect(run.errorText.contains("the server broke the HTTP/2 protocol: "), "\(run.errorText)")
            #expect(!folder.has("f"))
        }
    }

    @Test(arguments: Negotiation.allCases)
    func `a complete stream is saved, even if a reset follows its end`(
        negotiation: Negotiation
    ) async throws {
        for frames in [[], [HTTP2Frame.reset(.noError)]] {
            let run = try await run(
                ["-o", "f"], against: [.head(200), .body("all", isLast: true)] + frames, by: negotiation)
            #expect(run.status == 0, "\(run.errorText)")
            #expect(folder.holds("all", in: "f"))
        }
    }

    @Test func `a session throws an error for a stream reset before its end`() async throws {
        let server = try serve([.head(200), .body("early"), .reset(.noError)])
        var configuration = SessionConfiguration()
        configuration.httpVersion = .http2PriorKnowledge
        let session = Session(configuration: configuration)
        let response = await session.request(server.url()).serializingString().response
        let failure = response.error?.underlyingError as? TransferFailure
        #expect(failure?.kind == .truncated)
    }
}
