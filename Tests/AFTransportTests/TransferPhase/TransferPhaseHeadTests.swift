import AFHTTP
import CCurl
import Testing

@testable import AFTransport

/// Which header is the final one, and which requests follow the others.
struct TransferPhaseHeadTests {
    @Test(arguments: [200, 204, 301, 401, 404, 407, 417, 500])
    func `a header is final at once if no request can follow it`(status: Int) throws {
        var phase = try TransferPhase.connected()
        #expect(try phase.receive(status) == .report(.final))
        #expect(phase.finalHead?.statusCode == status)
        #expect(phase.decideFinal() == nil)
        #expect(phase.supersedeHead() == nil)
    }

    @Test(arguments: [100, 102, 103, 199])
    func `an interim header is reported and decides nothing`(status: Int) throws {
        var phase = try TransferPhase.connected()
        #expect(try phase.receive(status) == .report(.informational))
        #expect(phase.latestHead == nil)
        #expect(try phase.receive(200) == .report(.final))
    }

    @Test func `a header before the server is reached is a proxy's`() throws {
        var phase = try TransferPhase.ready()
        #expect(try phase.receive(407) == .report(.tunnel))
        #expect(!phase.isTunneled)
        #expect(try phase.receive(200) == .report(.tunnel))
        #expect(phase.isTunneled)
        phase.openSocket()
        #expect(!phase.isTunneled)
        #expect(phase.latestHead == nil)
        phase.connected()
        #expect(phase.isTunneled)
    }

    @Test(arguments: [100, 101, 200, 302, 401, 417])
    func `a second header after a final one changes nothing`(status: Int) throws {
        var phase = try TransferPhase.connected()
        try phase.receive(200, ["Transfer-Encoding": "chunked"])
        try phase.receive("body")
        #expect(try phase.receive(status) == .ignore)
        #expect(phase.finalHead?.statusCode == 200)
        #expect(phase.failure == nil)
        #expect(phase.takenBytes == 4)
        #expect(phase.headOfUnreadBody == nil)
    }

    // Authentication by libcurl

    @Test func `the bytes after a 401 show whether libcurl answers it`() throws {
        for kinds in [AuthenticationOptions.Kinds.ntlm, .negotiate] {
            var phase = try TransferPhase.connected { $0.authentication = .of(kinds) }
            #expect(try phase.receive(401) == .wait)
            #expect(phase.finalHead == nil)
            #expect(phase.latestHead?.statusCode == 401)
            var another = phase
            // Another header: libcurl has sent another request.
            #expect(another.supersedeHead()?.statusCode == 401)
            #expect(another.latestHead == nil)
            #expect(try another.receive(200) == .report(.final))
            // A body: libcurl has no other request.
            #expect(phase.offer([1]) == .report(.head(401)))
            #expect(phase.offer([1]) == .deliver)
            #expect(phase.finalHead?.statusCode == 401)
        }
    }

    @Test func `a 401 without a body is final at the end`() throws {
        var phase = try TransferPhase.connected { $0.authentication = .of(.ntlm) }
        #expect(try phase.receive(401) == .wait)
        #expect(phase.decideFinal()?.statusCode == 401)
        #expect(phase.decideFinal() == nil)
        #expect(phase.withholdsBody)
    }

    @Test func `libcurl does not answer a 401 to Basic`() throws {
        var phase = try TransferPhase.connected { $0.authentication = .of(.basic) }
        #expect(!phase.hasRounds)
        #expect(try phase.receive(401) == .report(.final))
        #expect(!phase.withholdsBody)
    }

    @Test func `libcurl answers a proxy's 407 only with a credential`() throws {
        for hasCredential in [false, true] {
            var phase = try TransferPhase.connected {
                let credential = URLCredential(user: "user", password: "secret")
                $0.proxy = ProxyOptions(url: "http://b:1", credential: hasCredential ? credential : nil)
            }
            #expect(try phase.receive(407) == (hasCredential ? .wait : .report(.final)))
        }
    }

    // Authentication in rounds

