import AFHTTP
import Testing

@testable import AFUploads

/// The parts of a multipart upload that several requests send, without I/O.
@Suite struct MultipartLanesTests {
    private let partSize: Int64 = 8 << 20
    private let tag = String(repeating: "0", count: 32)

    /// Returns the state of a created upload.
    private func machine(parts: Int64 = 4) throws -> MultipartMachine {
        var machine = try MultipartMachine(length: parts * partSize, url: HTTPURL(parsing: "https://b.example/k"))
        try create(&machine)
        return machine
    }

    private func create(_ machine: inout MultipartMachine) throws {
        #expect(machine.nextExchange().step == .create)
        let result = "<InitiateMultipartUploadResult><UploadId>i</UploadId></InitiateMultipartUploadResult>"
        #expect(try receive(&machine, 200, [:], result) == .next(after: 0))
    }

    private func response(_ status: Int, _ fields: [String: String] = [:]) -> HTTPURLResponse {
        HTTPURLResponse(url: nil, statusCode: status, headers: HTTPHeaders(fields))
    }

    private func receive(
        _ machine: inout MultipartMachine,
        _ status: Int,
        _ fields: [String: String] = [:],
        _ body: String = ""
    ) throws -> UploadOutcome {
        try machine.receive(response(status, fields), body: Array(body.utf8), isSent: true)
    }

    /// Returns the next exchange of the upload's main request, with the digest that it needs.
    private func next(_ machine: inout MultipartMachine) -> UploadExchange {
        machine.reserve()
        while machine.undigestedRange != nil { machine.record(digest: Array(repeating: 0, count: 16)) }
        return machine.nextExchange()
    }

