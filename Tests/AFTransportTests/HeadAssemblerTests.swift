import AFHTTP
import FoundationEssentials
import Testing

@testable import AFTransport

struct HeadAssemblerTests {
    /// Returns the headers assembled from lines.
    private func heads(_ text: String, limits: TransferLimits = TransferLimits()) throws -> [HTTPURLResponse] {
        var assembler = HeadAssembler(url: "http://a/", limits: limits)
        return try lines(text).compactMap { line in
            guard case .head(let response) = try line.withUnsafeBytes({ try assembler.add($0) }) else { return nil }
            return response
        }
    }

    private func lines(_ text: String) -> [[UInt8]] {
        text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast().map { Array($0) + [0x0A] }
    }

    @Test func `consecutive heads are separated and keep their raw bytes`() throws {
        let first = "HTTP/1.1 100 Continue\r\n\r\n"
        let second = "HTTP/1.1 200 OK\r\nA: b\r\n\r\n"
        let heads = try heads(first + second)
        #expect(heads.map(\.statusCode) == [100, 200])
        #expect(heads.map(\.rawHead) == [Array(first.utf8), Array(second.utf8)])
        #expect(heads.last?.url?.absoluteString == "http://a/")
    }

    @Test(arguments: [
        ("A: b", "A", "b"), ("A:b", "A", "b"), ("A:  b \t", "A", "b"), ("A:", "A", ""), ("A : b", "A", "b"),
        ("A: b:c", "A", "b:c"), ("A: \u{e4}", "A", "\u{e4}"),
    ])
    func `a field is split into a trimmed name and value`(line: String, name: String, value: String) throws {
        let head = try heads("HTTP/1.1 200 OK\r\n\(line)\r\n\r\n").first
        #expect(head?.headers.map(\.name) == [name])
        #expect(head?.headers.map(\.value) == [value])
    }

    @Test(arguments: ["no colon", ": nameless"])
    func `an invalid field line is preserved only in the raw bytes`(line: String) throws {
        let head = try heads("HTTP/1.1 200 OK\r\n\(line)\r\nA: b\r\n\r\n").first
        #expect(head?.headers.map(\.description) == ["A: b"])
        #expect(head.map { String(decoding: $0.rawHead, as: UTF8.self).contains(line) } == true)
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK", "HTTP/1.1", 200, "OK"), ("HTTP/2 204 ", "HTTP/2", 204, ""),
        ("HTTP/1.0 599", "HTTP/1.0", 599, ""),
        ("HTTP/1.1 404 Not  Found", "HTTP/1.1", 404, "Not  Found"),
    ])
    func `a status line has a version, a code and a reason`(line: String, version: String, code: Int, words: String)
        throws
    {
        let head = try heads("\(line)\r\n\r\n").first
        #expect(head?.httpVersion == version)
        #expect(head?.statusCode == code)
        #expect(head?.reasonPhrase == words)
    }

    @Test(arguments: [
        "HTTP/1.1", "HTTP/1.1 ", "HTTP/1.1 2x0 OK", "HTTP/1.1 +20 OK", "HTTP/ 200 OK", "HTTP/1.1  200 OK",
        "HTTP/1.1 0200 OK",
    ])
    func `a status line without a code of three digits is malformed`(line: String) {
        #expect(throws: TransferFailure.self) { try heads("\(line)\r\n\r\n") }
    }

    @Test(arguments: [
        "Transfer-Encoding : chunked", "Transfer-Encoding:\r\n chunked", "Content-Length : 5", "Content-Length:\r\n 5",
        "Content-Length\t: 5", "Content-Length:,5", "Content-Length: 5,", "Content-Length: 5,,5", "Content-Length:",
        "Transfer-Encoding: gzip, chunked", "Transfer-Encoding: gzip", "Transfer-Encoding: br",
        "Transfer-Encoding: chunked, chunked", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: compress", "Transfer-Encoding: chunked\r\n , gzip", "transfer-encoding: x-gzip",
    ])
    func `an ambiguous or unrequested framing is malformed`(fields: String) {
        let failure = #expect(throws: TransferFailure.self) { try heads("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n") }
        #expect(failure?.kind == .malformedResponse)
    }

    @Test(arguments: [("gzip, chunked", true), ("gzip", true), ("br, chunked", false), ("chunked, gzip", false)])
    func `a transfer coding that was requested is accepted`(value: String, isAccepted: Bool) throws {
        var assembler = HeadAssembler(url: "http://a/", limits: TransferLimits(), requestsTransferCoding: true)
        let lines = lines("HTTP/1.1 200 OK\r\nTransfer-Encoding: \(value)\r\n\r\n")
        let isComplete = (try? lines.map { line in try line.withUnsafeBytes { _ = try assembler.add($0) } }) != nil
        #expect(isComplete == isAccepted)
    }

    @Test(arguments: [
        "Transfer-Encoding: chunked", "Transfer-Encoding: Chunked ", "Transfer-Encoding: identity",
        "Transfer-Encoding: identity, chunked", "Content-Length: 5\r\nX : y", "X:\r\n folded",
        "Transfer-Encoding: chunked\r\n ", "Transfer-Encoding: , chunked,", "Content-Length: 5 ,5",
        "Content-Encoding:\r\n gzip",
    ])
    func `an unambiguous framing is accepted`(fields: String) throws {
        #expect(try heads("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n").count == 1)
    }

    @Test(arguments: [("identity", 5), ("", 5), ("chunked", nil)] as [(String, Int64?)])
    func `the length counts unless the body is chunked`(coding: String, length: Int64?) throws {
        let head = try heads("HTTP/1.1 200 OK\r\nTransfer-Encoding: \(coding)\r\nContent-Length: 5\r\n\r\n").first
        #expect(head?.announcedLength == length)
    }

    @Test func `the accepted lines of an incomplete header are known`() throws {
        var assembler = HeadAssembler(url: "http://h/", limits: TransferLimits())
        func add(_ line: String) throws { _ = try Array(line.utf8).withUnsafeBytes { try assembler.add($0) } }
        #expect(assembler.incompleteHead == nil)
        try add("HTTP/1.1 302 Found\r\n")
        #expect(assembler.incompleteHead?.statusCode == 302 && assembler.incompleteHead?.headers.isEmpty == true)
        try add("A: b\r\n")
        #expect(throws: TransferFailure.self) { try add("Content-Length: -5\r\n") }
        #expect(assembler.incompleteHead?.headers.map(\.name) == ["A"])
        try add("\r\n")
        #expect(assembler.incompleteHead == nil)
    }

    @Test func `the limits apply to each head separately`() throws {
        var limits = TransferLimits()
        limits.headBytes = 40
        limits.headLines = 1
        let head = "HTTP/1.1 200 OK\r\nA: b\r\n\r\n"
        #expect(try heads(head + head + head, limits: limits).count == 3)
    }
}
