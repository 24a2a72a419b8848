import AFHTTP
import Foundation
import TestSupport
import Testing

@testable import AFCommand

/// The plans that transfers of a curl command share.
struct CurlPlansTests {
    private var environment: Environment {
        var environment = ToolWorld().environment
        environment.messageStyle = .curl(hidesErrors: false)
        environment.outputTerminal = nil
        return environment
    }

    private func transfers(_ words: [String]) throws -> [CurlTranslation] {
        let environment = environment
        var input = InputReader(environment.files, .taken, mayReadStandardInput: false)
        let line = try CurlCommandLine(
            ["-q"] + words, CurlOption.all, offset: nil, environment: environment.variables, files: environment.files,
            input)
        return try line.groups.flatMap { group in
            try group.urls.enumerated().map { index, url in
                try CurlTranslation(
                    group, CurlGlob.Match(url: url, parts: []), index: index, upload: nil, isOnly: false,
                    files: environment.files, input: &input)
            }
        }
    }

    /// Whether the second transfer has the plan of the first.
    private func isShared(_ words: String...) throws -> Bool {
        let transfers = try transfers(words)
        try #require(transfers.count == 2)
        let invocation = try Invocation(transfers[0], Variables([:]))
        let records = try RecordPlan(invocation, environment.files)
        let plans = CurlPlans()
        plans.add(
            CurlPlans.Planned(invocation: invocation, plan: try Plan(invocation, environment), records: records),
            of: transfers[0])
        guard let planned = plans.planned(transfers[1], environment) else { return false }
        let complete = try Invocation(transfers[1], Variables([:]))
        let plan = try Plan(complete, environment)
        #expect(planned.plan.url == plan.url && planned.plan.request.headers == plan.request.headers)
        #expect(planned.plan.destination?.target == plan.destination?.target)
        #expect(try planned.invocation.target.address.url == plan.url)
        return true
    }

    @Test func `another path and another file share a plan`() throws {
        #expect(try isShared("http://h/a", "http://h/b?c=d"))
        #expect(try isShared("-sSL", "-A", "agent", "-H", "X-A: 1", "http://h/a", "http://h/b"))
        #expect(try isShared("-o", "/tmp/a", "http://h/a", "-o", "/tmp/b", "http://h/b"))
        #expect(try isShared("-O", "-O", "--retry", "2", "-m", "5", "https://h:8443/a", "https://h:8443/b"))
        #expect(try isShared("http://h/a", "--next", "http://h/b"))
    }

    @Test func `nothing else is shared`() throws {
        #expect(try !isShared("http://h/a", "https://h/b"))
        #expect(try !isShared("http://h/a", "http://h:81/b"))
        #expect(try !isShared("http://h/a", "http://g/b"))
        #expect(try !isShared("http://h/a", "http://u:p@h/b"))
        #expect(try !isShared("http://u:p@h/a", "http://h/b"))
        #expect(try !isShared("-u", "u:p", "http://h/a", "http://h/b"))
        #expect(try !isShared("-n", "http://h/a", "http://h/b"))
        #expect(try !isShared("-d", "x", "http://h/a", "http://h/b"))
        #expect(try !isShared("-o", "/tmp/a", "http://h/a", "http://h/b"))
        #expect(try !isShared("http://h/a", "--next", "-k", "http://h/b"))
        #expect(try !isShared("http://h/a", "--next", "-A", "x", "http://h/b"))
        #expect(try !isShared("-i", "-o", "/tmp/a", "http://h/a", "-o", "/tmp/b", "http://h/b"))
    }

    @Test func `the second transfer has the limits of its options`() async throws {
        let folder = try ScratchFolder()
        let pipe = folder.file("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        try await withServer {
            .ok($0.target)
        } _: { server in
            // Without a limit, a reader that is late receives the body.
            async let run = runTool(
                "curl", "-s", "-m", "0", "-o", folder.file("a"), server.url("/a"), "-o", pipe, server.url("/b"))
            try await eventually("the first transfer has ended") { (try? folder.text(of: "a")) == "/a" }
            try await remains("the second one waits for its reader", for: .seconds(1)) { server.requests.count == 1 }
            let body = try await onThread { try FileHandle(forReadingFrom: URL(filePath: pipe)).readToEnd() }
            let (status, errors) = (await run.status, await run.errors)
            #expect(status == 0 && body == Data("/b".utf8), "\(errors)")
            try #expect(folder.text(of: "a") == "/a")
        }
    }

    @Test func `a netrc file that a transfer writes is read for the next one`() async throws {
        let folder = try ScratchFolder()
        let netrc = try folder.write("machine other.test login a password b\n", to: "netrc")
        try await withServer { _ in
            .ok("machine 127.0.0.1 login me password secret\n")
        } _: { server in
            let run = await runTool(
                "curl", "-s", "--netrc-file", netrc, "-o", netrc, server.url("/a"), "-o", folder.file("b"),
                server.url("/b"))
            #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
            #expect(server.requests.map { $0["Authorization"] } == [nil, "Basic bWU6c2VjcmV0"])
        }
    }
}