    /// Claims a part and returns the claim with its exchange.
    private func claim(_ machine: inout MultipartMachine) throws -> (UploadClaim, UploadExchange) {
        let claimed = machine.claim()
        let claim = try #require(claimed)
        while machine.undigested(of: claim) != nil { machine.record(digest: Array(repeating: 0, count: 16), of: claim) }
        return (claim, try #require(machine.exchange(of: claim)))
    }

    private func list(_ numbers: [Int]) -> String {
        let parts = numbers.map {
            "<Part><PartNumber>\($0)</PartNumber><Size>\(partSize)</Size><ETag>\(tag)</ETag></Part>"
        }
        return "<ListPartsResult>\(parts.joined())</ListPartsResult>"
    }

    @Test func `each part is claimed once`() throws {
        var machine = try machine()
        #expect(next(&machine).range?.lowerBound == 0)
        var starts: [Int64?] = []
        while let claim = machine.claim() { starts.append(machine.exchange(of: claim)?.range?.lowerBound) }
        #expect(starts == [partSize, 2 * partSize, 3 * partSize])
        #expect(next(&machine).range?.lowerBound == 0)
    }

    @Test func `a lane's part has its digest`() throws {
        var machine = try machine()
        _ = next(&machine)
        let claimed = machine.claim()
        let claim = try #require(claimed)
        let needed = UndigestedRange(range: partSize..<2 * partSize, algorithm: "MD5")
        #expect(machine.undigested(of: claim) == needed)
        machine.record(digest: Array(repeating: 0, count: 16), of: claim)
        #expect(machine.undigested(of: claim) == nil)
        let part = try #require(machine.exchange(of: claim))
        #expect(part.headers.contains { $0.name == "Content-MD5" })
        #expect(part.resource?.text.hasSuffix("?uploadId=i&partNumber=2") == true)
    }

    @Test func `the main request waits for the parts of lanes before it completes the upload`() throws {
        var machine = try machine(parts: 2)
        let (claim, _) = try claim(&machine)
        #expect(next(&machine).range?.lowerBound == partSize)
        #expect(!machine.awaitsLanes)
        #expect(try receive(&machine, 200, ["ETag": tag]) == .next(after: 0))
        #expect(machine.awaitsLanes && machine.claim() == nil)
        #expect(machine.receive(response(200, ["ETag": tag]), isSent: true, of: claim) == .acknowledged)
        #expect(!machine.awaitsLanes && machine.acknowledged == 2 * partSize)
        #expect(next(&machine).step == .complete)
    }

    @Test func `an upload is not completed while a lane sends a part`() throws {
        var machine = try machine(parts: 2)
        let (claim, _) = try claim(&machine)
        _ = next(&machine)
        _ = try receive(&machine, 200, ["ETag": tag])
        // The list does not decide about the part of the lane.
        #expect(next(&machine).step == .query)
        #expect(try receive(&machine, 200, [:], list([1, 2])) == .next(after: 0))
        #expect(machine.awaitsLanes && machine.acknowledged == partSize)
        #expect(machine.receive(response(200, ["ETag": tag]), isSent: true, of: claim) == .acknowledged)
        #expect(next(&machine).step == .complete)
    }

    @Test func `a part that a lane sends during an interruption of the main request is not sent twice`() throws {
        var machine = try machine()
        let (early, _) = try claim(&machine)
        let (late, _) = try claim(&machine)
        _ = next(&machine)
        machine.interrupt()
        #expect(machine.claim() == nil)
        #expect(next(&machine).step == .query)
        // Acknowledged after the server has written the list.
        #expect(machine.receive(response(200, ["ETag": tag]), isSent: true, of: early) == .acknowledged)
        #expect(try receive(&machine, 200, [:], list([])) == .next(after: 0))
        #expect(next(&machine).range?.lowerBound == 2 * partSize)
        let last = machine.claim()
        #expect(last?.index == 3)
        #expect(machine.receive(response(200, ["ETag": tag]), isSent: true, of: late) == .acknowledged)
        #expect(machine.acknowledged == 2 * partSize)
    }

    @Test func `a lane without a response lets the server be asked`() throws {
        var machine = try machine()
        let (claim, _) = try claim(&machine)
        _ = next(&machine)
        #expect(machine.receive(nil, isSent: false, of: claim) == .interrupted)
        #expect(machine.claim() == nil && !machine.awaitsLanes)
        _ = try receive(&machine, 200, ["ETag": tag])
        #expect(next(&machine).step == .query)
        #expect(try receive(&machine, 200, [:], list([1, 2])) == .next(after: 0))
        #expect(next(&machine).range?.lowerBound == 2 * partSize)
    }

    @Test func `a lane that is interrupted while the list is asked for lets it be asked for again`() throws {
        var machine = try machine()
        let (claim, _) = try claim(&machine)
        _ = next(&machine)
        machine.interrupt()
        #expect(next(&machine).step == .query)
        #expect(machine.receive(nil, isSent: true, of: claim) == .interrupted)
        #expect(try receive(&machine, 200, [:], list([])) == .next(after: 0))
        #expect(next(&machine).step == .query)
        #expect(try receive(&machine, 200, [:], list([1])) == .next(after: 0))
        #expect(next(&machine).range?.lowerBound == partSize)
    }

    @Test(arguments: [400, 403, 503])
    func `a part that the server rejected is left to the main request`(status: Int) throws {
        var machine = try machine()
        let (claim, _) = try claim(&machine)
        #expect(machine.receive(response(status), isSent: true, of: claim) == .rejected(status: status))
        // A lane would only send it again at once.
        #expect(try self.claim(&machine).0.index == 1)
        #expect(next(&machine).range?.lowerBound == 0)
    }

    @Test func `a part with another ETag is sent again`() throws {
        var machine = try machine()
        let (claim, _) = try claim(&machine)
        let other = response(200, ["ETag": "1" + tag.dropFirst()])
        #expect(machine.receive(other, isSent: true, of: claim) == .rejected(status: 200))
        #expect(next(&machine).step == .query)
        #expect(try receive(&machine, 200, [:], list([])) == .next(after: 0))
        #expect(next(&machine).range?.lowerBound == 0)
    }

    @Test func `a response before the end of the part is no acknowledgment`() throws {
        var machine = try machine()
        let (claim, _) = try claim(&machine)
        let end = machine.receive(response(200, ["ETag": tag]), isSent: false, of: claim)
        #expect(end == .rejected(status: 200) && machine.acknowledged == 0)
    }

    @Test func `a lost upload restarts once, and forgets the parts of lanes`() throws {
        var machine = try machine()
        let claims = try [claim(&machine).0, claim(&machine).0]
        _ = next(&machine)
        #expect(machine.receive(response(404), isSent: true, of: claims[0]) == .rejected(status: 404))
        #expect(try receive(&machine, 404) == .next(after: 0))
        #expect(machine.takeEvents() == [.restarted(.expired)])
        #expect(machine.receive(response(404), isSent: true, of: claims[1]) == .unneeded)
        #expect(machine.receive(response(200, ["ETag": tag]), isSent: true, of: claims[1]) == .unneeded)
        try create(&machine)
        #expect(machine.takeEvents().isEmpty && machine.acknowledged == 0)
        #expect(machine.receive(response(200, ["ETag": tag]), isSent: true, of: claims[0]) == .unneeded)
        #expect(machine.exchange(of: claims[0]) == nil)
        #expect(next(&machine).range?.lowerBound == 0)
    }

    @Test func `listed parts are verified before they are claimed for sending`() throws {
        var machine = try machine()
        machine.interrupt()
        _ = next(&machine)
        _ = try receive(&machine, 200, [:], list([1, 2, 4]))
        let claimed = machine.claim()
        let claim = try #require(claimed)
        machine.record(digest: Array(repeating: 0, count: 16), of: claim)
        #expect(machine.exchange(of: claim) == nil)
        machine.release(claim)
        #expect(next(&machine).range?.lowerBound == 2 * partSize)
        #expect(machine.acknowledged == 2 * partSize)
    }

    @Test func `the number of requests follows failures and successes`() {
        var schedule = UploadLaneSchedule(width: 4)
        schedule.record(.interrupted)
        #expect(schedule.width == 3)
        schedule.record(.acknowledged)
        schedule.record(.acknowledged)
        #expect(schedule.width == 4)
        schedule.record(.rejected(status: 503))
        schedule.record(.acknowledged)
        #expect(schedule.width == 3)
        schedule.record(.rejected(status: 403))
        #expect(schedule.width == 2)
        for _ in 0..<9 { schedule.record(.rejected(status: 429)) }
        schedule.record(.acknowledged)
        #expect(schedule.width == 1)
    }
}
