import AFCore
import Dispatch
import TestSupport
import Testing

@testable import AFCommand
@testable import AFFormatting

@Suite(.timeLimit(.minutes(5))) struct ProgressReporterTests {
    private let world = ToolWorld()

    private func reporter(_ choice: ProgressDisplay) throws -> ProgressReporter {
        try #require(
            ProgressReporter(
                choice, name: "upload", showsAutomatically: true, palette: nil, on: DispatchQueue(label: "progress"),
                world.environment))
    }

    private func sent(_ megabytes: Int64) -> TransferProgress {
        TransferProgress(completedUnitCount: megabytes * 1_000_000, totalUnitCount: 3_000_000)
    }

    @Test(arguments: [ProgressDisplay.auto, .always, .json])
    func `a late progress update does not repeat the total`(choice: ProgressDisplay) throws {
        let reporter = try reporter(choice)
        reporter.sending(sent(0))
        reporter.sending(sent(1))
        // The complete body is sent by now, which is reported below.
        reporter.responseBegan(sent(3))
        let told = world.errors.text
        reporter.sending(sent(3))
        reporter.end(isComplete: true)
        #expect(world.errors.text == told)
        let sum = choice == .json ? #""phase":"done","bytes":3000000,"# : "3.0 MB in "
        #expect(told.ranges(of: sum).count == 1, "\(told)")
        #expect(!told.contains("1.0 MB in ") && !told.contains(#""done","bytes":1"#), "\(told)")
    }

    @Test func `a failure before the first byte is an event`() throws {
        let reporter = try reporter(.json)
        reporter.end(isComplete: false)
        #expect(world.errors.text.contains(#""phase":"failed","bytes":0,"total":null"#), "\(world.errors.text)")
        reporter.end(isComplete: false)
        #expect(world.errors.text.split(separator: "\n").count == 1)
        let bar = try self.reporter(.always)
        bar.end(isComplete: false)
        #expect(world.errors.text.split(separator: "\n").count == 1)
    }

    @Test(arguments: [ProgressDisplay.auto, .always])
    func `an early response leaves the total to the end`(choice: ProgressDisplay) throws {
        let reporter = try reporter(choice)
        reporter.sending(sent(0))
        reporter.sending(sent(1))
        reporter.responseBegan(sent(2))
        #expect(!world.errors.text.contains(" in "))
        let told = world.errors.text
        #expect(told.isEmpty || told.hasSuffix("\n"))
        reporter.sending(sent(3))
        #expect(world.errors.text == told)
        reporter.end(isComplete: true)
        #expect(world.errors.text.dropFirst(told.count).contains("3.0 MB in "))
    }

    @Test(arguments: [ProgressDisplay.auto, .always])
    func `the unsent rest after an early response is not in the total`(choice: ProgressDisplay) throws {
        let reporter = try reporter(choice)
        reporter.sending(sent(0))
        reporter.sending(sent(1))
        reporter.responseBegan(sent(1))
        reporter.end(isComplete: true)
        #expect(world.errors.text.contains("1.0 of 3.0 MB in "), "\(world.errors.text)")
    }

    @Test func `an upload with an early response has one summary`() async throws {
        let folder = try ScratchFolder()
        let file = try folder.writeSparse("big", size: 30_000_000)
        try await withScriptedServer { connection in
            guard let head = try connection.readHead() else { return }
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n")
            _ = try connection.readBody(of: head)
            try connection.send("answer")
        } _: { server in
            let run = await runTool("--raw", "@\(file)", server.url(), "--expect100", "no")
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.output == "answer")
            #expect(run.errors.ranges(of: " in ").count == 1, "\(run.errors)")
            #expect(run.errors.contains("30.0 MB in "), "\(run.errors)")
        }
    }

    @Test(arguments: [ProgressDisplay.auto, .always, .json])
    func `the total is a line of its own after a body without a line end`(choice: ProgressDisplay) async throws {
        let folder = try ScratchFolder()
        let file = try folder.writeSparse("big", size: 30_000_000)
        try await withScriptedServer { connection in
            guard let head = try connection.readHead() else { return }
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n")
            _ = try connection.readBody(of: head)
            try connection.send("answer")
        } _: { server in
            var world = ToolWorld()
            world.output = world.errors
            let run = await runTool(
                "--raw", "@\(file)", server.url(), "--expect100", "no", "--progress", choice.rawValue, in: world)
            #expect(run.status == 0, "\(run.errors)")
            let rest = try #require(run.errors.split(separator: "answer", omittingEmptySubsequences: false).last)
            #expect(rest.hasPrefix("\n"), "\(run.errors)")
            #expect(rest.contains(choice == .json ? "\"phase\":\"done\"" : "30.0 MB in "), "\(run.errors)")
        }
    }
}
