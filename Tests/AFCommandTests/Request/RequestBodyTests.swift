import AFHTTP
import TestSupport
import Testing

@testable import AFCommand

@Suite struct RequestBodyTests {
    private static let json = "application/json"
    private static let form = "application/x-www-form-urlencoded; charset=utf-8"

    @Test func `JSON without quotes has a hint about the shell`() async throws {
        let folder = try ScratchFolder()
        let file = try folder.write("{b:1}", to: "bad.json")
        for (item, hint) in [
            ("a:={b:1}", #"did the shell remove the quotes? Quote the item: 'name:={"key": 1}'"#),
            ("a:=b", "a string is name=text, without a colon"), ("a:=@\(file)", "correct the file '\(file)'"),
        ] {
            let run = await runTool("--offline", "example.org", item)
            #expect(run.status == 64)
            #expect(run.messages.last == "  \(hint)", "\(run.errors)")
        }
    }

    @Test func `--part cannot be combined with --json`() async {
        let run = await runTool("--offline", "--part", "a=1", "--json", "example.org")
        #expect(run.errors == "afcli: error: --part: cannot be combined with --json\n")
    }

    @Test func `items are a JSON object by default`() throws {
        let plan = try PlannedRequest(
            ":/", "a=b", "n:=1.50", "t=@f", "j:=@g", files: ["f": "line\n", "g": " [1,  2]\n"])
        #expect(plan.method == .post)
        #expect(plan.bodyText == #"{"a": "b", "n": 1.50, "t": "line\n", "j": [1,  2]}"#)
        #expect(plan.headers["Content-Type"] == RequestBodyTests.json)
        #expect(plan.headers["Accept"] == "application/json, */*;q=0.5")
    }

    @Test func `header fields and query items alone are not a body`() throws {
        let plan = try PlannedRequest(":/", "A:b", "c==d", "--json")
        #expect(plan.method == .get)
        #expect(plan.body == .none)
        #expect(plan.headers["Content-Type"] == RequestBodyTests.json)
        #expect(plan.url == "http://localhost/?c=d")
    }

    @Test func `a form preserves order and repeated names`() throws {
        let plan = try PlannedRequest(
            ":/", "-f", "a=b c&d", "é=~", "a=2", "t:=true", "n:=1.50", #"s:="x\n""#, "k[1]=v")
        #expect(plan.bodyText == "a=b+c%26d&%C3%A9=~&a=2&t=true&n=1.50&s=x%0A&k%5B1%5D=v")
        #expect(plan.headers["Content-Type"] == RequestBodyTests.form)
        #expect(plan.headers["Accept"] == "*/*")
    }

    @Test func `a form without data has a Content-Type and no body`() throws {
        let plan = try PlannedRequest(":/", "--form")
        #expect(plan.method == .get)
        #expect(plan.body == .none)
        #expect(plan.headers["Content-Type"] == RequestBodyTests.form)
    }

    @Test(arguments: ["a:=[1]", "a:={}", "a:=null"])
    func `a form allows only scalars`(item: String) {
        let error = #expect(throws: UsageError.self) { try PlannedRequest(":/", "-f", item) }
        #expect(error?.argument == item)
        #expect(error?.problem.hasPrefix("a form field cannot be of type ") == true)
    }

    @Test func `a file in a form makes it multipart, in the order of the items`() throws {
        let files = ["d/cat.jpg": "meow", "/home/ada/x": "", "t": "text\n"]
        let plan = try PlannedRequest(
            ":/", "-f", "a=1", "f@d/cat.jpg", "t=@t", "g@~/x;type=a/b;filename=y.z", "h:=2", files: files)
        #expect(
            plan.body
                == .multipart(
                    [
                        PartPlan(name: "a", content: .bytes(Array("1".utf8))),
                        PartPlan(
                            name: "f", content: .file(path: "d/cat.jpg", size: 4), fileName: "cat.jpg",
                            contentType: "image/jpeg"),
                        PartPlan(name: "t", content: .bytes(Array("text\n".utf8))),
                        PartPlan(
                            name: "g", content: .file(path: "/home/ada/x", size: 0), fileName: "y.z", contentType: "a/b"
                        ),
                        PartPlan(name: "h", content: .bytes(Array("2".utf8))),
                    ],
                    boundary: "B"))
        #expect(plan.headers["Content-Type"] == "multipart/form-data; boundary=B")
    }

    @Test func `parts and items keep the typed order`() throws {
        let plan = try PlannedRequest(
            "-F", "z=0", "post", ":/", "-F", "a=1", "b=2", "X:y", "-F", "c=@f", "--form-string", "d=@f", "e=5", "-F",
            "g=<f",
            files: ["f": "content"])
        guard case .multipart(let parts, _, _) = plan.body else {
            Issue.record("no multipart body")
            return
        }
        #expect(parts.map(\.name) == ["z", "a", "b", "c", "d", "e", "g"])
        #expect(parts[3].contentType == "application/octet-stream")
        #expect(parts[3].fileName == "f")
        #expect(parts[4] == PartPlan(name: "d", content: .bytes(Array("@f".utf8))))
        #expect(parts[6] == PartPlan(name: "g", content: .bytes(Array("content".utf8))))
    }

    @Test func `a part may have header fields from a file`() throws {
        let plan = try PlannedRequest(":/", "-F", "a=1;headers=@h", files: ["h": "# comment\nX-A: 1\r\n\nX-B: 2\n"])
        guard case .multipart(let parts, _, _) = plan.body else {
            Issue.record("no multipart body")
            return
        }
        #expect(parts[0].headers.map(\.description) == ["X-A: 1", "X-B: 2"])
    }

    @Test func `the boundary is that of the option, else of a typed Content-Type`() throws {
        #expect(
            try PlannedRequest(":/", "-F", "a=1", "--boundary=x y").headers["Content-Type"]
                == "multipart/form-data; boundary=\"x y\"")
        let typed = try PlannedRequest(":/", "-F", "a=1", "Content-Type:multipart/mixed; boundary=q")
        #expect(typed.headers["Content-Type"] == "multipart/mixed; boundary=q")
        guard case .multipart(_, let boundary, _) = typed.body else {
            Issue.record("no multipart body")
            return
        }
        #expect(boundary == "q")
        let bare = try PlannedRequest(":/", "-F", "a=1", "Content-Type:multipart/mixed")
        #expect(bare.headers["Content-Type"] == "multipart/mixed; boundary=B")
        for bad in ["", "a\r\nb", "a ", String(repeating: "a", count: 71)] {
            let error = #expect(throws: UsageError.self) { try PlannedRequest(":/", "-F", "a=1", "--boundary", bad) }
            #expect(error?.argument == "--boundary")
        }
    }

