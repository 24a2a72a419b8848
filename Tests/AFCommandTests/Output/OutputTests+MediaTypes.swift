import TestSupport
import Testing

@testable import AFCommand
@testable import AFFormatting

/// Media types and character sets, of the response or typed.
extension OutputTests {
    @Test func `a body in another charset is decoded on a terminal`() async throws {
        let latin = Array("na".utf8) + [0xEF] + Array("ve".utf8)
        try await withServer { request in
            .bytes(latin).header("Content-Type", request.path == "/told" ? "text/plain; charset=latin1" : "text/plain")
        } _: { server in
            let told = await runTool("-b", server.url("/told"), in: .terminal())
            #expect(told.output == "naïve\n\n")
            let typed = await runTool("-b", "--response-charset", "iso-8859-1", server.url(), in: .terminal())
            #expect(typed.output == "naïve\n\n")
            #expect(await runTool("--response-charset", "klingon", server.url()).status == 64)
            #expect(await runTool(server.url("/told")).outputBytes == latin)
        }
    }

    @Test(arguments: [
        ("text/html", "<meta charset=\"ISO-8859-1\">\u{EF}", "<meta charset=\"ISO-8859-1\">ï"),
        (
            "text/html", "<meta content='text/html; charset=latin1'>\u{EF}",
            "<meta content='text/html; charset=latin1'>ï"
        ),
        (
            "text/xml", "<?xml version='1.0' encoding='latin1'?><a>\u{EF}</a>",
            "<?xml version='1.0' encoding='latin1'?>\n<a>ï</a>"
        ),
        ("text/xml", "<a encoding='latin1'>\u{EF}</a>", "<a encoding='latin1'>\\xef</a>"),
        ("text/plain", "charset=latin1 \u{EF}", "charset=latin1 \\xef"),
        ("text/html; charset=cp437", "<meta charset=latin1>\u{EF}", "<meta charset=latin1>∩"),
    ])
    func `a document may declare its charset`(type: String, latin: String, shown: String) async throws {
        try await withServer { _ in
            .bytes(latin.unicodeScalars.map { UInt8($0.value) }).header("Content-Type", type)
        } _: { server in
            let run = await runTool("-b", "--color=never", server.url(), in: .terminal())
            #expect(run.output == "\(shown)\n\n")
        }
    }

    @Test func `an event stream is UTF-8 despite another charset`() async throws {
        try await withServer { _ in
            .bytes(Array("data: naïve\n\n".utf8)).header("Content-Type", "text/event-stream; charset=iso-8859-1")
        } _: { server in
            let run = await runTool("-b", "--color=never", "--expect-body", "naïve", server.url(), in: .terminal())
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.output.contains("data: naïve\n"), "\(run.output)")
            let typed = await runTool(
                "-b", "--color=never", "--response-charset", "latin1", server.url(), in: .terminal())
            #expect(typed.output.hasPrefix("data: naÃ¯ve\n"), "\(typed.output)")
        }
    }

    @Test func `a typed media type applies only to the response`() async throws {
        try await withServer { _ in
            .ok("{}")
        } _: { server in
            let run = await runTool(
                "-v", "--pretty=format", "--response-mime", "application/json", "post", server.url(), "--raw",
                "<a><b>1</b></a>", "Content-Type:application/xml")
            #expect(run.output.contains("<a>\n"), "\(run.output)")
        }
    }

    @Test func `a typed media type has priority over the response's`() async throws {
        try await withServer { _ in
            .ok(#"{"a":1}"#)
        } _: { server in
            let run = await runTool("--pretty=format", "-b", "--response-mime", "application/json", server.url())
            #expect(run.output == "{\n    \"a\": 1\n}")
        }
    }
}