    private let digest: HTTPHeaders = ["WWW-Authenticate": "Digest realm=\"a\", nonce=\"b\", qop=\"auth\""]

    @Test func `a digest challenge is followed by one answer`() throws {
        var phase = try TransferPhase.connected { $0.authentication = .of(.digest) }
        #expect(phase.hasRounds)
        #expect(phase.transfer.options.authentication == nil)
        #expect(try phase.receive(401, digest) == .report(.intermediate))
        #expect(phase.expectsAnotherRound)
        #expect(phase.end(CURLE_OK) == .startRound)
        phase.startRound()
        #expect(!phase.expectsAnotherRound)
        #expect(phase.transfer.headers.value(for: "Authorization")?.hasPrefix("Digest username=\"user\"") == true)
        // The server has rejected the credentials.
        #expect(try phase.receive(401, digest) == .report(.final))
        #expect(phase.end(CURLE_OK) == .finish(CURLE_OK))
    }

    @Test func `a stale nonce is answered again, three times at most`() throws {
        var phase = try TransferPhase.connected { $0.authentication = .of(.digest) }
        let stale: HTTPHeaders = ["WWW-Authenticate": "Digest realm=\"a\", nonce=\"b\", stale=true"]
        for _ in 0..<3 {
            #expect(try phase.receive(401, stale) == .report(.intermediate))
            phase.startRound()
        }
        #expect(try phase.receive(401, stale) == .report(.final))
    }

    @Test func `a challenge that cannot be answered is final`() throws {
        for fields: HTTPHeaders in [[:], ["WWW-Authenticate": "Basic realm=\"a\""], ["WWW-Authenticate": "Digest"]] {
            var phase = try TransferPhase.connected { $0.authentication = .of(.digest) }
            #expect(try phase.receive(401, fields) == .report(.final))
        }
    }

    @Test func `libcurl answers a challenge of another scheme`() throws {
        var phase = try TransferPhase.connected { $0.authentication = .of([.basic, .digest]) }
        #expect(try phase.receive(401, ["WWW-Authenticate": "Basic realm=\"a\""]) == .report(.intermediate))
        phase.startRound()
        #expect(phase.transfer.options.authentication?.kinds == .basic)
        #expect(try phase.receive(401, digest) == .report(.final))
    }

    @Test func `a body follows the response to a request that withheld it`() throws {
        var phase = try TransferPhase.connected(.post, body: [1, 2]) { $0.authentication = .of(.digest) }
        #expect(phase.withholdsBody)
        #expect(try phase.receive(200) == .report(.intermediate))
        #expect(!phase.withholdsBody)
        phase.startRound()
        guard case .bytes(let body) = phase.transfer.body else {
            Issue.record("the second request has no body")
            return
        }
        #expect(body == [1, 2])
        #expect(try phase.receive(200) == .report(.final))
    }

    @Test func `a challenge's body is dropped, up to a limit`() throws {
        var phase = try TransferPhase.connected { $0.authentication = .of(.digest) }
        try phase.receive(401, digest)
        #expect(phase.offer([UInt8](repeating: 0, count: 64 << 10)) == .discard)
        #expect(phase.takenBytes == 0)
        #expect(phase.offer([0]) == .abort)
        // The next request needs another connection.
        #expect(phase.end(CURLE_WRITE_ERROR) == .startRound)
    }

    @Test func `no request follows a challenge after a failure`() throws {
        var phase = try TransferPhase.connected { $0.authentication = .of(.digest) }
        try phase.receive(401, digest)
        phase.fail(TransferFailure(.bodyUnreadable, "gone"))
        #expect(phase.end(CURLE_ABORTED_BY_CALLBACK) == .finish(CURLE_ABORTED_BY_CALLBACK))
    }

    @Test func `a challenge that libcurl receives again changes nothing`() throws {
        var phase = try TransferPhase.connected { $0.authentication = .of(.digest) }
        try phase.receive(401, digest)
        #expect(try phase.receive(401, digest) == .report(.intermediate))
        #expect(phase.end(CURLE_OK) == .startRound)
    }

