import AFHTTP
import Testing

struct MediaTypeTests {
    @Test(arguments: ["text/html", "TEXT/Html", " text/html ", "text / html", "text/html;charset=utf-8", "text/html;"])
    func `type and subtype are read without regard to case and blanks`(text: String) {
        #expect(MediaType(parsing: text)?.essence == "text/html")
    }

    @Test(arguments: [
        "", "text", "text/", "/html", "/", "text/html/x", ";charset=utf-8", "text/html, text/plain", "te xt/html",
        "text/ht ml", "text/html,x", "téxt/html", "text/\"html\"", "text/html\r\n",
    ])
    func `an invalid media type is rejected`(text: String) {
        #expect(MediaType(parsing: text) == nil)
    }

    @Test func `parameters keep their order, with lowercase names and unquoted values`() {
        let type = MediaType(parsing: #"multipart/Mixed; Boundary="a;b\"c\\" ; x=Y;novalue; charset = utf-8;;q="#)
        #expect(type?.parameters.map(\.name) == ["boundary", "x", "charset", "q"])
        #expect(type?.parameters.map(\.value) == [#"a;b"c\"#, "Y", "utf-8", ""])
        #expect(type?.parameter("charset") == "utf-8")
        #expect(type?.parameter("none") == nil)
    }

    @Test(arguments: [#"a/b; x="unfinished"#, #"a/b; x=""#, #"a/b; x="\"#, #"a/b; x="a\"#, #"a/b; x="";y=z"#])
    func `a malformed quoted string does not affect the type`(text: String) {
        #expect(MediaType(parsing: text)?.essence == "a/b")
    }

    @Test func `the first of several parameters with the same name is used`() {
        #expect(MediaType(parsing: "text/plain;charset=a;CHARSET=b")?.parameter("charset") == "a")
    }

    @Test(arguments: [
        ("*/*", "a/b", true), ("a/*", "a/b", true), ("*/b", "a/b", true), ("a/b", "a/b", true), ("A/B", "a/b", true),
        ("a/c", "a/b", false), ("c/b", "a/b", false), ("a/*", "b/b", false), ("a/b", "a/*", false),
        ("a/b;x=1", "a/b;x=2", true),
    ])
    func `an asterisk is a wildcard only in the accepting type`(acceptable: String, found: String, isAccepted: Bool)
        throws
    {
        let acceptable = try #require(MediaType(parsing: acceptable))
        #expect(acceptable.accepts(try #require(MediaType(parsing: found))) == isAccepted)
    }

    @Test(arguments: [
        "text/html", "text/html; charset=utf-8", #"multipart/form-data; boundary="a b""#, #"a/b; x="\"\\""#,
        #"a/b; x="""#,
    ])
    func `the description equals the header value`(text: String) {
        #expect(MediaType(parsing: text)?.description == text)
    }

    @Test(arguments: [
        ("json", "application/json"), ("HTML", "text/html"), ("jpg", "image/jpeg"), ("gz", "application/gzip"),
        ("txt", "text/plain"), ("pdf", "application/pdf"), ("svg", "image/svg+xml"), ("mp4", "video/mp4"),
        ("xml", "application/xml"), ("js", "text/javascript"),
    ])
    func `a file extension has a media type`(fileExtension: String, essence: String) {
        #expect(MediaType(fileExtension: fileExtension)?.essence == essence)
    }

    @Test(arguments: [
        ("text/html; charset=utf-8", "html"), ("text/plain", "txt"), ("image/jpeg", "jpg"), ("video/mp4", "mp4"),
        ("text/javascript", "js"), ("application/javascript", "js"), ("text/xml", "xml"), ("application/xml", "xml"),
        ("application/octet-stream", nil), ("x/y", nil),
    ])
    func `a media type has a usual file extension`(type: String, fileExtension: String?) throws {
        #expect(try #require(MediaType(parsing: type)).fileExtension == fileExtension)
    }

    @Test(arguments: ["", "unheard-of", ".json"])
    func `an unknown file extension has no media type`(fileExtension: String) {
        #expect(MediaType(fileExtension: fileExtension) == nil)
    }
}
