import AFHTTP
import Testing

@testable import AFUploads

/// The state of an upload in partial uploads of tus, without I/O.
@Suite struct ConcatenationMachineTests {
    private let length: Int64 = 8 << 20

    private func machine(segments: Int = 4, _ dialect: UploadProtocol = .tus) throws -> ConcatenationMachine {
        let rules = UploadMachine.ResourceRules(
            url: try HTTPURL(parsing: "https://example.org/files"), trustsOtherOrigins: false)
        return ConcatenationMachine(
            UploadMachine(dialect, length: length, fileName: "f", rules), segments: segments)
    }

    private func response(_ status: Int, _ fields: [String: String] = [:]) -> HTTPURLResponse {
        HTTPURLResponse(url: nil, statusCode: status, headers: HTTPHeaders(fields))
    }

    private func discover(_ machine: inout ConcatenationMachine, _ extensions: String = "concatenation") throws {
        #expect(machine.nextExchange().method == .options)
        let fields = ["Tus-Version": "1.0.0", "Tus-Extension": extensions]
        #expect(try machine.receive(response(204, fields), body: nil, isSent: true) == .next(after: 0))
    }

    /// Creates a partial upload as a lane.
    private func create(_ machine: inout ConcatenationMachine) throws -> UploadClaim {
        let claimed = machine.claim()
        let claim = try #require(claimed)
        let creation = machine.exchange(of: claim)
        #expect(creation?.step == .create)
        let created = response(201, ["Location": "/files/\(claim.index)"])
        #expect(machine.receive(created, isSent: true, of: claim) == .acknowledged)
        return claim
    }

    /// Sends the rest of the next partial upload as a lane.
    private func send(_ machine: inout ConcatenationMachine) throws -> Range<Int64> {
        var (claimed, range) = (machine.claim(), nil as Range<Int64>?)
        while let claim = claimed, range == nil {
            guard let exchange = machine.exchange(of: claim) else { break }
            switch exchange.step {
            case .create:
                _ = machine.receive(response(201, ["Location": "/files/\(claim.index)"]), isSent: true, of: claim)
            case .query: _ = machine.receive(response(200, ["Upload-Offset": "0"]), isSent: true, of: claim)
            default:
                range = exchange.range
                let end = response(204, ["Upload-Offset": "\(exchange.range?.count ?? 0)"])
                #expect(machine.receive(end, isSent: true, of: claim) == .acknowledged)
            }
            if range == nil { claimed = machine.claim() }
        }
        return try #require(range)
    }

