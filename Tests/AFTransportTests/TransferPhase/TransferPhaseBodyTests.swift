import AFHTTP
import Testing

@testable import AFTransport

/// The bytes of a body: when they are delivered, within which limits, and when they are all.
struct TransferPhaseBodyTests {
    @Test func `bytes before a header are not HTTP`() throws {
        for (bytes, reason) in [
            ([1, 2, 3], TransferFailure.Reason.notHTTP), ([0x15, 3, 3], .tlsInstead),
            ([0, 0, 18, 4, 0, 0, 0, 0, 0, 0, 3], .http2Instead), ([0, 0, 17, 4, 0, 0, 0, 0, 0], .notHTTP),
            ([0, 0, 18, 4, 0, 0, 0, 0], .notHTTP),
        ] as [([UInt8], TransferFailure.Reason)] {
            var phase = try TransferPhase.connected()
            #expect(phase.offer(bytes) == .abort)
            #expect(phase.failure?.kind == .malformedResponse)
            #expect(phase.failure?.reason == reason)
        }
    }

    @Test func `no bytes are taken after a failure`() throws {
        var phase = try TransferPhase.connected()
        try phase.receive(200)
        phase.fail(TransferFailure(.bodyUnreadable, "gone"))
        #expect(phase.offer([1]) == .abort)
    }

    @Test func `a rejected chunk is counted and ends the transfer`() throws {
        var phase = try TransferPhase.connected()
        try phase.receive(200)
        try phase.receive("four")
        phase.reject(3, because: TransferFailure(.stopped, "the receiver stopped the transfer"))
        #expect(phase.failure?.kind == .stopped)
        guard case .final(let final) = phase.response else {
            Issue.record("there is no final response")
            return
        }
        #expect(final.takenBytes == 4)
        #expect(final.rejectedBytes == 3)
        #expect(final.deliveredBytes == 4)
    }

    // Limits

