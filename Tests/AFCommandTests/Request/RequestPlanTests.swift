import AFCore
import AFHTTP
import Testing

@testable import AFCommand

@Suite struct RequestPlanTests {
    @Test func `a plain request has the defaults of a client in their order`() throws {
        let plan = try PlannedRequest("example.org")
        #expect(plan.method == .get)
        #expect(plan.url == "http://example.org/")
        #expect(
            plan.headerLines == [
                "Accept-Encoding: \(DecodableCoding.acceptEncoding)", "Accept: */*", "Connection: keep-alive",
                "User-Agent: afcli/\(AFInfo.version)",
            ])
        #expect(plan.removedHeaders.isEmpty)
        #expect(plan.login == nil)
    }

    @Test func `a JSON request has Content-Type after User-Agent, and typed fields last`() throws {
        let plan = try PlannedRequest("h.example", "X-A:1", "a=b", "User-Agent:me", "X-a:2")
        #expect(
            plan.headerLines == [
                "Accept-Encoding: \(DecodableCoding.acceptEncoding)", "Connection: keep-alive", "User-Agent: me",
                "Accept: application/json, */*;q=0.5",
                "Content-Type: application/json", "X-A: 1", "X-a: 2",
            ])
    }

    @Test func `options and items change header fields in their typed order`() throws {
        #expect(try PlannedRequest("h.example", "A:1", "-H", "A:", "A:2").headerLines.suffix(1) == ["A: 2"])
        #expect(try PlannedRequest("-H", "A: 1", "h.example", "A:").headerLines.allSatisfy { !$0.hasPrefix("A:") })
        let later = try PlannedRequest("h.example", "Accept:", "-H", "Accept: x/y")
        #expect(later.headerLines.contains("Accept: x/y"))
    }

    @Test func `headers come from options, items and files and may be removed`() throws {
        let plan = try PlannedRequest(
            "-H", "A: 1", "h.example", "B:@f", "C;", "Accept:", "Host:", "D: x ", "--range=0-9", files: ["f": "v\r\n\n"]
        )
        #expect(
            plan.headerLines == [
                "Accept-Encoding: identity", "Connection: keep-alive", "User-Agent: afcli/\(AFInfo.version)", "A: 1",
                "Range: bytes=0-9",
                "B: v",
                "C: ", "D: x",
            ])
        #expect(plan.removedHeaders == ["Accept", "Host"])
    }

    @Test(arguments: ["A B:x", "Ä:x", ":x", "A:x\ny", "A:x\u{0}y", "A:@f"])
    func `an invalid header field is an error that names the item`(item: String) {
        let error = #expect(throws: UsageError.self) { try PlannedRequest("h.example", item, files: ["f": "a\nb\n"]) }
        #expect(error?.argument == item)
    }

    @Test func `a header value may contain UTF-8 and tabs`() throws {
        #expect(try PlannedRequest("h.example", "A:ü\ty").headers["A"] == "ü\ty")
    }

    @Test func `query items are form-encoded after the URL's query`() throws {
        let plan = try PlannedRequest("h.example/?a=b c", "x==1&2", "é== ", "x==@f", files: ["f": "z\n"])
        #expect(plan.url == "http://h.example/?a=b%20c&x=1%262&%C3%A9=+&x=z")
    }

    @Test func `a missing body of a method that usually has one sends Content-Length 0`() throws {
        for method in ["post", "put", "patch", "delete"] {
            #expect(try PlannedRequest(method, "h").headers["Content-Length"] == "0")
        }
        for method in ["get", "head", "options"] {
            #expect(try PlannedRequest(method, "h").headers["Content-Length"] == nil)
        }
        #expect(try PlannedRequest("options", "h", "Content-Length:xxx").headers["Content-Length"] == "xxx")
    }

    @Test func `the length of a body cannot be removed`() throws {
        let removed = try PlannedRequest("h.example", "--raw=foo", "Content-Length:")
        #expect(removed.removedHeaders.isEmpty)
    }

    @Test func `a download requests the identity coding`() throws {
        for options in [["-d"], ["-o", "f"], ["-d", "-o", "-"]] {
            let plan = try PlannedRequest(Invocation(parsing: options + ["h"]))
            #expect(plan.headers["Accept-Encoding"] == "identity")
        }
        #expect(try PlannedRequest("-o", "-", "h").headers["Accept-Encoding"] != "identity")
        #expect(try PlannedRequest("-d", "h.example", "Accept-Encoding:br").headers["Accept-Encoding"] == "br")
    }

    @Test func `the default scheme is an option`() throws {
        #expect(try PlannedRequest("--https", "h").url == "https://h/")
        #expect(try PlannedRequest("--default-scheme=https", "h").url == "https://h/")
        #expect(try PlannedRequest("--path-as-is", "h/a/../b").url == "http://h/a/../b")
    }

    @Test func `a host parsed as the method has a hint`() {
        let error = #expect(throws: UsageError.self) { try PlannedRequest("localhost", "a=b") }
        #expect(error?.message == "a=b: invalid host 'a=b'")
        #expect(error?.hint == "'localhost' was taken for the method; if it is the host, write localhost/")
        let plain = #expect(throws: UsageError.self) { try PlannedRequest("get", "a=b") }
        #expect(plain?.hint?.contains("method;") == false)
    }

    @Test func `an invalid URL is reported before a body is read`() {
        let error = #expect(throws: UsageError.self) { try PlannedRequest("ftp://h", "a=@missing") }
        #expect(error?.argument == "ftp://h")
    }

    @Test func `a warning names overridden credentials, but does not print them`() throws {
        func warnings(_ words: String...) throws -> [String] {
            try PlannedRequest(Invocation(parsing: words)).warnings
        }
        let header = "Authorization: Bearer t0p"
        let sentence = "the Authorization header is not sent: the credentials of"
        #expect(try warnings("h.example", "-H", header, "-a", "ada:x") == ["\(sentence) --auth are sent"])
        #expect(try warnings("h.example", "Authorization:", "-a", "ada:x") == ["\(sentence) --auth are sent"])
        #expect(try warnings("h.example", "-H", header, "-A", "negotiate") == ["\(sentence) --auth-type are sent"])
        #expect(try warnings("http://ada:x@h.example", "-H", header) == ["\(sentence) the URL are sent"])
        #expect(try warnings("h.example", "-H", header).isEmpty)
        #expect(try warnings("h.example", "-a", "ada:x").isEmpty)
    }
}