    @Test func `partial uploads are created, sent, concatenated, and the concatenation is confirmed`() throws {
        var machine = try machine()
        try discover(&machine)
        #expect(machine.isDivided && machine.takeEvents().isEmpty)
        let ranges = try (0..<4).map { _ in try send(&machine) }
        #expect(ranges == (0..<4).map { $0 * length / 4..<($0 + 1) * length / 4 })
        #expect(machine.acknowledged == length && machine.offset == length)
        let final = machine.nextExchange()
        #expect(final.step == .complete && final.method == .post && final.resource == nil)
        let urls = (0..<4).map { "https://example.org/files/\($0)" }.joined(separator: " ")
        #expect(final.headers.contains { $0.name == "Upload-Concat" && $0.value == "final;\(urls)" })
        #expect(!final.headers.contains { $0.name == "Upload-Length" })
        #expect(
            try machine.receive(response(201, ["Location": "/files/9"]), body: nil, isSent: true) == .next(after: 0))
        #expect(machine.nextExchange().method == .head)
        #expect(machine.resource?.text == "https://example.org/files/9")
        // The server is still at it.
        let pending = response(200, ["Upload-Length": "\(length)"])
        #expect(try machine.receive(pending, body: nil, isSent: true) == .next(after: 0.25))
        #expect(machine.nextExchange().method == .head)
        let done = response(200, ["Upload-Offset": "\(length)"])
        #expect(try machine.receive(done, body: nil, isSent: true) == .complete)
    }

    @Test(arguments: ["1", "8388609"]) func `another length of the concatenation is an error`(other: String) throws {
        var machine = try machine()
        try discover(&machine)
        for _ in 0..<4 { _ = try send(&machine) }
        _ = machine.nextExchange()
        _ = try machine.receive(response(201, ["Location": "/files/9"]), body: nil, isSent: true)
        _ = machine.nextExchange()
        let failure = #expect(throws: UploadFailure.self) {
            try machine.receive(response(200, ["Upload-Length": other]), body: nil, isSent: true)
        }
        #expect(failure?.reason == .wrongOffset)
    }

    @Test func `each partial upload is claimed once, and the main request waits for the others`() throws {
        var machine = try machine(segments: 2)
        try discover(&machine)
        #expect(machine.nextExchange().step == .create)
        let claimed = machine.claim()
        #expect(claimed?.index == 1 && machine.claim() == nil && !machine.awaitsLanes)
        _ = try machine.receive(response(201, ["Location": "/files/0"]), body: nil, isSent: true)
        #expect(machine.nextExchange().step == .query)
        _ = try machine.receive(response(200, ["Upload-Offset": "0"]), body: nil, isSent: true)
        #expect(machine.nextExchange().range == 0..<length / 2)
        let half = response(204, ["Upload-Offset": "\(length / 2)"])
        #expect(try machine.receive(half, body: nil, isSent: true) == .next(after: 0))
        machine.reserve()
        #expect(machine.awaitsLanes)
        #expect(machine.nextExchange().step == .discover)
    }

    @Test func `the offset of an interrupted lane is asked for by the main request`() throws {
        var machine = try machine(segments: 2)
        try discover(&machine)
        let claim = try create(&machine)
        #expect(claim.index == 0)
        let again = machine.claim()
        #expect(again == claim)
        #expect(machine.receive(nil, isSent: false, of: claim) == .interrupted)
        let query = machine.nextExchange()
        #expect(query.method == .head && query.resource?.text == "https://example.org/files/0")
        _ = try machine.receive(response(200, ["Upload-Offset": "1000"]), body: nil, isSent: true)
        let rest = machine.nextExchange()
        #expect(rest.range == 1000..<length / 2)
        #expect(rest.headers.contains { $0.name == "Upload-Offset" && $0.value == "1000" })
    }

    @Test(arguments: [nil, 403, 503])
    func `a partial upload that a lane cannot create is left to the main request`(status: Int?) throws {
        var machine = try machine(segments: 2)
        try discover(&machine)
        let claimed = machine.claim()
        let claim = try #require(claimed)
        #expect(machine.exchange(of: claim)?.step == .create)
        let end = machine.receive(status.map { response($0) }, isSent: true, of: claim)
        #expect(end == status.map { .rejected(status: $0) } ?? .interrupted)
        // The other one is free for lanes, but this one is not.
        #expect(machine.claim()?.index == 1)
        #expect(machine.claim() == nil)
        let exchange = machine.nextExchange()
        #expect(exchange.step == .create)
        #expect(machine.continues(after: response(403), isSent: true) == false)
        #expect(
            try machine.receive(response(201, ["Location": "/files/0"]), body: nil, isSent: true) == .next(after: 0))
        #expect(machine.nextExchange().resource?.text == "https://example.org/files/0")
    }

    @Test func `a lost partial upload restarts alone, with one event`() throws {
        var machine = try machine(segments: 3)
        try discover(&machine)
        for _ in 0..<3 { _ = try send(&machine) }
        _ = machine.nextExchange()
        #expect(try machine.receive(response(404), body: nil, isSent: true) == .next(after: 0))
        for index in 0..<3 {
            #expect(machine.nextExchange().method == .head)
            let total = Int64(machine.partials[index].machine.length)
            let found = index == 1 ? response(404) : response(200, ["Upload-Offset": "\(total)"])
            #expect(try machine.receive(found, body: nil, isSent: true) == .next(after: 0))
        }
        #expect(machine.takeEvents() == [.restarted(.expired)])
        let creation = machine.nextExchange()
        #expect(creation.step == .create && creation.headers.contains { $0.name == "Upload-Concat" })
        #expect(machine.claim() == nil)
    }

    @Test func `a server without the extension receives a single upload, with an event`() throws {
        var machine = try machine()
        try discover(&machine, "creation")
        #expect(!machine.isDivided && machine.claim() == nil)
        #expect(machine.takeEvents() == [.sequential])
        let creation = machine.nextExchange()
        #expect(creation.headers.contains { $0.name == "Upload-Length" && $0.value == "\(length)" })
        #expect(!creation.headers.contains { $0.name == "Upload-Concat" })
    }

    @Test func `the draft is sequential, with an event`() throws {
        var machine = try machine(.automatic)
        #expect(machine.nextExchange().range == 0..<length)
        #expect(try machine.receive(response(201), body: nil, isSent: true) == .complete)
        #expect(machine.takeEvents() == [.sequential])
    }

    @Test func `an automatic upload to a server of tus is divided`() throws {
        var machine = try machine(.automatic)
        _ = machine.nextExchange()
        _ = try machine.receive(response(412, ["Tus-Version": "1.0.0"]), body: nil, isSent: false)
        try discover(&machine)
        #expect(machine.isDivided && machine.takeEvents().isEmpty)
    }

    @Test func `a recorded upload is continued after all its offsets were asked for`() throws {
        var machine = try machine(segments: 1)
        let partials = (0..<2).map {
            ConcatenationState.Partial(
                length: length / 2, acknowledged: 500, resource: "https://example.org/files/\($0)")
        }
        let state = ConcatenationState(partials)
        #expect(state.isPossible(length) && !state.isPossible(length + 1))
        machine.resume(state)
        #expect(machine.claim() == nil && machine.concatenation == state)
        for offset in [1000, 2000] {
            #expect(machine.nextExchange().method == .head)
            _ = try machine.receive(response(200, ["Upload-Offset": "\(offset)"]), body: nil, isSent: true)
        }
        #expect(machine.nextExchange().step == .append)
        #expect(machine.takeEvents() == [.resumed(offset: 3000, length: length)])
    }

    @Test func `an upload of a changed file is removed completely`() throws {
        var machine = try machine(segments: 2)
        try discover(&machine)
        _ = try create(&machine)
        _ = machine.claim()
        _ = try create(&machine)
        let isRemoved = machine.abandon(with: UploadFailure(.changedFile))
        #expect(isRemoved)
        #expect(machine.isLost && machine.resource == nil)
        #expect(machine.nextExchange().method == .delete)
        #expect(try machine.receive(response(204), body: nil, isSent: true) == .next(after: 0))
        let isStillRemoved = machine.abandon(with: UploadFailure(.changedFile))
        #expect(isStillRemoved && !machine.removals.isEmpty)
        #expect(machine.nextExchange().method == .delete)
        let failure = #expect(throws: UploadFailure.self) {
            try machine.receive(response(404), body: nil, isSent: true)
        }
        #expect(failure?.reason == .changedFile)
    }
}