    @Test func `multipart without parts has no body`() throws {
        let plan = try PlannedRequest(":/", "--multipart")
        #expect(plan.method == .get)
        #expect(plan.body == .none)
        #expect(plan.headers["Content-Type"] == nil)
    }

    @Test func `the complete body is text or a file`() throws {
        let empty = try PlannedRequest(":/", "--raw=")
        #expect(empty.method == .post)
        #expect(empty.body == .bytes([]))
        let files = ["a.xml": "<a/>", "b.unknown": "b"]
        let xml = try PlannedRequest(":/", "@a.xml", files: files)
        #expect(xml.body == .file(path: "a.xml", size: 4))
        #expect(xml.headers["Content-Type"] == "application/xml")
        let other = try PlannedRequest(":/", "@b.unknown", files: files)
        #expect(other.headers["Content-Type"] == "text/plain; charset=utf-8")
        #expect(try PlannedRequest(":/", "@a.xml;type=a/b", files: files).headers["Content-Type"] == "a/b")
        #expect(try PlannedRequest(":/", "--raw=@a.xml", files: files).body == .file(path: "a.xml", size: 4))
        #expect(try PlannedRequest(":/", "-f", "--raw=a=b").headers["Content-Type"] == RequestBodyTests.form)
    }

    @Test func `an uploaded file is sent with PUT and without a media type`() throws {
        let plan = try PlannedRequest("-T", "d/a b.xml", "h/dir/", files: ["d/a b.xml": "<a/>"])
        #expect(plan.method == .put)
        #expect(plan.url == "http://h/dir/a%20b.xml")
        #expect(plan.body == .file(path: "d/a b.xml", size: 4))
        #expect(plan.headers["Content-Type"] == nil)
        #expect(try PlannedRequest("-T", "f", "post", "h", files: ["f": ""]).method == .post)
    }

    @Test(arguments: [
        (["--raw=x", "a=b"], "a=b"), (["--raw=x", "@f"], "@f"), (["@f", "@g"], "@g"), (["@f", "a:=1"], "@f"),
        (["-T", "f", "a=b"], "a=b"), (["--raw=x", "-T", "f"], "--upload-file"), (["--raw=x", "-F", "a=b"], "--part"),
        (["-f", "@f"], "@f"), (["--multipart", "@f"], "@f"), (["a@f"], "a@f"), (["--json", "-F", "a=b"], "--part"),
        (["a=b", "c@f"], "c@f"),
    ])
    func `contradictory bodies are an error that names one`(words: [String], argument: String) {
        let error = #expect(throws: UsageError.self) {
            try PlannedRequest(
                Invocation(parsing: ["post", "h"] + words), files: ["f": "", "g": ""])
        }
        #expect(error?.argument == argument)
    }

    @Test(arguments: [
        ["a=@missing"], ["a:=@missing"], ["a==@missing"], ["A:@missing"], ["@missing"], ["-f", "a@missing"],
        ["--multipart", "a@missing;type=a/b"],
    ])
    func `a missing file is reported with its item`(words: [String]) {
        let error = #expect(throws: FileProblem.self) {
            try PlannedRequest(
                Invocation(parsing: ["post", "h"] + words), files: [:])
        }
        #expect(error?.message == "\(words.last ?? ""): cannot read 'missing': no such file")
    }

    @Test func `a file embedded as text must be valid text`() throws {
        let files = FileAccess.fixed(["f": [0xFF] as [UInt8]])
        for item in ["a=@f", "a:=@f", "a==@f", "A:@f"] {
            let error = #expect(throws: FileProblem.self) {
                try PlannedRequest(Invocation(parsing: ["h.example", item]), files: files)
            }
            #expect(error?.message == "\(item): 'f' is not UTF-8 text")
        }
        let part = try PlannedRequest(Invocation(parsing: ["h.example", "-F", "a=<f"]), files: files)
        #expect(part.body != .none)
    }

    @Test func `raw JSON is validated`() {
        let error = #expect(throws: UsageError.self) { try PlannedRequest(":/", "a:={1}") }
        #expect(error?.message == "a:={1}: not JSON: expected a name in double quotes or '}' at character 2")
        #expect(error?.excerpt?.lines == ["{1}", " ^"])
    }
}
