import AFHTTP
import Testing

struct HTTPHeadersTests {
    @Test func `an update replaces the field at its position, including the spelling of the name`() {
        var headers: HTTPHeaders = ["A": "0", "B": "1", "C": "2"]
        headers.update(name: "b", value: "3")
        #expect(headers.description == "A: 0\nb: 3\nC: 2")
        headers.add(name: "D", value: "4")
        headers.add(.accept("5"))
        #expect(headers.map(\.name) == ["A", "b", "C", "D", "Accept"])
    }

    @Test func `an update replaces every repetition`() {
        var headers = HTTPHeaders(repeating: [
            HTTPHeader(name: "A", value: "1"), HTTPHeader(name: "X", value: "x"),
            HTTPHeader(name: "a", value: "2"), HTTPHeader(name: "A", value: "3"),
        ])
        headers.update(name: "A", value: "4")
        #expect(headers.description == "A: 4\nX: x")
    }

    @Test func `append preserves fields of the same name`() {
        var headers: HTTPHeaders = ["Set-Cookie": "a=1"]
        headers.append(name: "set-cookie", value: "b=2")
        #expect(headers.values(for: "SET-COOKIE") == ["a=1", "b=2"])
        #expect(headers.value(for: "set-cookie") == "a=1")
        #expect(headers.dictionary == ["Set-Cookie": "a=1, b=2"])
    }

    @Test func `in literals the last value of a repeated name takes the position of the first`() {
        let dictionary: HTTPHeaders = ["A": "1", "B": "2", "a": "3"]
        #expect(dictionary.description == "a: 3\nB: 2")
        let array: HTTPHeaders = [.accept("1"), .userAgent("2"), .accept("3")]
        #expect(array.description == "Accept: 3\nUser-Agent: 2")
        #expect(HTTPHeaders(["A": "1"]) == ["A": "1"])
    }

    @Test func `the subscript reads, replaces and removes`() {
        var headers = HTTPHeaders(repeating: [HTTPHeader(name: "A", value: "1"), HTTPHeader(name: "a", value: "2")])
        #expect(headers["a"] == "1")
        headers["a"] = "3"
        #expect(headers.description == "a: 3")
        headers["A"] = nil
        #expect(headers.isEmpty)
        headers["B"] = "4"
        headers.remove(name: "b")
        #expect(headers.isEmpty)
    }

    @Test func `sorting goes by lower-cased name and keeps repetitions in order`() {
        var headers = HTTPHeaders(repeating: [
            HTTPHeader(name: "b", value: "1"), HTTPHeader(name: "C", value: "2"), HTTPHeader(name: "B", value: "0"),
            HTTPHeader(name: "A", value: "3"),
        ])
        headers.sort()
        #expect(headers.description == "A: 3\nb: 1\nB: 0\nC: 2")
        #expect(headers.sorted() == headers)
    }

    @Test func `only ASCII letters are compared without regard to case`() {
        let headers: HTTPHeaders = ["Ä": "1"]
        #expect(headers["ä"] == nil)
        #expect(headers["Ä"] == "1")
    }

    @Test func `the values of one name are joined in the dictionary`() {
        let headers = HTTPHeaders(repeating: [HTTPHeader(name: "A", value: "1"), HTTPHeader(name: "A", value: "2")])
        #expect(headers.dictionary == ["A": "1, 2"])
    }

    @Test(arguments: [
        ("a, B ,,c", ["a", "b", "c"]), ("", []), (" , ", []), (#"a="x, y", b"#, [#"a="x, y""#, "b"]),
        (#"a="x, b"#, [#"a="x"#, "b"]),
    ])
    func `the elements of a list are separated by commas outside of complete quotes`(value: String, list: [String]) {
        let headers: HTTPHeaders = ["List": value]
        #expect(headers.listed("list") == list)
    }

    @Test(arguments: [
        ("", -1), ("5", 5), ("007", 7), ("+5", -1), ("-5", -1), ("5, 5", -1), ("9223372036854775808", -1),
    ])
    func `a Content-Length consists of digits`(value: String, length: Int) {
        let response = HTTPURLResponse(url: nil, statusCode: 200, headers: ["Content-Length": value])
        #expect(response.expectedContentLength == Int64(length))
    }

    @Test func `octets of any collection are text`() {
        #expect(String(octets: []) == "")
        #expect(String(octets: repeatElement(UInt8(ascii: "a"), count: 3)) == "aaa")
        #expect(String(octets: [0x61, 0xC3, 0xA9].reversed()).octets == [0xA9, 0xC3, 0x61])
    }

    @Test(arguments: [
        ("", 0), ("HTTP/1.1 200 OK", 0), ("HTTP/1.1 200 OK\r\nA: b", 1),
        ("HTTP/1.1 200 OK\nA: b\r\nC: d\n\nE: f\r\n", 2),
    ])
    func `a header is split at its line feeds`(head: String, count: Int) {
        #expect(HTTPHeaders(parsingHead: Array(head.utf8)).count == count)
    }
}
