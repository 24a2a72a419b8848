import TestSupport
import Testing

@testable import AFCommand

/// `--share`
@Suite(.timeLimit(.minutes(5))) struct ListShareTests {
    @Test(arguments: [1, 2, 3, 7, 10, 11])
    func `each element is in exactly one share`(count: Int) throws {
        let list = Array(0..<10)
        let shares = try (1...count).map { try ListShare(argument: "\($0)/\(count)").elements(of: list) }
        #expect(shares.joined().sorted() == list)
        let sizes = shares.map(\.count)
        #expect(sizes.max()! - sizes.min()! <= 1)
    }

    @Test func `an appended element moves no other`() throws {
        let share = try ListShare(argument: "2/3")
        #expect(share.elements(of: ["a", "b", "c", "d"]) == ["b"])
        #expect(share.elements(of: ["a", "b", "c", "d", "e"]) == ["b", "e"])
    }

    @Test(arguments: [
        ("", "expected K/N, got ''"), ("1", "expected K/N, got '1'"), ("a/2", "expected K/N, got 'a/2'"),
        ("1/", "expected K/N, got '1/'"), ("/2", "expected K/N, got '/2'"), ("-1/2", "expected K/N, got '-1/2'"),
        ("1/2/3", "expected K/N, got '1/2/3'"),
        ("0/4", "there is no share '0': the shares are numbered from 1 to 4"),
        ("5/4", "there is no share '5': the shares are numbered from 1 to 4"),
        ("1/0", "the number of shares is from 1 to 1000000, got '0'"),
        ("1/1000001", "the number of shares is from 1 to 1000000, got '1000001'"),
    ])
    func `an invalid share is an error`(argument: String, problem: String) throws {
        let error = try #require(throws: UsageError.self) { try ListShare(argument: argument) }
        #expect(error.problem == problem)
        #expect(error.hint != nil)
    }

    @Test func `a run downloads its share of the list`() async throws {
        let folder = try ScratchFolder()
        try await withServer({ .ok($0.path) }) { server in
            let list = try folder.write((1...5).map { server.url("/\($0) \($0)\n") }.joined() + "# end\n", to: "list")
            func run(_ share: String) async -> ToolRun {
                await runTool("--input", list, "--share", share, "--output-dir", folder.file(""))
            }
            let second = await run("2/2")
            #expect(second.status == 0, "\(second.errors)")
            #expect(folder.list() == ["2", "4", "list"])
            #expect(await run("1/2").status == 0)
            #expect(folder.list() == ["1", "2", "3", "4", "5", "list"])
            #expect(server.requests.count == 5)
            let empty = await run("6/6")
            #expect(empty.status == 0)
            #expect(empty.messages == ["afcli: share 6/6 of the list has no URL"])
            #expect(server.requests.count == 5)
        }
    }

    @Test func `errors in lines of other shares are reported`() async throws {
        let folder = try ScratchFolder()
        let list = try folder.write("http://localhost:1/a a\nhttp://localhost:1/b ../b\n", to: "list")
        let run = await runTool("--input", list, "--share", "1/2")
        #expect(run.status == 64)
        #expect(run.errors.contains("line 2"))
    }
}
