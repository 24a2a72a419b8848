import AFExpressions
import TestSupport
import Testing

@testable import AFCommand

/// XPath in files of requests.
@Suite(.timeLimit(.minutes(2))) struct XPathRunTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private static let xml = """
        <?xml version="1.0"?><a xmlns="urn:d" xmlns:p="urn:p"><b>1</b><b>2</b><p:c x="é">t</p:c><d xmlns:q="urn:q"><q:e/></d></a>
        """

    @Test(arguments: [
        ("/xml", #"xpath "count(//_:b)" == 2"#), ("/xml", #"xpath "//_:b" count == 2"#),
        ("/xml", #"xpath "string(//p:c/@x)" == "é""#), ("/xml", #"xpath "boolean(//q:e)" == true"#),
        ("/xml", #"xpath "//_:none" not exists"#), ("/xml", #"xpath "//b" isEmpty"#),
        ("/xml", #"xpath "sum(//_:b)" == 3.0"#), ("/xml", #"xpath "normalize-space(' a  b ')" == "a b""#),
        ("/xml", #"xpath "substring-after(concat('a', '=b'), '=')" startsWith "b""#),
        ("/html", #"xpath "string(//title)" == "T & x""#), ("/html", #"xpath "//p" count == 2"#),
        ("/html", #"body xpath "count(//p)" toInt == 2"#), ("/html", #"xpath "//p" isObject"#),
    ])
    func `an expression has its value`(path: String, assert: String) async throws {
        let run = try await self.run(path, "[Asserts]\n\(assert)\n")
        #expect(run.status == 0, "\(run.errors)")
    }

    @Test(arguments: [
        ("/xml", "//[", "XPath expression is not valid"), ("/xml", "//r:x", "XPath expression is not valid"),
        ("/xml", "foo()", "XPath expression is not valid"), ("/text", "//a", "HTTP response is not a valid XML"),
        ("/entities", "//a", "the document declares entities, which are not supported"),
    ])
    func `an error has a caret, and the library prints nothing`(path: String, query: String, reason: String)
        async throws
    {
        let run = try await self.run(path, "[Asserts]\nxpath \"\(query)\" exists\n")
        #expect(run.status == 4)
        #expect(run.errors.contains("^ \(reason)\n") && run.errors.contains("f.hurl:4:"), "\(run.errors)")
        #expect(run.errors.hasPrefix("error: "), "\(run.errors)")
    }

    @Test func `an external DTD is not read`() async throws {
        try await withServer { _ in
            .status(500, "")
        } _: { server in
            let document = "<!DOCTYPE a SYSTEM \"\(server.url("/dtd"))\"><a>t</a>"
            let library = try #require(XMLLibrary.shared)
            #expect(try library.value(of: "string(/a)", in: document, isHTML: false) == .string("t"))
            #expect(server.requests.isEmpty)
        }
    }

    @Test func `deep documents and expressions are no risk for the stack`() throws {
        let library = try #require(XMLLibrary.shared)
        for isHTML in [false, true] {
            let document = String(repeating: "<div>", count: 50_000)
            _ = try? library.value(of: "count(//div)", in: document, isHTML: isHTML)
        }
        for (start, end) in [("(", ")"), ("not(", ")"), ("a[", "]"), ("-", "")] {
            let (starts, ends) = (String(repeating: start, count: 1000), String(repeating: end, count: 1000))
            _ = try? library.value(of: "\(starts)1\(ends)", in: "<a/>", isHTML: false)
        }
        #expect(throws: HurlXPathError.self) {
            try library.value(of: String(repeating: " ", count: 10_000) + "1", in: "<a/>", isHTML: false)
        }
    }

    @Test func `a library that is not installed is nil`() {
        #expect(XMLLibrary(names: ["libnone.so.1"]) == nil)
    }

    private func run(_ path: String, _ asserts: String) async throws -> ToolRun {
        try await withServer { request in
            switch request.path {
            case "/xml": .bytes(Array(Self.xml.utf8)).header("Content-Type", "application/xml")
            case "/html":
                .bytes(Array("<title>T &amp; x</title><p>a<p>b".utf8)).header(
                    "Content-Type", "text/html; charset=utf-8")
            case "/entities": .ok("<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/hostname\">]><a>&x;</a>")
            default: .ok("text")
            }
        } _: { server in
            let text = "GET \(server.url(path))\nHTTP 200\n\(asserts)"
            return await runTool("run", try folder.write(text, to: "f.hurl"))
        }
    }
}