    private func failure(of phase: TransferPhase, delivering count: Int, received: Int64 = 0) -> TransferFailure? {
        do throws(TransferFailure) {
            try phase.checkDelivery(of: count, received: received)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a body that is announced as too large does not start`() throws {
        var phase = try TransferPhase.connected { $0.limits.bodyBytes = 4 }
        try phase.receive(200, ["Content-Length": "5"])
        let failure = #expect(throws: TransferFailure.self) { try phase.startBody(isDecoded: false) }
        #expect(failure?.kind == .bodyTooLarge)
    }

    @Test func `a body ends at the byte that exceeds its limit`() throws {
        var phase = try TransferPhase.connected { $0.limits.bodyBytes = 4 }
        try phase.receive(200)
        try phase.receive("abc")
        #expect(failure(of: phase, delivering: 1) == nil)
        #expect(failure(of: phase, delivering: 2)?.kind == .bodyTooLarge)
    }

    @Test func `an upgraded connection has no limit`() throws {
        var phase = try TransferPhase.connected(upgrades: true) { $0.limits.bodyBytes = 1 }
        try phase.receive(101)
        try phase.receive("abc")
        #expect(failure(of: phase, delivering: 100) == nil)
    }

    @Test func `a body may decode to a multiple of its received size`() throws {
        var phase = try TransferPhase.connected { $0.limits.decodingRatio = 2 }
        try phase.receive(200)
        #expect(failure(of: phase, delivering: 256 << 10) == nil)
        #expect(failure(of: phase, delivering: 256 << 10 + 1)?.reason == .decodingRatio)
        #expect(failure(of: phase, delivering: 256 << 10 + 2, received: 1) == nil)
        #expect(failure(of: phase, delivering: 256 << 10 + 3, received: 1)?.kind == .decodingOverflow)
        #expect(failure(of: phase, delivering: 1 << 40, received: .max - 128 << 10) == nil)
    }

    // Content codings

    private let gzip: [UInt8] = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 203, 72, 205, 201, 201, 7, 0, 134, 166, 16, 54, 5, 0, 0, 0,
    ]

    @Test func `a body may be decoded if it has a coding, and if the options permit that`() throws {
        let phase = try TransferPhase.connected()
        #expect(phase.mayDecode(.head(200, ["Content-Encoding": "gzip"])))
        #expect(!phase.mayDecode(.head(200)))
        let raw = try TransferPhase.connected { $0.decodesContent = false }
        #expect(!raw.mayDecode(.head(200, ["Content-Encoding": "gzip"])))
        var upgrade = try TransferPhase.connected(upgrades: true)
        try upgrade.receive(101, ["Content-Encoding": "gzip"])
        #expect(!upgrade.mayDecode(.head(101, ["Content-Encoding": "gzip"])))
    }

    @Test func `a body is decoded if the sink decides so`() throws {
        for isDecoded in [false, true] {
            var phase = try TransferPhase.connected()
            try phase.receive(200, ["Content-Encoding": "gzip"])
            #expect(phase.headOfUnreadBody?.statusCode == 200)
            try phase.startBody(isDecoded: isDecoded)
            #expect(phase.headOfUnreadBody == nil)
            #expect((phase.decoder != nil) == isDecoded)
        }
    }

    @Test func `a coded body may be announced as longer than its limit`() throws {
        var phase = try TransferPhase.connected { $0.limits.bodyBytes = 4 }
        try phase.receive(200, ["Content-Encoding": "gzip", "Content-Length": "25"])
        try phase.startBody(isDecoded: true)
        #expect(phase.decoder != nil)
    }

    @Test(arguments: [200, 206])
    func `a body that ends within its coding is truncated, except a part of it`(status: Int) throws {
        for length in [10, 25] {
            var phase = try TransferPhase.connected()
            try phase.receive(status, ["Content-Encoding": "gzip"])
            try phase.startBody(isDecoded: true)
            let decoder = try #require(phase.decoder)
            var text: [UInt8] = []
            let isTaken = try gzip[..<length].withUnsafeBytes { bytes in
                try decoder.decode(bytes) { chunk throws(TransferFailure) in
                    text += chunk
                    return true
                }
            }
            #expect(isTaken)
            phase.take(length)
            let failure = phase.failureAtEnd(isCutOff: false, protocolError: nil)
            #expect(failure?.kind == (status == 206 || length == 25 ? nil : .truncated))
            if length == 25 { #expect(text == Array("hello".utf8)) }
        }
    }

    // The end of a body

    @Test func `a response is complete at the length that its header announces`() throws {
        var phase = try TransferPhase.connected(.post, body: [1])
        try phase.receive(413, ["Content-Length": "4"])
        #expect(!phase.isResponseComplete)
        try phase.receive("abc")
        #expect(!phase.hasEarlyResponse)
        phase.take(1)
        #expect(phase.isResponseComplete)
        #expect(phase.hasEarlyResponse)
    }

    @Test func `a response without a body is complete at its header`() throws {
        for (method, status) in [(.head, 200), (.post, 204), (.post, 304)] as [(HTTPMethod, Int)] {
            var phase = try TransferPhase.connected(method)
            try phase.receive(status, ["Content-Length": "4"])
            #expect(phase.isResponseComplete)
            // There is nothing to be sent.
            #expect(!phase.hasEarlyResponse)
        }
    }

    @Test func `a response is complete at its header if its body is omitted`() throws {
        for (method, body, isComplete) in [(.get, nil, true), (.post, [1], false)] as [(HTTPMethod, [UInt8]?, Bool)] {
            var phase = try TransferPhase.connected(method, body: body) { $0.messages.omitsBody = true }
            try phase.receive(200, ["Content-Length": "4"])
            #expect(phase.isResponseComplete == isComplete)
        }
    }

    @Test func `a length that is ignored is no end`() throws {
        var phase = try TransferPhase.connected(.post, body: [1]) { $0.messages.ignoresContentLength = true }
        try phase.receive(200, ["Content-Length": "3"])
        try phase.receive("abc")
        #expect(!phase.isResponseComplete && !phase.hasEarlyResponse)
    }

    @Test func `a response without a length is complete at END_STREAM, once all bytes are taken`() throws {
        var phase = try TransferPhase.connected(.post, body: [1])
        try phase.receive(413, version: "HTTP/2")
        phase.receiveFrame(3, isLast: false)
        try phase.receive("abc")
        #expect(!phase.isResponseComplete)
        phase.receiveFrame(2, isLast: true)
        #expect(!phase.isResponseComplete)
        phase.take(2)
        #expect(phase.hasEarlyResponse)
    }

    @Test func `a chunked response has no announced end`() throws {
        var phase = try TransferPhase.connected(.post, body: [1])
        try phase.receive(413, ["Transfer-Encoding": "chunked", "Content-Length": "3"])
        try phase.receive("abc")
        #expect(!phase.isResponseComplete)
    }

    // Bytes that libcurl left unread

    @Test func `unread bytes are searched for a header, unless one is final`() throws {
        var phase = try TransferPhase.connected(.post, body: [1])
        #expect(phase.receiveUnread(9) == .parse)
        try phase.receive(413, ["Content-Length": "4"])
        #expect(phase.receiveUnread(3) == .ignore)
        #expect(phase.receiveUnread(4) == .take(4))
        #expect(phase.receiveUnread(9) == .take(4))
        try phase.receive("abc")
        #expect(phase.receiveUnread(9) == .take(1))
        phase.take(1)
        // The bytes are another response.
        #expect(phase.receiveUnread(9) == .ignore)
    }

    @Test func `unread bytes show that an undecided header is final`() throws {
        var phase = try TransferPhase.connected(.post, body: [1]) { $0.authentication = .of(.ntlm) }
        try phase.receive(401, ["Content-Length": "4"])
        #expect(phase.receiveUnread(4) == .report(.head(401, ["Content-Length": "4"])))
        #expect(phase.receiveUnread(4) == .take(4))
    }

    @Test func `unread bytes are ignored if they need not be those of the body`() throws {
        for url in ["https://a/", "http://a/"] {
            for proxy in [nil, ProxyOptions(url: "HTTPS://b:1"), ProxyOptions(url: "http://b:1")] {
                for isStream in [false, true] {
                    var phase = try TransferPhase.connected(.post, url, body: [1]) { $0.proxy = proxy }
                    try phase.receive(413, ["Content-Length": "4"])
                    if isStream { phase.receiveFrame(1, isLast: false) }
                    let isPlain = url == "http://a/" && proxy?.url != "HTTPS://b:1" && !isStream
                    #expect(phase.receiveUnread(4) == (isPlain ? .take(4) : .ignore))
                    phase.fillSink()
                    #expect(phase.receiveUnread(4) == .ignore)
                }
            }
        }
        var unknown = try TransferPhase.connected(.post, body: [1])
        try unknown.receive(413)
        #expect(unknown.receiveUnread(4) == .ignore)
    }

    @Test func `unread bytes of a challenge are ignored`() throws {
        var phase = try TransferPhase.connected(.post, body: [1]) { $0.authentication = .of([.basic, .digest]) }
        try phase.receive(401, ["WWW-Authenticate": "Basic realm=\"a\""])
        #expect(phase.receiveUnread(4) == .ignore)
    }
}
