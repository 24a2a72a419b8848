import AFHTTP
import Testing

@testable import AFTransport

struct HeaderLinesTests {
    private func lines(
        _ headers: HTTPHeaders,
        method: HTTPMethod = .get,
        body: BodySource? = nil,
        bodyLength: Int64? = nil,
        configure: (inout TransferOptions) -> Void = { _ in }
    ) throws -> HeaderLines {
        var options = TransferOptions()
        configure(&options)
        let url = try HTTPURL(parsing: "http://example.com/")
        let transfer = Transfer(method: method, url: url, headers: headers, body: body, options: options)
        return HeaderLines(transfer, bodyLength: bodyLength)
    }

    private let full: HTTPHeaders = ["Accept": "*/*", "Content-Type": "a/b"]

    @Test func `libcurl adds no field that the request does not have`() throws {
        #expect(try lines([:]).originFields == ["Accept:"])
        #expect(try lines([:], method: .post).originFields == ["Accept:", "Content-Type:"])
        let upload = try lines([:], method: .patch, body: .bytes([1]), bodyLength: 1)
        #expect(upload.originFields == ["Accept:", "Content-Type:", "Expect:"])
        #expect(try lines(full).originFields == ["Accept: */*", "Content-Type: a/b"])
    }

    @Test func `fields keep their order and spelling, and an empty value is sent`() throws {
        let headers: HTTPHeaders = ["X-b": "1", "accept": "c", "x-C": "", "content-type": "d"]
        #expect(try lines(headers).originFields == ["X-b: 1", "accept: c", "x-C;", "content-type: d"])
    }

    @Test func `libcurl sends the cookies, and one length`() throws {
        var headers = full
        headers.append(HTTPHeader(name: "Cookie", value: "a=b"))
        headers.append(HTTPHeader(name: "Content-Length", value: "0"))
        headers.append(HTTPHeader(name: "content-length", value: "0"))
        #expect(try lines(headers).originFields.suffix(1) == ["Content-Length: 0"])
        // libcurl writes that of a body.
        let upload = try lines(headers, method: .post, body: .bytes([1]), bodyLength: 1)
        #expect(upload.originFields == ["Accept: */*", "Content-Type: a/b", "Expect:"])
    }

    @Test func `a removed field is not sent, and libcurl does not add it`() throws {
        var headers = full
        headers.append(HTTPHeader(name: "X-A", value: "1"))
        let removed = try lines(headers) { $0.removedHeaders = ["accept", "x-a", "hOST", "cookie"] }
        #expect(removed.originFields == ["Content-Type: a/b", "Accept:", "accept:", "x-a:", "Host:"])
        let framed = try lines(full) { $0.removedHeaders = ["Content-Length", "Transfer-Encoding"] }
        #expect(framed.originFields == ["Accept: */*", "Content-Type: a/b"])
    }

    @Test func `credentials of a proxy are for the proxy only`() throws {
        var headers = full
        headers.append(HTTPHeader(name: "Proxy-Authorization", value: "Basic x"))
        #expect(try lines(headers).originFields.last == "Proxy-Authorization: Basic x")
        let proxied = try lines(headers) { $0.proxy = ProxyOptions(url: "http://proxy") }
        #expect(proxied.forProxy == ["Proxy-Authorization: Basic x"])
        #expect(proxied.originFields == ["Accept: */*", "Content-Type: a/b"])
    }

    @Test(
        arguments: [
            (ExpectContinue.automatic, 1 << 20, "Expect:"), (.automatic, (1 << 20) + 1, nil),
            (.never, 1 << 30, "Expect:"),
            (.always, 1, "Expect: 100-continue"),
        ] as [(ExpectContinue, Int64, String?)])
    func `a large body waits for 100 unless that is chosen`(
        expect: ExpectContinue, length: Int64, line: String?
    ) throws {
        let upload = try lines(full, method: .post, body: .bytes([1]), bodyLength: length) {
            $0.expectContinue = expect
        }
        #expect(upload.originFields == ["Accept: */*", "Content-Type: a/b"] + [line].compactMap(\.self))
    }

    @Test func `the caller's Expect stays, and without a body there is none`() throws {
        var headers = full
        headers.append(HTTPHeader(name: "expect", value: "100-continue"))
        let upload = try lines(headers, method: .post, body: .bytes([1]), bodyLength: 1)
        #expect(upload.originFields.suffix(1) == ["expect: 100-continue"])
        #expect(try lines(full) { $0.expectContinue = .always }.originFields.count == 2)
    }
}
