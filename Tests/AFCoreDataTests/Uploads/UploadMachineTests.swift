import AFHTTP
import Testing

@testable import AFUploads

/// The state of an upload, without I/O.
@Suite struct UploadMachineTests {
    private func machine(_ dialect: UploadProtocol, trusts: Bool = false) throws -> UploadMachine {
        let url = try HTTPURL(parsing: "https://example.org/files")
        return UploadMachine(
            dialect, length: 100, fileName: "f", UploadMachine.ResourceRules(url: url, trustsOtherOrigins: trusts))
    }

    private func response(_ status: Int, _ fields: [String: String] = [:]) -> HTTPURLResponse {
        HTTPURLResponse(url: nil, statusCode: status, headers: HTTPHeaders(fields))
    }

    @Test func `the offset is asked for after each interruption`() throws {
        var machine = try machine(.draft)
        #expect(machine.nextExchange().range == 0..<100)
        let isNew = machine.receiveInterim(response(104, ["Location": "/u/1"]))
        #expect(isNew)
        machine.interrupt()
        let query = machine.nextExchange()
        #expect(query.method == .head && query.resource?.text == "https://example.org/u/1" && query.range == nil)
        let outcome = try machine.receive(
            response(204, ["Upload-Offset": "40", "Upload-Complete": "?0"]), body: nil, isSent: true)
        #expect(outcome == .next(after: 0))
        let rest = machine.nextExchange()
        #expect(rest.method == .patch && rest.range == 40..<100)
        machine.interrupt()
        #expect(machine.nextExchange().step == .query)
    }

    @Test func `rejections without progress end`() throws {
        var machine = try machine(.draft)
        _ = machine.nextExchange()
        _ = machine.receiveInterim(response(104, ["Location": "/u/1"]))
        machine.interrupt()
        let failure = #expect(throws: UploadFailure.self) {
            for _ in 0..<100 {
                let isQuery = machine.nextExchange().step == .query
                let answer = isQuery ? response(204, ["Upload-Offset": "40"]) : response(409)
                _ = try machine.receive(answer, body: nil, isSent: true)
            }
        }
        #expect(failure?.reason == .noProgress)
    }

    @Test func `offsets that go back and forth are no progress`() throws {
        var machine = try machine(.tus)
        _ = machine.nextExchange()
        _ = try machine.receive(response(201, ["Location": "/u/1"]), isSent: true)
        var queries = 0
        let failure = #expect(throws: UploadFailure.self) {
            for _ in 0..<100 {
                let isQuery = machine.nextExchange().step == .query
                queries += isQuery ? 1 : 0
                let answer = isQuery ? response(200, ["Upload-Offset": "\(queries % 2 * 40)"]) : response(409)
                _ = try machine.receive(answer, isSent: true)
            }
        }
        #expect(failure?.reason == .noProgress)
    }

    @Test(arguments: ["http://example.org/u", "https://example.com/u", "//example.org:444/u", "file:///u"])
    func `a resource at another origin is not used`(location: String) throws {
        var draft = try machine(.draft)
        _ = draft.nextExchange()
        let isUsed = draft.receiveInterim(response(104, ["Location": location]))
        #expect(!isUsed)
        var tus = try machine(.tus)
        _ = tus.nextExchange()
        #expect(throws: UploadFailure.self) {
            try tus.receive(response(201, ["Location": location]), body: nil, isSent: true)
        }
    }

    @Test func `an early success is none`() throws {
        var machine = try machine(.draft)
        _ = machine.nextExchange()
        #expect(throws: UploadFailure.self) { try machine.receive(response(200), body: nil, isSent: false) }
        let outcome = try machine.receive(response(200), body: nil, isSent: true)
        #expect(outcome == .complete)
    }
}