    // 417 (Expectation Failed)

    private func expecting() throws -> TransferPhase {
        try TransferPhase.connected(.put, body: [1, 2]) { $0.expectContinue = .always }
    }

    @Test func `a request is repeated without Expect after a 417`() throws {
        var phase = try expecting()
        #expect(try phase.receive(417) == .rewindBody)
        #expect(try phase.decideRefusal(isRewound: true, isAtEnd: false) == .endRequest)
        #expect(phase.end(CURLE_WRITE_ERROR) == .repeatWithoutExpect)
        #expect(phase.startWithoutExpect()?.statusCode == 417)
        #expect(phase.latestHead == nil)
        #expect(!phase.sentExpect(accordingTo: .head(200)))
        #expect(try phase.receive(200) == .report(.final))
    }

    @Test func `the second 417 is final`() throws {
        var phase = try expecting()
        try phase.receive(417)
        _ = try phase.decideRefusal(isRewound: true, isAtEnd: false)
        _ = phase.startWithoutExpect()
        #expect(try phase.receive(417) == .report(.final))
    }

    @Test func `a 417 is final after a body that is sent and cannot be rewound`() throws {
        var phase = try expecting()
        #expect(try phase.receive(417) == .rewindBody)
        #expect(try phase.decideRefusal(isRewound: false, isAtEnd: true) == .report(.final))
    }

    @Test func `a 417 is a failure during a body that cannot be rewound`() throws {
        var phase = try expecting()
        try phase.receive(417)
        let failure = #expect(throws: TransferFailure.self) {
            try phase.decideRefusal(isRewound: false, isAtEnd: false)
        }
        #expect(failure?.kind == .bodyNotRewindable)
    }

    @Test func `no header may follow a final 417, as libcurl would send the rest of the body`() throws {
        var phase = try expecting()
        try phase.receive(417)
        _ = try phase.decideRefusal(isRewound: false, isAtEnd: true)
        let failure = #expect(throws: TransferFailure.self) { try phase.receive(200) }
        #expect(failure?.kind == .bodyNotRewindable)
    }

    @Test(arguments: [("HTTP/1.1", 1 << 20, false), ("HTTP/1.1", 1 << 20 + 1, true), ("HTTP/2", 1 << 20 + 1, false)])
    func `a 417 is only about a request with Expect`(version: String, length: Int, isAsked: Bool) throws {
        var phase = try TransferPhase.connected(.put, body: [UInt8](repeating: 0, count: length))
        #expect(try phase.receive(417, version: version) == (isAsked ? .rewindBody : .report(.final)))
    }

    // 101 (Switching Protocols)

    @Test func `the connection after a 101 that a field asks for is the body`() throws {
        var phase = try TransferPhase.connected(headers: ["Upgrade": "x"])
        #expect(try phase.receive(101) == .report(.final))
        #expect(phase.failure == nil)
    }

    @Test func `a 101 that was not requested is a failure`() throws {
        var phase = try TransferPhase.connected()
        #expect(try phase.receive(101) == .report(.final))
        #expect(phase.failure?.kind == .malformedResponse)
        #expect(phase.offer([1]) == .abort)
    }

    @Test func `the 101 of an upgrade to HTTP 2 is an interim header`() throws {
        var phase = try TransferPhase.connected { $0.httpVersion = .http2 }
        #expect(try phase.receive(101) == .report(.informational))
        #expect(phase.failure == nil)
    }

    @Test func `a 101 starts the stream, and any other response ends it`() throws {
        for status in [101, 200, 401] {
            var phase = try TransferPhase.connected(upgrades: true)
            #expect(phase.requestBody() == .pause)
            #expect(phase.pauses.isBodyWaiting)
            #expect(try phase.receive(status) == .report(.final))
            #expect(phase.failure == nil)
            #expect(phase.isSwitched == (status == 101))
            #expect(phase.bodyIsReady() == TransferPhase.Directions(receives: true, sends: true))
            #expect(phase.requestBody() == (status == 101 ? .read : .end))
        }
    }
}
