import AFHTTP
import Testing

@testable import AFUploads

/// The state of a multipart upload, without I/O.
@Suite struct MultipartMachineTests {
    private let partSize: Int64 = 8 << 20
    private let tag = String(repeating: "0", count: 32)

    private func machine(parts: Int64 = 3, url: String = "https://b.example/k") throws -> MultipartMachine {
        try MultipartMachine(length: parts * partSize, url: HTTPURL(parsing: url))
    }

    private func receive(
        _ machine: inout MultipartMachine,
        _ status: Int,
        _ fields: [String: String] = [:],
        _ body: String = ""
    ) throws -> UploadOutcome {
        while machine.undigestedRange != nil { machine.record(digest: Array(repeating: 0, count: 16)) }
        return try machine.receive(
            HTTPURLResponse(url: nil, statusCode: status, headers: HTTPHeaders(fields)), body: Array(body.utf8),
            isSent: true)
    }

    /// Creates the upload at the server.
    private func create(_ machine: inout MultipartMachine) throws {
        #expect(machine.nextExchange().step == .create)
        let result = "<InitiateMultipartUploadResult><UploadId>a/b+c</UploadId></InitiateMultipartUploadResult>"
        #expect(try receive(&machine, 200, [:], result) == .next(after: 0))
    }

    private func list(_ parts: [(Int, Int64, String)]) -> String {
        let entries = parts.map {
            "<Part><PartNumber>\($0.0)</PartNumber><Size>\($0.1)</Size><ETag>\($0.2)</ETag></Part>"
        }
        return "<ListPartsResult>\(entries.joined())</ListPartsResult>"
    }

    @Test(arguments: [(0, 8), (1, 8), (80_000, 8), (80_001, 9), (1 << 20, 105), (50_000 << 10, 5120)])
    func `a file has at most 10,000 parts`(mebibytes: Int64, partSize: Int64) {
        let state = MultipartState(length: mebibytes << 20)
        #expect(state.partSize == partSize << 20 && state.isPossible(mebibytes << 20))
    }

    @Test func `a file beyond the limits is an error`() throws {
        let url = try HTTPURL(parsing: "https://b.example/k")
        let failure = #expect(throws: UploadFailure.self) { try MultipartMachine(length: 60_000 << 30, url: url) }
        #expect(failure?.reason == .tooLarge)
    }

    @Test(arguments: [("CRC32", "cbf43926"), ("CRC32C", "e3069283")])
    func `a cyclic redundancy check has the known value`(name: String, value: String) throws {
        var check = try #require(CyclicRedundancyCheck(name))
        Array("1234".utf8).withUnsafeBytes { check.update($0) }
        Array("56789".utf8).withUnsafeBytes { check.update($0) }
        #expect(check.finish().hexadecimal == value)
    }

    @Test(arguments: PartChecksum.allCases) func `each part has the checksum that is asked for`(
        checksum: PartChecksum
    ) throws {
        var machine = try MultipartMachine(
            length: 2 * partSize, url: HTTPURL(parsing: "https://b.example/k"), checksum: checksum)
        try create(&machine)
        for number in 1...2 {
            #expect(machine.digestAlgorithm == "MD5")
            machine.record(digest: Array(repeating: 0, count: 16))
            #expect(machine.digestAlgorithm == checksum.algorithm)
            machine.record(digest: [UInt8(number)])
            #expect(machine.undigestedRange == nil)
            let part = machine.nextExchange()
            let value = number == 1 ? "AQ==" : "Ag=="
            #expect(
                part.headers.first == HTTPHeader(name: "x-amz-checksum-\(checksum.rawValue.lowercased())", value: value)
            )
            #expect(try receive(&machine, 200, ["ETag": tag]) == .next(after: 0))
        }
        let document = String(decoding: try #require(machine.nextExchange().content), as: UTF8.self)
        #expect(document.contains("</ETag><\(checksum.element)>AQ==</\(checksum.element)></Part>"))
    }

    @Test func `the identifier is encoded`() throws {
        var machine = try machine(url: "https://b.example/k?x=y")
        try create(&machine)
        let part = machine.nextExchange()
        #expect(part.resource?.text == "https://b.example/k?x=y&uploadId=a%2Fb%2Bc&partNumber=1")
        #expect(part.method == .put && part.range == 0..<partSize)
    }

