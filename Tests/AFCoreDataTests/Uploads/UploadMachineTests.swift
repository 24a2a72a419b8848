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

    /// Responds to OPTIONS with the fields of a tus server.
    private func discover(_ machine: inout UploadMachine, _ fields: [String: String], status: Int = 204) throws {
        #expect(machine.nextExchange().method == .options)
        let all = fields.merging(["Tus-Version": "1.0.0"]) { $1 }
        let outcome = try machine.receive(response(status, all), body: nil, isSent: true)
        #expect(outcome == .next(after: 0))
        #expect(machine.nextExchange().method == .post)
    }

    @Test func `a small upload is created with its bytes if the server of tus can do that`() throws {
        var machine = try machine(.tus)
        try discover(&machine, ["Tus-Extension": "creation, creation-with-upload"])
        let creation = machine.nextExchange()
        #expect(creation.range == 0..<100)
        #expect(creation.headers.contains { $0.value == "application/offset+octet-stream" })
        let outcome = try machine.receive(
            response(201, ["Location": "/u/1", "Upload-Offset": "100"]), body: nil, isSent: true)
        #expect(outcome == .complete)
    }

    @Test(arguments: [["Location": "/u/1"], ["Location": "/u/1", "Upload-Offset": "40"]])
    func `the offset is asked for if not all bytes were confirmed with the creation`(fields: [String: String]) throws {
        var machine = try machine(.tus)
        try discover(&machine, ["Tus-Extension": "creation-with-upload"])
        let outcome = try machine.receive(response(201, fields), body: nil, isSent: true)
        #expect(outcome == .next(after: 0))
        #expect(machine.nextExchange().method == .head)
    }

    @Test(arguments: [["Tus-Extension": "creation"], ["Tus-Extension": "creation-with-upload-x"], [:]])
    func `an upload is created empty by other servers`(fields: [String: String]) throws {
        var machine = try machine(.tus)
        try discover(&machine, fields)
        #expect(machine.nextExchange().range == 0..<0)
    }

    @Test(arguments: [404, 405, 500])
    func `a server that does not answer OPTIONS is asked to create`(status: Int) throws {
        var machine = try machine(.tus)
        try discover(&machine, ["Tus-Extension": "creation-with-upload"], status: status)
        #expect(machine.nextExchange().range == 0..<0)
    }

    @Test func `chunks with a checksum are limited, and the offset after each is the server's`() throws {
        let url = try HTTPURL(parsing: "https://example.org/files")
        let (length, chunk): (Int64, Int64) = (40 << 20, 16 << 20)
        var machine = UploadMachine(
            .tus, length: length, fileName: "f", UploadMachine.ResourceRules(url: url, trustsOtherOrigins: false))
        machine.verify(UploadDigest(algorithm: "SHA2-256", bytes: Array(repeating: 0, count: 32)))
        try discover(&machine, ["Tus-Extension": "checksum", "Tus-Checksum-Algorithm": "sha1"])
        _ = try machine.receive(response(201, ["Location": "/u/1"]), body: nil, isSent: true)
        #expect(machine.nextExchange().method == .head)
        _ = try machine.receive(response(200, ["Upload-Offset": "0"]), body: nil, isSent: true)
        for range in [0..<chunk, chunk..<2 * chunk, 2 * chunk..<length] {
            #expect(machine.undigestedRange == range && machine.digestAlgorithm == "SHA1")
            machine.record(digest: [1, 2, 3])
            #expect(machine.undigestedRange == nil)
            let exchange = machine.nextExchange()
            #expect(exchange.range == range)
            #expect(exchange.headers.contains { $0.name == "Upload-Checksum" && $0.value == "sha1 AQID" })
            let isLast = range.upperBound == length
            // More than was sent is no proof.
            if !isLast {
                var other = machine
                _ = try other.receive(response(204, ["Upload-Offset": "\(length)"]), body: nil, isSent: true)
                #expect(other.nextExchange().method == .head)
            }
            let outcome = try machine.receive(
                response(204, ["Upload-Offset": "\(range.upperBound)"]), body: nil, isSent: true)
            #expect(outcome == (isLast ? .complete : .next(after: 0)))
        }
    }

    @Test func `a file above the maximum size of the server is not sent`() throws {
        var machine = try machine(.tus)
        _ = machine.nextExchange()
        let failure = #expect(throws: UploadFailure.self) {
            try machine.receive(
                response(204, ["Tus-Version": "1.0.0", "Tus-Max-Size": "99"]), body: nil, isSent: true)
        }
        #expect(failure?.reason == .overLimit(99))
    }

    @Test(arguments: [UploadProtocol.draft, .tus])
    func `an abandoned upload is removed once`(old: UploadProtocol) throws {
        var machine = try machine(.draft)
        machine.remove(try HTTPURL(parsing: "https://example.org/u/1"), of: old)
        let removal = machine.nextExchange()
        #expect(removal.method == .delete && removal.resource?.text == "https://example.org/u/1")
        #expect(removal.headers.first?.name == (old == .tus ? "Tus-Resumable" : "Upload-Draft-Interop-Version"))
        let outcome = try machine.receive(response(405), body: nil, isSent: true)
        #expect(outcome == .next(after: 0))
        #expect(machine.nextExchange().step == .create)
    }

    @Test func `all uploads of another protocol are removed`() throws {
        var machine = try machine(.draft)
        let resources = try ["https://example.org/o?uploadId=1", "https://example.org/u/2"].map(HTTPURL.init(parsing:))
        machine.remove(resources[0], of: .s3)
        machine.remove(resources[1], of: .tus)
        machine.remove(resources[1], of: .tus)
        #expect(machine.secretResources == [resources[1]])
        for resource in resources {
            let removal = machine.nextExchange()
            #expect(removal.method == .delete && removal.resource == resource)
            #expect(removal.headers.isEmpty == (resource == resources[0]))
            #expect(try machine.receive(response(403), body: nil, isSent: true) == .next(after: 0))
        }
        #expect(machine.nextExchange().step == .create)
    }

    @Test func `a removal without a response is repeated once`() throws {
        var machine = try machine(.draft)
        machine.remove(try HTTPURL(parsing: "https://example.org/u/1"), of: .draft)
        for _ in 0..<2 {
            #expect(machine.nextExchange().step == .abort)
            machine.interrupt()
        }
        #expect(machine.nextExchange().step == .create)
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

    @Test func `a request sends no more bytes than the server permits`() throws {
        var machine = try machine(.draft)
        _ = machine.nextExchange()
        let limit = ["Upload-Limit": "max-size=100, max-append-size=60;x=\"a;b,c\""]
        let isRejected = try machine.receive(response(413, limit), body: nil, isSent: true)
        #expect(isRejected == .next(after: 0))
        let creation = machine.nextExchange()
        #expect(creation.range == 0..<60)
        #expect(creation.headers.contains { $0.name == "Upload-Complete" && $0.value == "?0" })
        let fields = ["Location": "/u/1", "Upload-Offset": "60", "Upload-Complete": "?0"]
        let isCreated = try machine.receive(response(201, fields), body: nil, isSent: true)
        #expect(isCreated == .next(after: 0))
        let rest = machine.nextExchange()
        #expect(rest.method == .patch && rest.range == 60..<100)
        #expect(rest.headers.contains { $0.name == "Upload-Complete" && $0.value == "?1" })
        let outcome = try machine.receive(response(204, ["Upload-Complete": "?1"]), body: nil, isSent: true)
        #expect(outcome == .complete)
    }

    @Test func `a file above the limit of the server is an error`() throws {
        var machine = try machine(.draft)
        _ = machine.nextExchange()
        let failure = #expect(throws: UploadFailure.self) {
            try machine.receive(response(413, ["Upload-Limit": "max-size=99"]), body: nil, isSent: true)
        }
        #expect(failure?.reason == .overLimit(99))
    }

    @Test(arguments: ["max-append-size=0", "max-append-size=-1", "max-append-size=1e1", "max-append-size", "=5", ""])
    func `an invalid limit is ignored`(limit: String) throws {
        var machine = try machine(.draft)
        _ = machine.nextExchange()
        _ = machine.receiveInterim(response(104, ["Location": "/u/1", "Upload-Limit": limit]))
        machine.interrupt()
        _ = machine.nextExchange()
        let offset = response(204, ["Upload-Offset": "40", "Upload-Complete": "?0"])
        _ = try machine.receive(offset, body: nil, isSent: true)
        #expect(machine.nextExchange().range == 40..<100)
    }

    @Test func `a server of tus that rejects the bytes with 403 is asked once whether it has them all`() throws {
        for offset in [100, 40] {
            var machine = try machine(.tus)
            try discover(&machine, ["Tus-Extension": "creation-with-upload"])
            _ = try machine.receive(
                response(201, ["Location": "/u/1", "Upload-Offset": "40"]), body: nil, isSent: true)
            for reported in [40, offset] {
                #expect(machine.nextExchange().step == .query)
                _ = try machine.receive(
                    response(200, ["Upload-Offset": "\(reported)"]), body: nil, isSent: true)
                guard machine.offset < 100 else { break }
                #expect(machine.nextExchange().range == 40..<100)
                let outcome = try machine.receive(response(403), body: nil, isSent: true)
                if outcome == .response { break }
                #expect(outcome == .next(after: 0))
            }
            #expect(machine.offset == Int64(offset))
        }
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
        var machine = try machine(.draft)
        _ = machine.nextExchange()
        _ = machine.receiveInterim(response(104, ["Location": "/u/1"]))
        machine.interrupt()
        var queries = 0
        let failure = #expect(throws: UploadFailure.self) {
            for _ in 0..<100 {
                let isQuery = machine.nextExchange().step == .query
                queries += isQuery ? 1 : 0
                let answer = isQuery ? response(200, ["Upload-Offset": "\(queries % 2 * 40)"]) : response(409)
                _ = try machine.receive(answer, body: nil, isSent: true)
            }
        }
        #expect(failure?.reason == .noProgress)
    }

    @Test(arguments: ["http://example.org/u", "https://example.com/u", "//example.org:444/u", "file:///u"])
    func `a resource at another origin is not used`(location: String) throws {
        var draft = try machine(.draft)
        _ = draft.nextExchange()
        for _ in 0..<2 {
            let isUsed = draft.receiveInterim(response(104, ["Location": location]))
            #expect(!isUsed)
        }
        #expect(draft.takeEvents() == (location == "file:///u" ? [] : [.notResumable(.otherOrigin)]))
        var tus = try machine(.tus)
        try discover(&tus, [:])
        #expect(throws: UploadFailure.self) {
            try tus.receive(response(201, ["Location": location]), body: nil, isSent: true)
        }
    }

    @Test(arguments: [404, 410], [true, false])
    func `an upload that is gone restarts unless the server may have processed it`(status: Int, isSent: Bool) throws {
        for mayRepeat in [true, false] {
            let rules = UploadMachine.ResourceRules(
                url: try HTTPURL(parsing: "https://example.org/files"), trustsOtherOrigins: false)
            var machine = UploadMachine(.draft, length: 100, fileName: "f", rules, mayRepeat: mayRepeat)
            _ = machine.nextExchange()
            _ = machine.receiveInterim(response(104, ["Location": "/u/1"]))
            machine.interrupt(isSent: isSent)
            // An interrupted question changes nothing.
            #expect(machine.nextExchange().step == .query)
            machine.interrupt(isSent: true)
            #expect(machine.nextExchange().step == .query)
            let outcome = Result { try machine.receive(response(status), body: nil, isSent: true) }
            if isSent, !mayRepeat {
                #expect(throws: UploadFailure(.mayBeProcessed)) { try outcome.get() }
                #expect(machine.resource == nil)
            } else {
                #expect(try outcome.get() == .next(after: 0))
                #expect(machine.nextExchange().step == .create)
            }
        }
    }

    @Test(arguments: [500, 502, 504], [true, false])
    func `a response that may be a gateway's does not show that the request was not processed`(
        status: Int,
        isSent: Bool
    ) throws {
        var machine = try machine(.draft)
        _ = machine.nextExchange()
        _ = machine.receiveInterim(response(104, ["Location": "/u/1"]))
        #expect(try machine.receive(response(status), body: nil, isSent: isSent) == .response)
        #expect(machine.nextExchange().step == .query)
        if isSent {
            #expect(throws: UploadFailure(.mayBeProcessed)) {
                try machine.receive(response(404), body: nil, isSent: true)
            }
        } else {
            #expect(try machine.receive(response(404), body: nil, isSent: true) == .next(after: 0))
        }
    }

    @Test func `an upload restarts after the server has reported that it is incomplete`() throws {
        var machine = try machine(.draft)
        machine.resume(.draft, at: try HTTPURL(parsing: "https://example.org/u/1"), acknowledged: 0)
        var unknown = machine
        #expect(unknown.nextExchange().step == .query)
        #expect(throws: UploadFailure(.mayBeProcessed)) {
            try unknown.receive(response(404), body: nil, isSent: true)
        }
        _ = machine.nextExchange()
        _ = try machine.receive(response(204, ["Upload-Offset": "40"]), body: nil, isSent: true)
        #expect(machine.nextExchange().range == 40..<100)
        machine.interrupt(isSent: false)
        _ = machine.nextExchange()
        #expect(try machine.receive(response(404), body: nil, isSent: true) == .next(after: 0))
    }

    @Test func `an upload that has all bytes but is incomplete does not restart`() throws {
        var machine = try machine(.draft)
        _ = machine.nextExchange()
        _ = machine.receiveInterim(response(104, ["Location": "/u/1"]))
        #expect(try machine.receive(response(502), body: nil, isSent: true) == .response)
        #expect(machine.nextExchange().step == .query)
        let answer = response(204, ["Upload-Offset": "100", "Upload-Complete": "?0"])
        _ = try machine.receive(answer, body: nil, isSent: true)
        _ = machine.nextExchange()
        #expect(throws: UploadFailure(.mayBeProcessed)) {
            try machine.receive(response(404), body: nil, isSent: true)
        }
    }

    @Test func `a success before the last byte is an error`() throws {
        var machine = try machine(.draft)
        _ = machine.nextExchange()
        #expect(throws: UploadFailure.self) { try machine.receive(response(200), body: nil, isSent: false) }
        let outcome = try machine.receive(response(200), body: nil, isSent: true)
        #expect(outcome == .complete)
    }
}
