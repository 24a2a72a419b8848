import AFHTTP
import FoundationEssentials
import Testing

@Suite struct FilenameTests {
    private func name(_ disposition: String, url: String = "http://example.org/from-url.txt") throws -> String? {
        let headers: HTTPHeaders = ["Content-Disposition": disposition]
        return HTTPURLResponse(url: URL(string: url), statusCode: 200, headers: headers).suggestedFilename
    }

    @Test(arguments: [
        ("/d/f.txt;token=x", "f.txt"), ("/f;a=1;token=x/", "f;a=1"), ("/f;a=1", "f;a=1"), ("/;token=x", nil),
        ("/f%3Btoken%3Dx%2Fy", "f"), ("/f%3Ftoken=x", "f"), ("/f.txt?token=x", "f.txt"),
    ])
    func `a name has no parameter that is a secret`(path: String, name: String?) throws {
        #expect(try HTTPURL(parsing: "http://h\(path)").filename == name)
    }

    @Test(arguments: [
        ("attachment; filename=plain.txt", "plain.txt"),
        ("attachment; filename=\"a b;c.txt\"", "a b;c.txt"),
        ("attachment; filename=x; filename*=UTF-8''na%C3%AFve.txt", "naïve.txt"),
        ("attachment; filename=\"../../etc/passwd\"", "passwd"),
        ("attachment; filename=\"C:\\\\dir\\\\evil.exe\"", "evil.exe"),
        ("attachment; filename=\"C:\\dir\\new.txt\"", "new.txt"), ("attachment; filename=\"a\\\"b\\\\\"", "ab"),
        ("attachment; filename='q.txt'", "q.txt"), ("attachment; filename='", "'"),
        ("attachment; filename=one.txt; filename=two.txt", "one.txt"),
        ("attachment; filename=\"...hidden\"", "hidden"), ("attachment; filename=\"-rf\"", "rf"),
        ("attachment; filename=\"a\u{202E}txt.exe\"", "atxt.exe"),
        ("attachment; filename*=ISO-8859-1''%E4.txt", "ä.txt"), ("attachment; filename*=x-no''%E4.txt", "from-url.txt"),
        ("attachment; filename=\"=?UTF-8?B?w6QudHh0?=\"", "ä.txt"),
        ("attachment; filename=\"=?iso-8859-1?q?gr=FCn_?= =?utf-8?Q?1%.txt?=\"", "grün 1%.txt"),
        ("attachment; filename=\"=?utf-8?b?Li4vYQ==?=\"", "a"), ("attachment; filename=\"=?utf-8?x?a?=\"", "=utf-8xa="),
        ("attachment; filename=f.part.json", "f.part_.json"), ("attachment; filename=f.json", "f.json"),
        ("attachment", "from-url.txt"), ("attachment; filename=\"/\"", "from-url.txt"),
    ])
    func `the suggested file name is a safe part of the name from the server`(text: String, expected: String) throws {
        #expect(try name(text) == expected)
    }

    @Test(arguments: ["\u{200D}", "\u{200C}", "\u{301}", "\u{FE0F}", "\u{E0041}", "\u{20E3}"])
    func `combining characters do not hide a slash or a leading dot`(mark: String) throws {
        for text in ["/\(mark)home/\(mark)u/\(mark).bashrc", "x/\(mark)..\(mark)/\(mark)../\(mark)y", "\\\(mark)a"] {
            let encoded = text.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            for name in [
                try name("attachment; filename=\"\(text)\""),
                try name("attachment; filename*=UTF-8''\(encoded)"),
                try name("attachment", url: "http://example.org/\(encoded)"),
            ] {
                let bytes = Array((name ?? "").utf8)
                #expect(!bytes.isEmpty)
                #expect(!bytes.contains(UInt8(ascii: "/")) && !bytes.contains(UInt8(ascii: "\\")))
                #expect(bytes.first != UInt8(ascii: "."))
            }
        }
    }

    @Test func `a long file name is shortened and keeps its extension`() throws {
        let name = try #require(try name("attachment; filename=\"\(String(repeating: "é", count: 200)).tar\""))
        #expect(name.utf8.count <= 240 && name.hasSuffix("é.tar"))
    }
}
