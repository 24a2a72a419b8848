import Testing

@testable import AFUploads

/// The documents of S3, also malformed ones.
@Suite struct MultipartDocumentTests {
    private func list(_ text: String) -> MultipartDocument.PartList? {
        MultipartDocument.partList(in: Array("<ListPartsResult>\(text)</ListPartsResult>".utf8))
    }

    private func part(_ number: String, _ size: String, _ tag: String) -> String {
        "<Part><PartNumber>\(number)</PartNumber><Size>\(size)</Size><ETag>\(tag)</ETag></Part>"
    }

    @Test func `elements have text and children`() throws {
        let text =
            "\u{FEFF}<?xml version=\"1.0\" encoding='UTF-8'?>\n<a xmlns=\"u>v\"> <b>x&amp;&#x41;&#66;</b><c/>\n</a> "
        let root = try #require(XMLElement(parsing: Array(text.utf8)))
        #expect(root.name == "a" && root.only("b") == "x&AB" && root.only("c")?.isEmpty == true)
        #expect(root.only("d") == nil)
    }

    @Test(
        arguments: [
            "", " ", "a", "<", "<a", "<a>", "</a>", "<a></b>", "<a></a", "<a/><b/>", "<a/>x", "x<a/>", "<a>&lt</a>",
            "<a>&x;</a>", "<a>&#0;</a>", "<a>&#xD800;</a>", "<a>&#x;</a>", "<a>&#-1;</a>", "<a b='></a>", "<a <b/></a>",
            "<!DOCTYPE a><a/>", "<a><!-- --></a>", "<a><![CDATA[x]]></a>", "<a><?x?></a>", "<1a b", "<a\u{0}/>",
            "< a/>",
            String(repeating: "<a>", count: 9) + String(repeating: "</a>", count: 9),
            String(repeating: "<a>", count: 100_000),
        ])
    func `malformed documents are rejected`(text: String) {
        #expect(XMLElement(parsing: Array(text.utf8)) == nil)
    }

    @Test func `documents that are not UTF-8 are rejected`() {
        #expect(XMLElement(parsing: Array("<a>".utf8) + [0xFF] + Array("</a>".utf8)) == nil)
    }

    @Test func `malformed parts are missing`() throws {
        let parts = [
            part("1", "5", "&quot;t&quot;"), part("", "5", "t"), part("-2", "5", "t"), part("3", "1e3", "t"),
            part("4", "5", ""), part("5", "5", "\"\""), part("6", "5", "a\nb"), part("9999999999999999", "5", "t"),
            "<Part><PartNumber>7</PartNumber><PartNumber>8</PartNumber><Size>1</Size><ETag>t</ETag></Part>",
        ]
        let page = try #require(list(parts.joined()))
        #expect(page.parts == [MultipartDocument.Part(number: 1, size: 5, tag: "\"t\"")])
        #expect(page.next == nil)
    }

    @Test func `a page says where the next one starts`() {
        #expect(list("<IsTruncated>true</IsTruncated><NextPartNumberMarker>7</NextPartNumberMarker>")?.next == 7)
        #expect(list("<IsTruncated>false</IsTruncated><NextPartNumberMarker>7</NextPartNumberMarker>")?.next == nil)
        #expect(list("<IsTruncated>true</IsTruncated>") == nil)
    }

    @Test(arguments: ["", " ", "a b", "\n", String(repeating: "x", count: 2049)])
    func `an identifier has visible characters`(id: String) {
        let text = "<InitiateMultipartUploadResult><UploadId>\(id)</UploadId></InitiateMultipartUploadResult>"
        #expect(MultipartDocument.uploadID(in: Array(text.utf8)) == nil)
    }

    @Test func `a completion is an object or an error`() {
        func result(_ text: String) -> MultipartDocument.Completion? {
            MultipartDocument.completion(in: Array(text.utf8))
        }
        #expect(
            result("<CompleteMultipartUploadResult><ETag>t</ETag></CompleteMultipartUploadResult>")
                == .object(tag: "t"))
        #expect(result("<CompleteMultipartUploadResult/>") == .object(tag: nil))
        #expect(result("\n <Error><Code>SlowDown</Code></Error>") == .error(code: "SlowDown"))
        #expect(result("<Error><Code>\u{1B}[2J</Code></Error>") == .error(code: "unknown error"))
        #expect(result("<html/>") == nil)
    }

    @Test func `ETags are escaped`() {
        let text = String(decoding: MultipartDocument.request(toComplete: ["\"a<&\""]), as: UTF8.self)
        #expect(text.contains("<Part><PartNumber>1</PartNumber><ETag>&quot;a&lt;&amp;&quot;</ETag></Part>"))
    }

    @Test func `any bytes are a document or none`() {
        let seed = Array("<?xml version=\"1.0\"?>\n<Error><Code>a&lt;b&#10;</Code><a b='c'/></Error>".utf8)
        var random = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            var bytes = seed
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[index] = "<>/&;#?! x\"'".utf8.randomElement(using: &random) ?? 0
                case 1: bytes.remove(at: index)
                default: bytes.removeSubrange(index...)
                }
                if bytes.isEmpty { break }
            }
            _ = MultipartDocument.completion(in: bytes)
        }
    }
}
