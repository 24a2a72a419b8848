import AFHTTP

@testable import AFExpressions
@testable import AFHurl

/// An environment with constant values.
struct FixedEnvironment: HurlEnvironment {
    let now = HurlDate(secondsSince1970: 1_781_524_800, nanoseconds: 123_456_000)  // 2026-06-15T12:00:00Z

    func newUUID() -> String { "8f2a3c5e-0000-4000-8000-000000000001" }

    func digest(_ digest: HurlDigest, of bytes: [UInt8]) -> [UInt8] {
        [digest == .sha256 ? 2 : 5, UInt8(truncatingIfNeeded: bytes.count)]
    }

    func randomInteger(in range: Range<Int64>) -> Int64 { range.upperBound - 1 }
    func environmentVariable(_ name: String) -> String? { name == "HOME" ? "/home/ada" : nil }
    func localOffset(at date: HurlDate) -> Int { 7200 }

    func contents(ofFile path: String) throws(HurlFileError) -> [UInt8] {
        switch path {
        case "data.bin": return [1, 2, 3]
        case "template.txt": return Array("Dear {{name}},\n".utf8)
        case "latin.txt": return [0xE9]
        case "open.txt": return Array("a\n{{name".utf8)
        case ".env": return Array("# comment\nTOKEN=\"a b\"\nexport MODE = x\n".utf8)
        case "../secret": throw .unauthorized
        default: throw .unreadable
        }
    }

    func evaluate(xPath expression: String, in document: String, isHTML: Bool) throws(HurlXPathError) -> HurlValue? {
        switch expression {
        case "count(//a)": return .number(.float(2))
        case "//a": return .nodeSet(2)
        case "//b": return .nodeSet(0)
        case "name()": return .string(isHTML ? "html" : "xml")
        case "none": return nil
        case "library": throw .unavailable("XPath needs libxml2")
        default: throw document.isEmpty ? .invalidDocument : .invalidExpression
        }
    }
}

typealias Evaluator = HurlEvaluator<FixedEnvironment>

extension HurlEvaluator<FixedEnvironment> {
    static var fixed: Evaluator {
        var variables = HurlVariables()
        variables["name"] = .string("Ada \"L.\"")
        variables["count"] = .number(.integer(3))
        variables["rate"] = .number(.float(2))
        variables["flag"] = .boolean(true)
        variables["nothing"] = .null
        variables["list"] = .list([.string("a"), .number(.integer(1))])
        variables["data"] = .bytes([0xC3, 0xA9])
        variables["day"] = .date(HurlDate(secondsSince1970: 0))
        variables["html"] = .string("a &lt; b &amp;&#x41;&#66;&eacute;&notit; &#128; &nosuch; &")
        variables["latin"] = .bytes([0xE9, 0x80])
        return Evaluator(FixedEnvironment(), variables: variables)
    }

    /// Returns the message of an assert's failure, without the lines of the file; `nil` if it holds.
    func failure(of line: String, in response: HurlResponseValues) throws -> HurlEvaluationError? {
        let file = try HurlFile(parsing: "GET http://localhost\nHTTP 200\n[Asserts]\n\(line)\n")
        guard let assert = file.entries.first?.response?.asserts.first else { throw MissingAssert() }
        do throws(HurlEvaluationError) {
            try check(assert, in: HurlResponse.Values(response))
            return nil
        } catch {
            return error
        }
    }

    private struct MissingAssert: Error {}
}

extension HurlResponseValues {
    /// A response with JSON.
    static var json: HurlResponseValues {
        let body = """
            {"id": 12, "price": 1.50, "big": 12345678901234567890, "name": "Ada", "tags": ["a", "b", "c"], "empty": [],
             "none": null, "ok": true, "date": "2026-01-31T08:05:09.5Z", "nested": {"b": 1, "a": [1.0, 2]},
             "address": "127.0.0.1", "uuid": "8F2A3C5E-0000-4000-8000-000000000001", "text": "{\\"a\\": [1]}"}
            """
        var response = HurlResponseValues(
            status: 200,
            headers: HTTPHeaders(repeating: [
                HTTPHeader(name: "Content-Type", value: "application/json; charset=utf-8"),
                HTTPHeader(name: "X-Id", value: "abc-123"),
                HTTPHeader(name: "Location", value: "http://a/?q=x%20y&q=z&e"),
                HTTPHeader(
                    name: "Set-Cookie",
                    value: "s=1; Path=/; Max-Age=60; Secure; Expires=Wed, 13 Jan 2027 22:23:01 GMT"),
                HTTPHeader(name: "Set-Cookie", value: "t=a=b; HttpOnly; SameSite=Lax; Domain=.example.org"),
            ]), url: "http://localhost/a?x=1+2&y=%C3%A9#f", body: Array(body.utf8), rawBody: [31, 139])
        response.redirects = ["http://localhost/b"]
        response.address = "::1"
        response.milliseconds = 42
        response.certificate = [
            .subject: .string("CN = localhost"), .expireDate: .date(HurlDate(secondsSince1970: 1_797_076_800)),
        ]
        return response
    }
}