    @Test(arguments: ["http", "https"]) func `parts have their digest, and are signed where TLS does not protect them`(
        scheme: String
    ) throws {
        var machine = try machine(url: "\(scheme)://b.example/k")
        try create(&machine)
        machine.record(digest: Array(repeating: 0, count: 16))
        let fields = machine.nextExchange().headers
        #expect(fields.first?.name == "Content-MD5" && fields.first?.value == "AAAAAAAAAAAAAAAAAAAAAA==")
        #expect(fields.dropFirst().map(\.value) == (scheme == "https" ? ["UNSIGNED-PAYLOAD"] : []))
    }

    @Test func `parts without a known digest are signed`() throws {
        var machine = try machine()
        try create(&machine)
        machine.record(digest: nil)
        #expect(machine.nextExchange().headers.isEmpty)
    }

    @Test func `a listed part counts only with its size and digest`() throws {
        let lists: [([(Int, Int64, String)], Int64)] = [
            ([(1, partSize, tag)], partSize), ([(1, partSize + 1, tag)], 0),
            ([(1, partSize, "1" + tag.dropFirst())], 0),
            ([(1, partSize, tag), (1, partSize, tag)], 0), ([(0, partSize, tag), (4, partSize, tag)], 0),
            ([(1, partSize, "not-a-digest")], partSize),
        ]
        for (parts, expected) in lists {
            var machine = try machine()
            try create(&machine)
            machine.interrupt()
            #expect(machine.nextExchange().step == .query)
            #expect(try receive(&machine, 200, [:], list(parts)) == .next(after: 0))
            while machine.undigestedRange != nil { machine.record(digest: Array(repeating: 0, count: 16)) }
            #expect(machine.nextExchange().range?.lowerBound == expected, "\(parts)")
        }
    }

    @Test func `losses and rejections end`() throws {
        for status in [404, 200] {
            var machine = try machine()
            let failure = #expect(throws: UploadFailure.self) {
                for _ in 0..<100 {
                    while machine.undigestedRange != nil { machine.record(digest: Array(repeating: 0, count: 16)) }
                    switch machine.nextExchange().step {
                    case .create:
                        let id = "<UploadId>1</UploadId>"
                        _ = try receive(
                            &machine, 200, [:], "<InitiateMultipartUploadResult>\(id)</InitiateMultipartUploadResult>")
                    case .query: _ = try receive(&machine, status, [:], list([]))
                    default: _ = try receive(&machine, status, ["ETag": "1" + tag.dropFirst()])
                    }
                }
            }
            #expect(failure?.reason == (status == 404 ? .expired : .otherParts))
        }
    }

    @Test(arguments: [(401, false), (403, false), (429, false), (500, false), (302, false), (404, true), (412, true)])
    func `a lost completion restarts only without its object`(status: Int, isRestarted: Bool) throws {
        var machine = try machine(parts: 1)
        try create(&machine)
        while machine.undigestedRange != nil { machine.record(digest: Array(repeating: 0, count: 16)) }
        #expect(machine.nextExchange().step == .append)
        #expect(try receive(&machine, 200, ["ETag": tag]) == .next(after: 0))
        #expect(machine.nextExchange().step == .complete)
        machine.interrupt()
        #expect(machine.nextExchange().step == .query)
        #expect(try receive(&machine, 404) == .next(after: 0))
        #expect(machine.nextExchange().step == .check)
        let response = HTTPURLResponse(url: nil, statusCode: status, headers: HTTPHeaders())
        #expect(machine.continues(after: response, isSent: true) == isRestarted)
        #expect(try receive(&machine, status) == (isRestarted ? .next(after: 0) : .response))
        #expect(machine.nextExchange().step == (isRestarted ? .create : .check))
    }

    @Test func `an upload of another object is not resumed`() throws {
        let url = try HTTPURL(parsing: "https://b.example/k")
        for text in ["https://b.example/other?uploadId=1", "https://b.example/k", "https://b.example/k?x&uploadId=1"] {
            let resource = try HTTPURL(parsing: text)
            #expect(throws: UploadFailure(.invalidResumeData)) {
                try MultipartMachine(length: 5, url: url, MultipartState(length: 5), at: resource)
            }
        }
    }
}
