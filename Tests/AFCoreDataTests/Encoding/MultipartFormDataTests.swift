import AFCore
import FoundationEssentials
import TestSupport
import Testing

struct MultipartFormDataTests {
    private func text(_ form: MultipartFormData) throws -> String {
        String(decoding: try form.encode(), as: UTF8.self)
    }

    @Test func `parts are separated by boundaries`() throws {
        let form = MultipartFormData(boundary: "B")
        form.append(Data("one".utf8), withName: "a")
        form.append(Data("two".utf8), withName: "b", fileName: "f.txt", mimeType: "text/plain")
        #expect(
            try text(form)
                == [
                    "--B", #"Content-Disposition: form-data; name="a""#, "", "one",
                    "--B", #"Content-Disposition: form-data; name="b"; filename="f.txt""#, "Content-Type: text/plain",
                    "", "two",
                    "--B--", "",
                ].joined(separator: "\r\n")
        )
        #expect(form.contentLength == 6)
        #expect(form.encodedLength == Int64(try form.encode().count))
    }

    @Test func `a form without parts is empty`() throws {
        let form = MultipartFormData()
        #expect(try form.encode() == Data())
        #expect(form.encodedLength == 0)
        #expect(form.contentLength == 0)
    }

    @Test func `a boundary is random unless it is given`() throws {
        let one = MultipartFormData()
        #expect(one.boundary.wholeMatch(of: /afcli\.boundary\.[0-9a-f]{16}/) != nil)
        #expect(one.boundary != MultipartFormData().boundary)
        #expect(one.contentType == "multipart/form-data; boundary=\(one.boundary)")
        #expect(MultipartFormData(boundary: "a b:c").contentType == #"multipart/form-data; boundary="a b:c""#)
    }

    @Test(arguments: ["", "a\r\nb", "a\"b", "ä", "a ", String(repeating: "x", count: 71)])
    func `an invalid boundary is an error`(boundary: String) {
        let form = MultipartFormData(boundary: boundary)
        form.append(Data(), withName: "a")
        #expect(throws: AFError.self) { try form.encode() }
    }

    @Test func `names are escaped, unlike in Alamofire`() throws {
        let form = MultipartFormData(boundary: "B")
        form.append(Data(), withName: "a\"; filename=\"evil", fileName: "x\r\nX-Evil: 1\n\ry", mimeType: "a/b")
        let head = try text(form).split(separator: "\r\n").dropFirst().first
        #expect(
            head
                == #"Content-Disposition: form-data; name="a%22; filename=%22evil"; filename="x%0D%0AX-Evil: 1%0A%0Dy""#
        )
    }

    @Test func `names in any script are sent unchanged`() throws {
        let form = MultipartFormData(boundary: "B")
        form.append(Data(), withName: "größe", fileName: "日本\\ %22.txt", mimeType: "text/plain")
        #expect(try text(form).contains(#"name="größe"; filename="日本\ %22.txt""#))
    }

    @Test func `characters that are invalid in a header are an error`() {
        let name = MultipartFormData()
        name.append(Data(), withName: "a\u{0}")
        let type = MultipartFormData()
        type.append(Data(), withName: "a", mimeType: "text/plain\r\nX-Evil: 1")
        let headers = MultipartFormData()
        headers.append(ScriptedStream([]), withLength: 0, headers: ["X y": "1"])
        for form in [name, type, headers] {
            let error = #expect(throws: AFError.self) { try form.encode() }
            guard case .multipartEncodingFailed(.bodyPartHeaderInvalid) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
    }

    @Test func `a body is a chain of sources of known length`() throws {
        let form = MultipartFormData(boundary: "B")
        form.append(Data("x".utf8), withName: "a")
        form.append(ScriptedStream([]), withLength: 1 << 40, name: "s", fileName: "s", mimeType: "a/b")
        guard case .parts(let sources) = try form.makeBody() else {
            Issue.record("not chained")
            return
        }
        #expect(sources.count == 5)
        #expect(form.contentLength == 1 + 1 << 40)
        #expect(try #require(form.encodedLength) > 1 << 40)
    }

    @Test(arguments: [UInt64(Int64.max) - 200, UInt64(Int64.max), .max])
    func `lengths with an overflowing sum do not trap`(length: UInt64) {
        let form = MultipartFormData(boundary: "B")
        for _ in 1...3 { form.append(ScriptedStream([]), withLength: length, headers: []) }
        #expect(form.encodedLength == nil)
        #expect(form.contentLength == .max)
    }

    @Test func `a stream of unknown length makes the body's length unknown`() throws {
        let form = MultipartFormData(boundary: "B")
        form.append(ScriptedStream([.bytes("any"), .bytes("thing")]), withLength: nil, headers: [.contentType("x/y")])
        #expect(form.encodedLength == nil)
        #expect(form.contentLength == 0)
        #expect(try text(form) == "--B\r\nContent-Type: x/y\r\n\r\nanything\r\n--B--\r\n")
    }
}
